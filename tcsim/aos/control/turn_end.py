"""The end of a turn: abilities, then control, then victory points; and these over turns and rounds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.aos.common import D3, Amount
from tcsim.aos.control.check import (
    CONTROL,
    OF_CHECK,
    OWNER,
    PLACE,
    SIDE_INPUTS,
    SIDES,
    Side,
    after,
    check_sides,
    held_rolled,
    judged,
    judged_rolled,
    score_rolled,
    side,
)
from tcsim.aos.control.inputs import body_inputs
from tcsim.aos.editions import FOURTH
from tcsim.aos.fights.sequence import through
from tcsim.aos.spread import Spread
from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.dice import Pool
from tcsim.questions.kinds import Flag, Several, Whole, Word
from tcsim.questions.question import Answer, Asked, Input, Question, family

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: The unit of each player: damage on its first model, its ward, and Power Through, by what the inputs are called.
_OF = {
    "A": {"ward": "A_ward", "health": "A_health", "wounded": "A_wounded", "power": "power_through", "deals": "A_deals"},
    "B": {"ward": "ward", "health": "health", "wounded": "wounded", "power": "B_power_through", "deals": "B_deals"},
}


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit at the end of a turn, and what its player's abilities deal.

    Parameters
    ----------
    side : Side
        What contests.
    health, wounded, ward : int
        Health of each model, damage on the first one, ward (7 for none).
    deals : tuple of int or Pool
        Mortal damage of each ability at the other unit.
    """

    side: Side
    health: int
    wounded: int
    ward: int
    deals: tuple[int | Pool, ...]

    @property
    def models(self) -> int:
        """How many models it has."""
        return len(self.side.controls)

    @property
    def lethal(self) -> int:
        """The damage that destroys it."""
        return self.models * self.health - self.wounded

    def damage(self, other: Unit) -> Spread:
        """Give what the other player's abilities deal to it, after its ward.

        Parameters
        ----------
        other : Unit
            Whose abilities.

        Returns
        -------
        Spread
            The damage.
        """
        total = Spread.fixed(0)
        for amount in other.deals:
            total = total.then(through(amount, self.ward))
        return total

    def slain(self, points: int) -> int:
        """Give how many of its models damage removes.

        Parameters
        ----------
        points : int
            The damage.

        Returns
        -------
        int
            At most as many as it has.
        """
        return min((self.wounded + points) // self.health, self.models)

    def score(self, points: int) -> int:
        """Give its army's score after damage.

        Parameters
        ----------
        points : int
            The damage.

        Returns
        -------
        int
            The score.
        """
        return self.side.score(self.side.after_slain(self.slain(points)))


def _units(asked: Asked) -> tuple[Unit, Unit]:
    a, b = (_unit(asked, name) for name in SIDES)
    return a, b


def _unit(asked: Asked, name: str) -> Unit:
    of = _OF[name]
    deals = ((D3,) if asked[of["power"]] else ()) + tuple(asked[of["deals"]] or ())
    return Unit(side(asked, name), asked[of["health"]], asked[of["wounded"]], asked[of["ward"]], deals)


def _ways(asked: Asked) -> list[tuple[Fraction, Spread, Spread]]:
    """Chance, damage to A and damage to B, which do not depend on each other within each."""
    a, b = _units(asked)
    to_a, to_b = a.damage(b), b.damage(a)
    if asked["users"] == "elsewhere":
        return [(Fraction(1), to_a, to_b)]
    late, dealt = (b, to_b) if asked["active"] == "a" else (a, to_a)
    if not late.side.controls or not late.deals:
        return [(Fraction(1), to_a, to_b)]
    gone, none = dealt.at_least(late.lethal), Spread.fixed(0)
    ways = []
    if gone:  # it is destroyed before it can use its abilities
        rest = Spread((0,) * late.lethal + dealt.ways[late.lethal :], sum(dealt.ways[late.lethal :]))
        ways.append((gone, none, rest) if late is b else (gone, rest, none))
    if gone < 1:
        rest = Spread(dealt.ways[: late.lethal], sum(dealt.ways[: late.lethal]))
        ways.append((1 - gone, to_a, rest) if late is b else (1 - gone, rest, to_b))
    return ways


def _counts(a: Unit, b: Unit) -> dict[str, range]:
    """Numbers of models that each may lose."""
    dealt = {"a": (a, a.damage(b)), "b": (b, b.damage(a))}
    return {name: range(1 + unit.slain(len(damage.ways) - 1)) for name, (unit, damage) in dealt.items()}


def _exact(asked: Asked) -> dict[str, Fraction]:
    (a, b), owner, sticky = _units(asked), CONTROL[asked["owner"]], asked["place"] == "objective"
    total: dict[str, Fraction] = {}
    counts = _counts(a, b)
    for chance, to_a, to_b in _ways(asked):
        found = judged(to_a.mapped(a.score), to_b.mapped(b.score), owner, sticky)
        for unit, damage, name in ((a, to_a, "a"), (b, to_b, "b")):
            if struck(asked, name.upper()):
                slain = damage.mapped(unit.slain)
                found |= {f"lost_{name}": slain.mean(), f"destroyed_{name}": damage.at_least(unit.lethal)}
                chances = dict(enumerate(slain.pmf()))
                found |= family(f"slain_{name}", {n: chances.get(n, Fraction(0)) for n in counts[name]})
        for key, value in found.items():
            total[key] = total.get(key, Fraction(0)) + chance * value
    before = after(a.score(0), b.score(0), owner, sticky)
    total |= {"without": Fraction(before == 1), "vp": asked["vp"] * total[f"{asked['active']}_controls"]}
    return total


def struck(asked: Asked, name: str) -> bool:
    """Say whether abilities deal damage to a player's unit.

    Parameters
    ----------
    asked : Asked
        What is asked of the end of a turn.
    name : str
        ``A`` or ``B``.

    Returns
    -------
    bool
        Whether the other player has any.
    """
    of = _OF["B" if name == "A" else "A"]
    return bool(asked[of["power"]] or asked[of["deals"]])


def _simulate(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    from tcsim.aos.fights.rolled import amount, warded

    units = dict(zip("ab", _units(asked), strict=True))
    alive = {name: np.ones(trials, bool) for name in units}
    kept, lost = ({name: np.zeros(trials, np.int64) for name in units} for _ in range(2))
    first = asked["active"]
    for name in (first, "b" if first == "a" else "a"):
        other = "b" if name == "a" else "a"
        target, points = units[other], np.zeros(trials, np.int64)
        for one in units[name].deals:
            points += amount(one, dice, trials)
        points = warded(np.where(alive[name], points, 0), target.ward, dice)
        lost[other] = np.minimum((points + target.wounded) // target.health, len(target.side.controls))
        if asked["users"] == "here" and target.side.controls:
            alive[other] = lost[other] < len(target.side.controls)
    for name, unit in units.items():
        controls = sorted(unit.side.controls)
        kept[name] = np.array([sum(controls[n:]) for n in range(len(controls) + 1)])[lost[name]]
    a, b = (score_rolled(unit.side, kept[name]) for name, unit in units.items())
    owner, sticky = CONTROL[asked["owner"]], asked["place"] == "objective"
    found = judged_rolled(a, b, owner, sticky)
    counts = _counts(*units.values())
    for name, unit in units.items():
        if struck(asked, name.upper()):
            found |= {f"lost_{name}": lost[name], f"destroyed_{name}": lost[name] == len(unit.side.controls)}
            found |= family(f"slain_{name}", {n: lost[name] == n for n in counts[name]})
    whole_a, whole_b = (score_rolled(unit.side, np.full(trials, sum(unit.side.controls))) for unit in units.values())
    found["without"] = held_rolled(whole_a, whole_b, owner, sticky) == 1
    return found | {"vp": asked["vp"] * found[f"{first}_controls"]}


def _check(asked: Asked) -> None:
    check_sides(asked)
    if not any(asked[name] is not None for name in ("A", "A_models", "B", "B_models")):
        raise InputError("A, B, A_models or B_models is needed: who contests")
    for name, unit in zip(SIDES, _units(asked), strict=True):
        of, others = _OF[name], _OF["B" if name == "A" else "A"]
        alone = asked[f"{name}_models"] is None and len(asked[name] or ()) < 2
        if struck(asked, name) and alone:
            raise InputError(f"damage to that unit needs {name}_models, or a list of models as 6x1", name)
        if asked[of["wounded"]] >= unit.health:
            raise InputError(f"damage on a model is less than its Health, {unit.health}", of["wounded"])
        if asked[of["power"]] and asked["users"] == "here" and of["health"] in asked.given:
            lower = asked[others["health"]]
            if lower >= unit.health:
                raise InputError(
                    f"Power Through is illegal: its target needs a lower Health, and {lower} is not lower than "
                    f"{unit.health} (commands, 8.0); users=elsewhere for a unit that is not given here",
                    of["power"],
                )
    if asked["users"] == "here" and asked["power_through"] and asked["B_power_through"]:
        raise InputError(
            "two units cannot both use it on each other: each needs a target of lower Health (commands, 8.0); "
            "users=elsewhere for units that are not given here",
            "B_power_through",
        )


def _notes(asked: Asked) -> tuple[str, ...]:
    notes = []
    if asked["power_through"] or asked["B_power_through"]:
        notes.append(
            mark("Power Through costs a command point, for a unit that charged this turn, in combat with its target.")
        )
        notes.append(mark("The move after Power Through is not counted: say who contests after it."))
    if any(len(set(unit.side.controls)) > 1 for unit in _units(asked)):
        notes.append(mark("Models with the least Control are removed first, as their player would choose."))
    return tuple(notes)


_POWERS = {
    "A": mark("A's unit uses Power Through: D3 mortal damage to B's"),
    "B": mark("B's unit uses Power Through: D3 mortal damage to A's"),
}
_DEALS = {
    "A": mark("Mortal damage of A's other abilities to B's unit, as D3+1"),
    "B": mark("Mortal damage of B's other abilities to A's unit, as D3+1"),
}


def _unit_inputs(name: str) -> tuple[Input, ...]:
    """What is said of a player's unit, and of the player's abilities, at the end of the turn."""
    of = _OF[name]
    return (
        Input(of["power"], Flag(), _POWERS[name], default=False),
        Input(of["deals"], Several(Amount(0, 100), 6), _DEALS[name]),
        *body_inputs(name, of["ward"], of["health"], of["wounded"]),
    )


QUESTIONS = (
    Question(
        name="end_of_turn",
        inputs=(
            *SIDE_INPUTS,
            OWNER,
            Input(
                "active",
                Word({"a": "", "b": ""}),
                mark("The active player, who goes first and alone scores"),
                default="a",
            ),
            *_unit_inputs("A"),
            *_unit_inputs("B"),
            Input(
                "users",
                Word({"here": mark("the units that contest"), "elsewhere": mark("other units")}),
                mark("Who uses the abilities: a unit that is destroyed first uses none"),
                default="here",
                goes_with=("power_through", "B_power_through", "A_deals", "B_deals"),
            ),
            PLACE,
            Input("vp", Whole(0, 20), mark("Victory points of the active player for control"), default=1),
        ),
        answers=(
            *OF_CHECK,
            Answer("without", mark("A controls it without the abilities")),
            Answer("vp", mark("what the active player scores for it"), mark("victory points")),
            Answer("lost_a", mark("models that A's unit loses"), mark("models")),
            Answer("lost_b", mark("models that B's unit loses"), mark("models")),
            Answer("destroyed_a", mark("A's unit is destroyed")),
            Answer("destroyed_b", mark("B's unit is destroyed")),
            Answer("slain_a", mark("A's unit loses so many models"), family=True),
            Answer("slain_b", mark("B's unit loses so many models"), family=True),
        ),
        exact=_exact,
        simulate=_simulate,
        check=_check,
        rule=mark(
            "First the active player's abilities for the end of the turn, then the opponent's; then control of every "
            "objective is judged; then the active player scores. So what Power Through removes (D3 mortal damage to a "
            "unit of lower Health) does not count for control."
        ),
        source="end of turn, 31.0; commands, 8.0; ward: public rules",
        examples=(
            "A=6 B_models=8 owner=B power_through=1",
            "A=6 B_models=8 owner=B power_through=1 ward=5 vp=2",
            "A_models=3 A_health=4 B_models=5 health=2 owner=B active=b A_deals=D3 B_deals=2D6",
        ),
        editions=FOURTH,
        notes=_notes,
    ),
)
