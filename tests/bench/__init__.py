"""The measuring bench: `python -m tests.bench` reduces every case with every strategy."""
