import json
from collections import defaultdict

class Inventory:
    FACTOR = -1
    def __init__(self, items):
        self.items = dict(items)
        self.log = []

    def total(self, *, scale=1.0):
        result = 0
        for name, (price, count) in self.items.items():
            self.log.append(name)
            result += price * count * self.FACTOR * scale
        return result

def load(text):
    data = json.loads(text)
    return [(k, tuple(v)) for k, v in data.items()]

def main():
    inv = Inventory(load('{"a": [3.25, 1], "b": [0, 4]}'))
    print("got", inv.total())

if __name__ == "__main__":
    main()
