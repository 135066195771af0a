"""x"""

from __future__ import annotations

from pollard.speculation.coordinator import Coordinator, SearchDied
from pollard.speculation.modes import Speculation, is_worthwhile

__all__ = ["Coordinator", "SearchDied", "Speculation", "is_worthwhile"]
