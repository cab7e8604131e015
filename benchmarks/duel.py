"""How fast duels are: one beside a plain implementation in Fractions, rolled ones, and fifty models against fifty."""

from __future__ import annotations

import time
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from benchmarks.machine import interleaved

#: +1 DICE against armour -2; +1 DICE, +1 injury die, and TOUGH; six rounds, nothing spent.
QUESTION: dict[str, Any] = {
    "a": {"target": {"injury_modifier": -2}, "attacks": [{"action_dice": 1}]},
    "b": {"target": {"tough": True}, "attacks": [{"action_dice": 1, "injury_dice": 1}]},
}
#: Models and rounds of the matrix.
MODELS, ROUNDS = 50, 6
WEAPONS = ("Sword / Axe", "Greatsword / Greataxe", "Trench Club", "Knife / Dagger")


@cache
def _pool(net: int) -> dict[int, Fraction]:
    """The chance of each total of the two dice that count."""
    found: dict[int, Fraction] = {}
    for dice in product(range(1, 7), repeat=2 + abs(net)):
        ordered = sorted(dice, reverse=net >= 0)
        total = ordered[0] + ordered[1]
        found[total] = found.get(total, Fraction(0)) + Fraction(1, 6 ** len(dice))
    return found


def plain() -> tuple[Fraction, Fraction]:
    """The question in the most obvious way: a tree of states with Fractions, remembered."""
    injury, modifier, tough = (0, 1), (0, -2), (True, False)

    @cache
    def attack(side: int, mine_down: bool, state: tuple[bool, int, bool]) -> dict[Any, Fraction]:
        down, blood, has_tough = state
        found: dict[Any, Fraction] = {}
        for total, chance in _pool(1 - mine_down).items():
            if total < 7:
                found[state] = found.get(state, Fraction(0)) + chance
                continue
            dice = injury[side] + down + (total == 12)
            for sum_, part in _pool(dice).items():
                value = sum_ + modifier[side]
                if value <= 1:
                    after: Any = state
                elif value <= 6:
                    after = (down, min(6, blood + 1), has_tough)
                elif value <= 8 or has_tough:
                    after = (True, min(6, blood + 1 + down), has_tough and value <= 8)
                else:
                    after = None
                found[after] = found.get(after, Fraction(0)) + chance * part
        return found

    @cache
    def play(left: int, turn: int, a: Any, b: Any) -> tuple[Fraction, Fraction]:
        if left == 0:
            return Fraction(0), Fraction(0)
        if turn == 0:
            a, b = (False, *a[1:]), (False, *b[1:])
        states = [a, b]
        wins = [Fraction(0), Fraction(0)]
        # modifiers and injury dice are those of an attack on the other
        for after, chance in attack(turn, states[turn][0], states[1 - turn]).items():
            if after is None:
                wins[turn] += chance
                continue
            now = [*states]
            now[1 - turn] = after
            then = play(left - turn, 1 - turn, now[0], now[1])
            wins = [wins[0] + chance * then[0], wins[1] + chance * then[1]]
        return wins[0], wins[1]

    return play(6, 0, (False, 0, tough[1]), (False, 0, tough[0]))


def with_tcsim() -> tuple[float, float]:
    """The question through the public API."""
    import tcsim

    result = tcsim.duel(QUESTION)
    return result.a_wins, result.b_wins


def matrix() -> tuple[float, float]:
    """Seconds for fifty models against fifty, every pair another duel, in one process: by the clock, of a processor."""
    from tcsim.catalog import catalog
    from tcsim.duels.answer import answer_duel, resolved_duel

    units = [unit for unit in catalog("1.6.3").units if unit.melee_dice is not None][:MODELS]
    fighters = [
        {"unit": unit.id, "attacks": [{"weapon": WEAPONS[number % len(WEAPONS)]}]} for number, unit in enumerate(units)
    ]
    begun, worked = time.perf_counter(), time.process_time()
    for a in fighters:
        for b in reversed(fighters):
            answer_duel(resolved_duel({"rounds": ROUNDS, "a": a, "b": b}))
    return time.perf_counter() - begun, time.process_time() - worked


def rolled(trials: int = 2_000_000) -> float:
    """Duels a second, rolled die by die, on every processor."""
    import tcsim

    tcsim.simulate_duel(QUESTION, trials=1000)
    begun = time.perf_counter()
    tcsim.simulate_duel(QUESTION, trials=trials)
    return trials / (time.perf_counter() - begun)


def run() -> dict[str, Any]:
    """Measure, and give the figures."""
    if max(abs(float(a) - b) for a, b in zip(plain(), with_tcsim(), strict=True)) > 1e-12:
        raise ValueError("the plain way answers another question than tcsim, so their times do not compare")

    def plain_anew() -> None:
        _pool.cache_clear()
        plain()

    clock, worked = matrix()
    times = interleaved({"one duel with tcsim": with_tcsim, "one duel with Fractions": plain_anew})
    return {
        "times_ms": {name: round(1000 * seconds, 3) for name, seconds in times.items()},
        "Fractions / tcsim": round(times["one duel with Fractions"] / times["one duel with tcsim"], 1),
        f"{MODELS} x {MODELS} duels, one process, seconds": round(clock, 1),
        f"{MODELS} x {MODELS} duels, seconds of processor time": round(worked, 1),
        "rolled duels per second": round(rolled()),
    }
