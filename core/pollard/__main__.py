"""`python -m pollard` is the `pollard` command."""

from pollard.cli.main import main

if __name__ == "__main__":
    main()
