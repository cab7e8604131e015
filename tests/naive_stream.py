"""The kernel's stream of dice, written again in plain Python: Philox4x32-10, and ten dice from a word.

Feeding these dice to the naive game plays each trial of the kernel a second time, die by die.
"""

from __future__ import annotations

import hashlib

MASK = 0xFFFFFFFF


def philox(counter: list[int], key: list[int]) -> list[int]:
    """Ten rounds of Philox4x32 (Salmon et al. 2011), in unbounded integers."""
    c, k = list(counter), list(key)
    for _ in range(10):
        first, second = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(second >> 32) ^ c[1] ^ k[0], second & MASK, (first >> 32) ^ c[3] ^ k[1], first & MASK]
        k = [(k[0] + 0x9E3779B9) & MASK, (k[1] + 0xBB67AE85) & MASK]
    return c


def key(version: int, seed: int, fingerprint: str) -> list[int]:
    """The two key words of a run."""
    digest = hashlib.sha256(f"{version}:{seed}:{fingerprint}".encode()).digest()
    return [int.from_bytes(digest[:4], "little"), int.from_bytes(digest[4:8], "little")]


class Dice:
    """The dice of one trial; stands in for ``random.Random`` in the naive game."""

    def __init__(self, key: list[int], trial: int, block_size: int = 65_536) -> None:
        block, place = divmod(trial, block_size)
        self.key, self.counter = key, [0, place, block & MASK, block >> 32]
        self.words: list[int] = []
        self.dice: list[int] = []

    def randint(self, low: int, high: int) -> int:
        """The next die."""
        assert (low, high) == (1, 6)
        while not self.dice:
            if not self.words:
                self.words = philox(self.counter, self.key)
                self.counter[0] += 1
            scaled = self.words.pop(0) * 6**10
            if scaled & MASK >= 2**32 % 6**10:  # else some dice would be favoured
                value = scaled >> 32
                for _ in range(10):
                    value, die = divmod(value, 6)
                    self.dice.append(die + 1)
        return self.dice.pop(0)
