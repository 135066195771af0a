"""Dask's client, silent about a connection that never came about."""

from __future__ import annotations

from distributed import Client


class QuietClient(Client):
    """A client whose failed constructor has no consequences but its exception.

    Dask would try for 20 s to close the connection, and then print a traceback.
    """

    def __del__(self) -> None:
        if getattr(self, "status", "") == "running":
            super().__del__()  # type: ignore[no-untyped-call]
