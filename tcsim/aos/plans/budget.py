"""The budget of commands as a question: the best use of command points, for every number of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tcsim.aos.editions import FOURTH
from tcsim.aos.fights.inputs import READINGS, TARGET, WEAPON, WEAPONS, check_weapons, weapons_of
from tcsim.aos.fights.sequence import Readings
from tcsim.aos.plans.answer import UNDERDOG, USUAL
from tcsim.aos.plans.file import read_turn
from tcsim.aos.plans.plan import Commands
from tcsim.aos.plans.search import MOST_POINTS, Search, Use, Value
from tcsim.aos.plans.table import commands
from tcsim.aos.plans.turn import Atom, Event, Goal, Turn, Unit
from tcsim.base.errors import InputError, unknown
from tcsim.base.lang import mark
from tcsim.questions.kinds import Flag, Whole
from tcsim.questions.question import Answer, Asked, Input, Question, family, once
from tcsim.questions.tables import TablesFile, edition_named

if TYPE_CHECKING:
    from tcsim.aos.plans.rolled import Played
    from tcsim.questions.rolling import Dice

#: What a reroll is not needed for: every charge roll reaches it.
_SURE = 2

_FILE = Input(
    "file",
    TablesFile("tcsim.aos.plans", "data/budget.toml"),
    mark("Units, events and goal of a turn or two, in place of the other inputs"),
)


def turn_of(asked: Asked) -> Turn:
    """Make the turn that is asked about.

    Parameters
    ----------
    asked : Asked
        What was asked.

    Returns
    -------
    Turn
        That of the file; or a unit of yours that charges and attacks, or one that is charged and attacked.

    Raises
    ------
    InputError
        When the file is wrong.
    """
    if asked["file"] is not None:
        turn = read_turn(asked["file"].data, asked.edition)
    else:
        turn = _attacked(asked) if asked["lethal"] is not None else _attacks(asked)
    if asked["cp"] is not None:
        turn = replace(turn, points=asked["cp"])
    return replace(turn, without=turn.without | set(asked["without"] or ()))


def _attacks(asked: Asked) -> Turn:
    """A unit of yours charges an enemy, fights it, and may power through it."""
    units = {
        "yours": Unit("yours", True, health=1 + asked["heavier"]),
        "theirs": Unit("theirs", False, asked["save"], asked["ward"]),
    }
    events = (
        Event("yours", "charge", "charge", 0, "yours", "theirs", need=asked["need"] or _SURE),
        Event("yours", "attack", "combat", 0, "yours", "theirs", weapons=weapons_of(asked)),
    )
    goal = Goal((Atom("damage", "theirs", asked["goal"]),))
    return Turn(asked.edition, USUAL, units, events, (goal,), readings=Readings(asked["wound6"], asked["cap"]))


def _attacked(asked: Asked) -> Turn:
    """An enemy charges a unit of yours, and fights it."""
    units = {
        "yours": Unit("yours", True, asked["save"], asked["ward"], models=asked["lethal"]),
        "theirs": Unit("theirs", False),
    }
    charge = Event("theirs", "charge", "enemy_charge", 0, "theirs", "yours", asked["need"] or 0, reroll=asked["reroll"])
    attack = Event("theirs", "attack", "enemy_combat", 0, "theirs", "yours", weapons=weapons_of(asked))
    events = (charge, attack) if asked["need"] is not None else (attack,)
    goal = Goal((Atom("survives", "yours"),))
    return Turn(asked.edition, USUAL, units, events, (goal,), readings=Readings(asked["wound6"], asked["cap"]))


@once
def _search(asked: Asked) -> Search:
    turn = turn_of(asked)
    return Search(turn, range(max(UNDERDOG, turn.points) + 1))


def _wanted(asked: Asked) -> set[Use] | None:
    """The uses of the commands that are to be bought; None for the best way."""
    if asked["spend"] is None:
        return None
    return {use for use in _search(asked).uses() if use.command in asked["spend"]}


def _budget(asked: Asked) -> dict[str, Any]:
    search, wanted = _search(asked), _wanted(asked)
    points = search.turn.points
    found = search.best(points) if wanted is None else search.bought(wanted, points)
    by_points = {number: search.best(number) for number in search.starts}
    return _told(search, found, by_points) | family("uses", search.used(points, wanted))


def _told(search: Search, found: Value | Played, by_points: Mapping[int, Value | Played]) -> dict[str, Any]:
    """Tell of what was found, or played, and of the best way by command points."""
    goals: dict[int, Any] = {number: one.goal for number, one in by_points.items()}
    name, best = ("chance", "best") if search.turn.is_chance else ("vp", "vp_best")
    return {
        name: found.goal,
        "spends": found.spent,
        "underdog": goals[UNDERDOG] - goals[USUAL],
        **family(best, goals),
        **family("spent", {number: one.spent for number, one in by_points.items()}),
        **family("worth", {number: goals[number] - goals[number - 1] for number in goals if number}),
    }


def _budget_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    from tcsim.aos.plans.rolled import played

    search, wanted = _search(asked), _wanted(asked)
    found = played(search, search.turn.points, dice, trials, wanted)
    by_points = {number: played(search, number, dice, trials) for number in search.starts}
    return _told(search, found, by_points) | family("uses", found.uses)


def _check(asked: Asked) -> None:
    quick = [one.name for one in (*WEAPON, WEAPONS, *_SAVES, *_QUICK) if one.name in asked.given]
    if asked["file"] is not None and quick:
        raise InputError("it stands in the file where there is one", quick[0])
    if asked["file"] is None:
        if (asked["goal"] is None) is (asked["lethal"] is None):
            raise InputError("command_budget needs a file, or goal (damage that you want) or lethal (that you fear)")
        check_weapons(asked)
    for name in ("spend", "without"):
        for one in asked[name] or ():
            if one not in commands(asked.edition):
                raise unknown("command", one, commands(asked.edition), name)
    search = _search(asked)
    able = list(dict.fromkeys(use.command for use in search.uses()))
    for one in asked["spend"] or ():
        if one not in able:
            raise InputError(f"{one} cannot be used here; {', '.join(able) or 'no command'} can", "spend")
    cost = sum(commands(asked.edition)[one].cost for one in asked["spend"] or ())
    if cost > search.turn.points:
        raise InputError(f"it costs {cost} command points, there are {search.turn.points}", "spend")


_QUICK = (
    Input("goal", Whole(1, 300), mark("Damage that your unit is to do")),
    Input("lethal", Whole(1, 300), mark("Damage that destroys your unit, which is attacked")),
    Input("need", Whole(2, 30), mark("What the charge before needs; left out: the charge was made")),
    Input(
        "heavier",
        Flag(),
        mark("Whether your unit has more Health than the target, for Power Through"),
        default=True,
        goes_with=("goal",),
    ),
    Input("reroll", Flag(), mark("Whether the enemy may roll a charge again"), default=False, goes_with=("lethal",)),
)

#: Save and ward of who is attacked, and the readings; a file says them itself.
_SAVES = tuple(replace(one, goes_with=("goal", "lethal")) for one in (*TARGET[:2], *READINGS))

_CP = mark("command points")


def _commands(asked: Asked) -> dict[str, str]:
    """What the commands are called, as the source has it in every language."""
    return {id_: one.name for id_, one in commands(asked.edition).items()}


BUDGET = Question(
    name="command_budget",
    inputs=(
        _FILE,
        Input("cp", Whole(0, MOST_POINTS), mark("Command points; left out: 4, or those of the file")),
        Input("spend", Commands(), mark("Commands that are used whenever they may be, and no others")),
        Input("without", Commands(), mark("Commands that are not used")),
        *_QUICK,
        *WEAPON,
        WEAPONS,
        *_SAVES,
    ),
    answers=(
        Answer("chance", mark("the goal is reached with the best use, or that of spend")),
        Answer("vp", mark("victory points with the best use, or that of spend"), mark("victory points")),
        Answer("spends", mark("command points that are spent on it, on average"), _CP),
        Answer("underdog", mark("what it is worth to be the underdog: a fifth command point"), mark("of the goal")),
        Answer("best", mark("the goal is reached with the best use, by command points"), family=True),
        Answer("vp_best", mark("victory points with the best use, by command points"), mark("victory points"), True),
        Answer("spent", mark("what the best use spends on average, by command points"), _CP, True),
        Answer("worth", mark("what each command point adds to the goal"), mark("of the goal"), True),
        Answer("uses", mark("how often each command is used, on average"), mark("times"), True, _commands),
    ),
    exact=_budget,
    simulate=_budget_rolled,
    check=_check,
    editions=FOURTH,
    edition_named=edition_named(_FILE),
    rule=mark(
        "A command is bought when it can be used, knowing all dice so far: Forward to Victory after the charge roll, "
        "All-out Attack and All-out Defence before their attack, Power Through at the end of the turn. A unit uses one "
        "per phase, an army each of them once. The best use is found backwards; of equal ones the one that spends less."
    ),
    source="commands source text, 1.1 to 8.0",
    examples=(
        "goal=5 attacks=10 hit=3 wound=3 rend=1 save=4",
        "lethal=6 need=7 attacks=20 hit=3 wound=3 rend=1 save=4 spend=redeploy+all_out_defence",
        "file=example cp=5",
    ),
)

QUESTIONS = (BUDGET,)
