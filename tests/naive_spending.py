"""Spending in the most obvious manner, for the tests only: goals, rows of one's own, and every policy there is.

It shares no code with the package; pools, results and legal choices are those of :mod:`naive`. What a final state is
worth is a function of it (``naive.OUT`` or a tuple). `best_value` tries every plan for every pattern of hits and
recurs; `value_of_rows` follows rows; `best_of_every_policy` writes down every policy, one by one, and plays each to its
end.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from naive import OUT, Attack, Attacker, Game, Spending, Target, as_final, shots_to_hit, wounds

Worth = Callable[[Any], Fraction]
#: Chooses what the hits of a volley get: (attacks left, attack, hits, target) to one Spending a hit.
Chooser = Callable[[int, Attack, tuple[bool, ...], Target], tuple[Spending, ...]]


def p_out(final: Any) -> Fraction:
    return Fraction(final == OUT)


def down_or_out(final: Any) -> Fraction:
    return Fraction(final == OUT or bool(final[0]))


def blood_in_the_end(final: Any) -> Fraction:
    return Fraction(6 if final == OUT else final[1])


class Play:
    """Walks the tree of a scenario; ``plans`` gives the plans that are weighed, the best of which is taken."""

    def __init__(self, scenario: Mapping[str, Any], worth: Worth, last_attack: int | None = None) -> None:
        spend = {name: value for name, value in scenario["spend"].items() if name not in ("policy", "goal")}
        self.game, self.worth, self.last = Game({**scenario, "spend": spend}), worth, last_attack
        self.moves: list[tuple[int, int]] = []  # step and shots of every attack, in order
        for number, step in enumerate(self.game.steps):
            if not isinstance(step, str):
                volleys = [step.shots] if self.game.together(step) else [1] * step.shots
                self.moves += [(number, shots) for shots in volleys]
        self.seen: dict[Any, Fraction] = {}

    def plans(self, move: int, attack: Attack, hits: tuple[bool, ...], target: Target) -> Iterator[Any]:
        del move, attack
        yield from self.game.all_plans(self.game.blessings_per_hit(hits, target), target.blood, target.down)

    def value(self) -> Fraction:
        return self.from_move(0, 0, self.game.attacker, self.game.target)

    def from_move(self, step: int, move: int, attacker: Attacker, target: Target) -> Fraction:
        """What is expected from a step on, of which attack ``move`` of all is the next."""
        key = (step, move, attacker, target)
        if key not in self.seen:
            self.seen[key] = self.onwards(step, move, attacker, target)
        return self.seen[key]

    def onwards(self, step: int, move: int, attacker: Attacker, target: Target) -> Fraction:
        game = self.game
        if step == len(game.steps):
            return self.worth(as_final(target))
        attack = game.steps[step]
        if isinstance(attack, str):
            stands = attack == "stand"
            return self.from_move(step + 1, move, attacker, target._replace(down=target.down and not stands))
        total = Fraction(0)
        for (hits, missed, left), chance in shots_to_hit(
            game, attack, self.moves[move][1], attacker, target.down
        ).items():
            if attack.risky and missed:
                goes_to = game.next_activation(step)
                next_move = next((i for i, (at, _) in enumerate(self.moves) if at >= goes_to), len(self.moves))
            else:
                next_move = move + 1
                same = next_move < len(self.moves) and self.moves[next_move][0] == step
                goes_to = step if same else step + 1
            total += chance * max(
                self.after_plan(attack, hits, plan, (goes_to, move, next_move), left, target)
                for plan in self.plans(move, attack, hits, target)
            )
        return total

    def after_plan(
        self, attack: Attack, hits: Any, plan: Any, where: tuple[int, int, int], attacker: Attacker, target: Target
    ) -> Fraction:
        step, move, next_move = where
        total = Fraction(0)
        for state, chance in wounds(self.game, attack, hits, plan, target).items():
            if state is None:
                too_late = self.last is not None and move + 1 > self.last
                total += Fraction(0) if too_late else chance * self.worth(OUT)
            else:
                total += chance * self.from_move(step, next_move, attacker, state)
        return total


def best_value(scenario: Mapping[str, Any], worth: Worth = p_out, last_attack: int | None = None) -> Fraction:
    """The best that spending can do; ``last_attack``: out of action counts up to that attack."""
    return Play(scenario, worth, last_attack).value()


class Following(Play):
    """Follows rows: conditions as pairs of least and most."""

    def __init__(self, scenario: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], worth: Worth) -> None:
        super().__init__(scenario, worth)
        self.rows = rows

    def plans(self, move: int, attack: Attack, hits: tuple[bool, ...], target: Target) -> Iterator[Any]:
        del attack
        together = self.moves[move][1] > 1
        state = {
            "attacks_left": len(self.moves) - move,
            "down": target.down,
            "tough": target.tough,
            "blessing": target.blessing,
        }
        if together:
            state |= {"plain_hits": hits.count(False), "critical_hits": hits.count(True)}
        yield self.plan(hits, target, state, together)

    def plan(self, hits: Any, target: Target, state: dict[str, Any], together: bool) -> tuple[Spending, ...]:
        blessings = self.game.blessings_per_hit(hits, target)
        order = sorted(range(len(hits)), key=lambda i: (not hits[i], i))  # critical hits first
        given = dict.fromkeys(order, (0, False))
        blood = target.blood
        for number, hit in enumerate(order):
            here = {**state, "blood": blood, "critical": hits[hit]}
            row = next((row for row in self.rows if self.matches(row, here, together and number == 0)), None)
            if row is None:
                continue
            if "on_plain" in row or "on_critical" in row:
                for kind, name in ((False, "on_plain"), (True, "on_critical")):
                    own = [i for i in range(len(hits)) if hits[i] == kind]
                    given |= dict(zip(own, row.get(name, ()), strict=False))
                break
            bath = row.get("bloodbath", False)
            cost = (3 if target.down else 6) * bath
            dice = row.get("dice", 0)
            dice = blood - cost if dice == "all" else dice
            given[hit] = (dice, bath)
            blood -= dice + cost
        full = 3 if target.down else 6
        return tuple(
            Spending(blessings[i], given[i][0], given[i][1], given[i][0] + full * given[i][1]) for i in range(len(hits))
        )

    @staticmethod
    def matches(row: Mapping[str, Any], state: Mapping[str, Any], first_of_volley: bool) -> bool:
        joint = "on_plain" in row or "on_critical" in row
        if joint and not first_of_volley:
            return False
        for name, wanted in row.items():
            if name in ("dice", "bloodbath", "on_plain", "on_critical"):
                continue
            if name not in state:
                return False
            low, high = wanted if isinstance(wanted, tuple) else (wanted, wanted)
            if not low <= state[name] <= high:
                return False
        return True


def value_of_rows(scenario: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], worth: Worth = p_out) -> Fraction:
    """What following rows comes to; conditions are values, or pairs of least and most."""
    return Following(scenario, rows, worth).value()


class _Fixed(Play):
    """Plays one policy, written down as a choice for each decision it is asked for."""

    def __init__(self, scenario: Mapping[str, Any], policy: dict[Any, Any]) -> None:
        super().__init__(scenario, p_out)
        self.policy, self.asked = policy, {}

    def plans(self, move: int, attack: Attack, hits: tuple[bool, ...], target: Target) -> Iterator[Any]:
        key = (move, hits, target)
        if key not in self.asked:
            self.asked[key] = list(super().plans(move, attack, hits, target))
        yield self.policy.get(key, self.asked[key][0])


def best_of_every_policy(scenario: Mapping[str, Any]) -> tuple[Fraction, int]:
    """The largest P(out) of all policies, and how many there are; every decision that any of them meets is free."""
    decisions: dict[Any, list[Any]] = {}
    todo: list[dict[Any, Any]] = [{}]
    while todo:  # find every decision that some policy meets
        play = _Fixed(scenario, todo.pop())
        play.value()
        for key, choices in play.asked.items():
            if key not in decisions:
                decisions[key] = choices
                todo += [{key: choice} for choice in choices]
                for other, others in list(decisions.items()):
                    todo += [{key: a, other: b} for a in choices for b in others if other != key]
    best, count = Fraction(0), 0
    for picked in itertools.product(*decisions.values()):
        best = max(best, _Fixed(scenario, dict(zip(decisions, picked, strict=True))).value())
        count += 1
    return best, count
