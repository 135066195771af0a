"""Shared by the suites of all editors: workspaces with failing files."""
