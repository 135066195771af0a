"""Neovim's screen: the grid of characters that it draws."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class Screen:
    """Follows Neovim's `redraw` notifications; `lines` is the text on the screen."""

    def __init__(self, columns: int, rows: int) -> None:
        self._columns = columns
        self._cells = [[" "] * columns for _ in range(rows)]

    @property
    def lines(self) -> list[str]:
        """The rows, without trailing blanks."""
        return ["".join(row).rstrip() for row in self._cells]

    @property
    def text(self) -> str:
        """All rows, joined."""
        return "\n".join(self.lines)

    def redraw(self, batches: Iterable[Any]) -> None:
        """Apply one notification."""
        for name, *calls in batches:
            if hasattr(self, f"_{name}"):
                for call in calls:
                    getattr(self, f"_{name}")(*call)

    def _grid_resize(self, _grid: int, columns: int, rows: int) -> None:
        self._columns = columns
        self._cells = [[" "] * columns for _ in range(rows)]

    def _grid_clear(self, _grid: int) -> None:
        self._cells = [[" "] * self._columns for _ in self._cells]

    def _grid_line(self, _grid: int, row: int, column: int, cells: Any, *_: Any) -> None:
        for cell in cells:
            count = cell[2] if len(cell) > 2 else 1
            self._cells[row][column : column + count] = [cell[0]] * count
            column += count

    def _grid_scroll(
        self, _grid: int, top: int, bottom: int, left: int, right: int, rows: int, *_: Any
    ) -> None:
        old = [row[left:right] for row in self._cells]
        for row in range(top, bottom):
            if top <= row + rows < bottom:
                self._cells[row][left:right] = old[row + rows]
