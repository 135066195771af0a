"""`pollard` and `python -m pollard` are the command line, which Ctrl-C may end while it loads."""

import sys


def main() -> None:
    """Run the command line and exit."""
    try:
        from pollard.cli.main import main as run_and_exit  # noqa: PLC0415 (it takes 0.1 s)

        run_and_exit()
    except KeyboardInterrupt:
        sys.stderr.write("pollard: interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
