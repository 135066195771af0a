"""Accounts with a ledger, and a report."""
from __future__ import annotations
import enum
import functools
from dataclasses import dataclass, field
from typing import Iterator, Optional


class Kind(enum.Enum):
    DEPOSIT = "deposit"
    WITHDRAWAL = "withdrawal"


@dataclass
class Entry:
    kind: Kind
    amount: int
    note: Optional[str] = None

    @property
    def signed(self) -> int:
        return self.amount if self.kind is Kind.DEPOSIT else -self.amount


@dataclass
class Account:
    owner: str
    entries: list[Entry] = field(default_factory=list)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def add(self, kind: Kind, amount: int, **extra: str) -> "Account":
        self.entries.append(Entry(kind, amount, **extra))
        return self

    @functools.lru_cache(maxsize=None)
    def balance(self) -> int:
        return sum(entry.signed for entry in self)

    def __hash__(self) -> int:
        return hash(self.owner)


def report(accounts: dict[str, Account]) -> str:
    lines = []
    for name, account in sorted(accounts.items(), key=lambda pair: pair[0]):
        match [entry.note for entry in account]:
            case []:
                continue
            case [first, *rest]:
                lines.append(f"{name:<10}{account.balance():>8} {first.upper()} {len(rest)}")
    return "\n".join(lines)


if __name__ == "__main__":
    bank = {}
    for who in ("ann", "bob", "cyd"):
        bank[who] = Account(who)
    bank["ann"].add(Kind.DEPOSIT, 100, note="salary").add(Kind.WITHDRAWAL, 30)
    bank["cyd"].add(Kind.DEPOSIT, 5)
    try:
        print(report(bank))
    finally:
        print("done")
