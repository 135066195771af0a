"""Real Emacs, driven by keys in a terminal and looked into through its server."""
