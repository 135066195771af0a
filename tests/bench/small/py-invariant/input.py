import random
import re
import sys
from collections import defaultdict, deque
from contextlib import suppress
from itertools import accumulate, count, groupby


class InvariantError(Exception):
    pass


class Account:
    _ids = count(1)
    LIMIT = 1000

    def __init__(self, owner, opening=0):
        self.id = next(self._ids)
        self.owner = owner
        self.history = deque([opening], maxlen=50)
        self.frozen = False

    def __repr__(self):
        return f"<Account {self.id} {self.owner}>"

    @property
    def balance(self):
        return sum(self.history)

    def deposit(self, amount):
        if self.frozen:
            raise PermissionError(self.owner)
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.history.append(amount)

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("not enough money")
        self.history.append(-amount)


class Bank:
    def __init__(self):
        self.accounts = defaultdict(list)
        self.total = 0

    def open(self, owner, opening):
        account = Account(owner, opening)
        self.accounts[owner].append(account)
        self.total += opening
        return account

    def transfer(self, source, target, amount):
        source.withdraw(amount)
        if source.owner != target.owner:
            fee = amount // 20
            self.total -= fee
        else:
            fee = 0
        target.deposit(amount - fee)

    def check(self):
        held = sum(a.balance for group in self.accounts.values() for a in group)
        if held != self.total:
            raise InvariantError(f"bank holds {held}, but should {self.total}")


RULE = re.compile(r"(?P<name>\w+)\s*(?:->\s*(?P<to>\w+))?\s*:\s*(?P<n>\d+)")


def play(script):
    bank = Bank()
    people = {}
    for number, line in enumerate(script.splitlines(), 1):
        match = RULE.fullmatch(line.strip())
        if match is None:
            continue
        name, to, n = match["name"], match["to"], int(match["n"])
        if to is None:
            people[name] = bank.open(name, n)
            continue
        with suppress(ValueError):
            bank.transfer(people[name], people[to], n)
        bank.check()
    return bank


SCRIPT = """
ann: 100
bob: 40
cy: 0
ann -> bob: 10
bob -> cy: 50
cy -> ann: 5
bob -> bob: 1
"""
for seed in range(3):
    random.seed(seed)
    extra = "\n".join(f"{random.choice(['ann', 'bob', 'cy'])} -> cy: {random.randint(1, 60)}" for _ in range(90))
    play(SCRIPT + extra)
