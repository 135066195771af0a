"""Known secrets: what a run is not shown unless the user allows it."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from pollard.oracle.sandbox_policy import SandboxLevel

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pollard.oracle.sandbox_policy import SandboxPolicy

# Below the home directory: keys, tokens, sessions, and what was typed.
_IN_HOME = (
    ".ssh",
    ".gnupg",
    ".password-store",
    ".local/share/keyrings",
    ".netrc",
    ".git-credentials",
    ".pypirc",
    ".aws",
    ".azure",
    ".config/gcloud",
    ".config/gh",
    ".config/hub",
    ".config/containers/auth.json",
    ".docker/config.json",
    ".kube",
    ".terraform.d/credentials.tfrc.json",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".m2/settings.xml",
    ".mozilla",
    ".thunderbird",
    ".config/google-chrome",
    ".config/chromium",
    ".config/BraveSoftware",
    ".config/microsoft-edge",
    ".bash_history",
    ".zsh_history",
    ".python_history",
    ".psql_history",
    ".zsh_sessions",
    "Library/Keychains",
    "Library/Cookies",
    "Library/Mail",
    "Library/Messages",
    "Library/Safari",
    "Library/Thunderbird",
    "Library/Application Support/BraveSoftware",
    "Library/Application Support/Chromium",
    "Library/Application Support/Firefox",
    "Library/Application Support/Google/Chrome",
    "Library/Application Support/Microsoft Edge",
)
_ELSEWHERE = ("/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/ssl/private")
_SECRET_VARIABLES = re.compile(
    rb"TOKEN|SECRET|PASSW|CREDENTIAL|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY"
    rb"|^(SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS)$",
    re.IGNORECASE,
)
# What programs need to be found, and to print in the user's language.
_HARMLESS_VARIABLES = re.compile(
    rb"PATH|HOME|USER|LOGNAME|SHELL|TERM|TZ|PWD|TMP|TMPDIR|TEMP|LANG|LANGUAGE|LC_\w+|LD_LIBRARY_PATH"
    rb"|PYTHON(PATH|HASHSEED)|NODE_PATH|JAVA_HOME|GO(ROOT|PATH)|CARGO_HOME|RUSTUP_HOME|VIRTUAL_ENV"
)


def hidden_paths(policy: SandboxPolicy) -> Iterator[Path]:
    """Yield the files and directories that runs are not shown, except for `shown_paths`."""
    home = Path.home()
    return iter([home]) if policy.level is SandboxLevel.STRICT else secret_paths(home)


def shown_paths(policy: SandboxPolicy) -> Iterator[Path]:
    """Yield what runs are shown although it may be in a hidden directory; Python starts them."""
    if policy.level is SandboxLevel.STRICT:
        yield from map(Path, (sys.prefix, sys.base_prefix))
    yield from policy.read


def secret_paths(home: Path) -> Iterator[Path]:
    """Yield the files and directories with secrets that exist, those of Pollard included."""
    for path in (*(home / name for name in _IN_HOME), *map(Path, _ELSEWHERE), *_own()):
        if _exists(path):
            yield path


def _own() -> Iterator[Path]:
    for variable, usual in (
        ("POLLARD_STATE_DIR", platformdirs.user_state_path("pollard", appauthor=False)),
        ("POLLARD_CACHE_DIR", platformdirs.user_cache_path("pollard", appauthor=False)),
    ):
        yield Path(os.environ.get(variable) or usual)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def visible_variables(
    variables: Mapping[bytes, bytes], policy: SandboxPolicy
) -> dict[bytes, bytes]:
    """Return the environment variables that a policy shows: by default all but those with secrets."""
    allowed = {os.fsencode(name) for name in policy.env}
    shows = _is_harmless if policy.level is SandboxLevel.STRICT else _is_no_secret
    return {name: value for name, value in variables.items() if name in allowed or shows(name)}


def _is_no_secret(name: bytes) -> bool:
    return not _SECRET_VARIABLES.search(name)


def _is_harmless(name: bytes) -> bool:
    return bool(_HARMLESS_VARIABLES.fullmatch(name))
