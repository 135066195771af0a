"""What the suites of all editors share: workspaces with failing files, and what they end as."""
