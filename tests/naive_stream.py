"""The kernel's stream of dice, written again in plain Python, and the tape of a trial read back as dice.

A trial's dice come from the lane it stands in: row after row of 16-bit words, three dice a word. A lane whose word
would favour some dice gets a spare word of the block, and so do lanes that go on rolling when they are few. The tape
says which rows a trial took dice from, so each die can be found again here; fed to the naive game, the dice play the
trial once more.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

MASK = 0xFFFFFFFF
POOL, END = 1 << 41, 1 << 42
LANES = 1_024
#: So few lanes that go on rolling get spare words.
FEW = 96


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


def word(key: list[int], block: int, row: int, chunk: int, lane: int) -> int:
    """The 16-bit word of a lane in a row: each call of Philox serves four places, far apart."""
    quarter, place = divmod(lane // 4, LANES // 16)
    call = place + LANES // 16 * (lane // 2 % 2)
    words = philox([call + (chunk << 16), row, block & MASK, block >> 32], key)
    return (words[quarter] >> (16 * (lane % 2))) & 0xFFFF


def row_of_words(key: list[int], block: int, row: int, chunk: int) -> list[int]:
    """The words of all lanes of a chunk."""
    return [word(key, block, row, chunk, lane) for lane in range(LANES)]


def spare_words(key: list[int], block: int) -> Iterator[int]:
    """The words that a block has to give to lanes with an unfair one, in the order in which they are given."""
    for number in count():
        yield word(key, block, number // LANES, 1 << 14, number % LANES)


def is_unfair(word: int, dice: int) -> bool:
    """Whether a word would favour some values of so many dice."""
    return word * 6**dice % 2**16 < 2**16 % 6**dice


def dice_of_word(word: int, number: int) -> list[int]:
    """The dice, 0 to 5, of a word."""
    dice = []
    for _ in range(number):
        die, word = divmod(word * 6, 2**16)
        dice.append(die)
    return dice


@dataclass
class Pool:
    """A pool as the tape tells it: where it was rolled, what was spent, and its dice (1 to 6)."""

    move: int
    shot: int
    kind: int
    spent: int
    lowest: bool
    dice: list[int]
    rows: list[tuple[int, int]]


def read_tape(entries: list[int]) -> tuple[list[Pool], int]:
    """The pools of a trial, and the entry that tells its final state."""
    pools: list[Pool] = []
    for entry in entries[:-1]:
        if entry & POOL:
            number = (entry ^ POOL) >> 8 >> 6  # 64 rows a pool; 64 pools a move: 20 shots of a kind, then of the next
            place = (number // 64, number % 64 % 20, number % 64 // 20)
            pools.append(Pool(*place, (entry >> 1) & 15, bool(entry & 1), [], []))
        else:
            die = entry & 255
            pools[-1].dice.append(6 - die if pools[-1].lowest else die + 1)
            pools[-1].rows.append((entry >> 8, die))
    assert entries[-1] & END
    return pools, entries[-1]


class Dice:
    """The dice of one trial; stands in for ``random.Random`` in the naive game.

    The kernel rolls no further in a volley once the target is out of action; there the naive game, which rolls all
    injuries before it looks at any, gets ones.
    """

    def __init__(self, pools: list[Pool], out: bool) -> None:
        self.dice = [die for pool in pools for die in pool.dice]
        self.out = out

    def randint(self, low: int, high: int) -> int:
        """The next die."""
        assert (low, high) == (1, 6)
        return 1 if self.out and not self.dice else self.dice.pop(0)
