"""A firefight, and a whole turn or game, each as one question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.questions.kinds import Whole, Word
from tcsim.questions.question import Answer, Asked, Exact, Input, Question, family, once
from tcsim.questions.shares import Share, counted, worked_out
from tcsim.questions.tables import TablesFile, edition_named, laid_over, with_table
from tcsim.situations.fight import CATALOG, OPTIONS
from tcsim.skirmish import firefight, turn
from tcsim.skirmish.arena import SIDES, Arena
from tcsim.skirmish.course import DESTROYED, FLED, TESTED, Course
from tcsim.skirmish.exact_game import MAX_JOINT, joint_size, solve_game
from tcsim.skirmish.field import Field
from tcsim.skirmish.joint import Joint, Plan
from tcsim.skirmish.outcome import Dice as Rolling
from tcsim.skirmish.outcome import Outcome, told_size

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

_FOCUS, _SPREAD = mark("the first one left, in order"), mark("each its own, evenly")
_GREEDY, _OPTIMAL = mark("the best for each activation"), mark("the best for the whole turn")
_FLOAT64 = mark("as they add up many ways")


def _whole(rolled: Outcome | Course) -> None:
    if rolled.partial:  # Ctrl-C: the trials of this chunk are not all there
        raise KeyboardInterrupt


# --- a firefight ----------------------------------------------------------------------------------------------

FIGHT_FILE = Input(
    "file",
    TablesFile("tcsim.skirmish", "data/firefight.toml"),
    mark("A firefight, as for tcsim firefight"),
    required=True,
)


class _Fight(NamedTuple):
    field: Field
    joint: Joint
    plan: Plan | None

    @property
    def targeting(self) -> str:
        return self.field.fight.targeting

    @property
    def is_planned(self) -> bool:
        return self.targeting in ("greedy", "optimal")


@once
def _fight(asked: Asked) -> _Fight:
    field = firefight.ready_firefight(laid_over(asked), asked["targeting"], asked["goal"], asked["catalog"])
    joint, targeting = Joint(field), field.fight.targeting
    if not joint.is_small:
        if targeting == "optimal":
            raise InputError(f"{firefight.crowded(field, joint)}; focus, spread or greedy is allowed", "targeting")
        return _Fight(field, joint, None)
    return _Fight(field, joint, firefight.plan_of(field, joint, targeting, field.fight.goal))


def _fight_shares(outcome: Outcome) -> dict[str, Share]:
    out, down = ([float(p) for p in pmf] for pmf in (outcome.out_pmf, outcome.down_pmf))
    return {
        "expected_out": out,
        "expected_down": down,
        "morale_test": outcome.needed,
        "morale_failed": outcome.failed,
        **family("out", dict(enumerate(out))),
        **family("down", dict(enumerate(down))),
        **family("target_out", {number: float(p) for number, p in enumerate(outcome.out, 1)}),
    }


def _fight_exact(asked: Asked) -> Exact:
    field, joint, plan = fight = _fight(asked)
    if fight.is_planned and plan is None:
        raise InputError(
            f"{firefight.crowded(field, joint)}; roll it, or take focus or spread, which are exact", "targeting"
        )
    return worked_out(_fight_shares(firefight.worked_out(field, joint, fight.targeting, plan)))


def _fight_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    field, _, plan = fight = _fight(asked)
    outcome = firefight.rolled_out(field, fight.targeting, field.fight.goal, plan, Rolling(trials, dice.seed()))
    _whole(outcome)
    return counted(_fight_shares(outcome), trials)


def _targets(asked: Asked) -> dict[str, str]:
    return {str(number): name for number, name in enumerate(_fight(asked).field.names, 1)}


FIREFIGHT = Question(
    name="firefight",
    inputs=(
        FIGHT_FILE,
        Input(
            "targeting",
            Word({"focus": _FOCUS, "spread": _SPREAD, "greedy": _GREEDY, "optimal": _OPTIMAL}),
            mark("How targets are chosen, in place of the file's"),
        ),
        Input(
            "goal",
            Word(
                {
                    "out": mark("most out of action"),
                    "morale": mark("a morale test"),
                    "flight": mark("a failed morale test"),
                }
            ),
            mark("What greedy and optimal are for, in place of the file's"),
        ),
        OPTIONS,
        CATALOG,
    ),
    answers=(
        Answer("expected_out", mark("targets out of action, on average"), mark("models")),
        Answer("expected_down", mark("targets Down, on average"), mark("models")),
        Answer("morale_test", mark("the targets' warband has to test its morale")),
        Answer("morale_failed", mark("it tests, and fails: flight, Shaken or rout")),
        Answer("out", mark("so many targets are out of action"), family=True),
        Answer("down", mark("so many targets are Down"), family=True),
        Answer("target_out", mark("this target is out of action"), family=True, labels=_targets),
    ),
    exact=_fight_exact,
    simulate=_fight_rolled,
    check=_fight,
    notes=lambda asked: tuple(_fight(asked).field.notes),
    rule=mark(
        "Attackers are activated in order, and each activation has one target; every attack is that of a scenario. "
        "At the end the targets' warband tests its morale if half of it or more is Down or out of action."
    ),
    source={"1.6.3": "source text: Morale; json: LEADER", "1.0.2": "book: Morale Phase, LEADER"},
    examples=("file=example", "file=example targeting=spread", "file=example targeting=greedy goal=morale"),
    float64=_FLOAT64,
    edition_named=edition_named(FIGHT_FILE),
)


# --- a turn, or a game ----------------------------------------------------------------------------------------

GAME_FILE = Input(
    "file",
    TablesFile("tcsim.skirmish", "data/turn.toml"),
    mark("A game of two warbands, a and b, as for tcsim turn"),
    required=True,
)


@once
def _arena(asked: Asked) -> Arena:
    rules = {name: asked[name] for name in ("first", "stand", "failure", "smaller")}
    game = with_table(laid_over(asked), "rules", rules)
    return turn.ready_game(game, asked["turns"], asked["targeting"], asked["catalog"])


def _game_shares(arena: Arena, course: Course) -> dict[str, Share]:
    shares: dict[str, Share] = {}
    families: dict[str, Share] = {}
    for side, name in zip(SIDES, "ab", strict=True):
        events = course.events[:, side]
        out = [float(p) for p in course.gone[-1, side, : len(arena.tables[side]) + 1]]
        shares |= {
            f"{name}_wins": float(course.wins[-1, side]),
            f"{name}_flees": min(float(events[:, FLED].sum()), 1.0),
            f"{name}_destroyed": min(float(events[:, DESTROYED].sum()), 1.0),
            f"{name}_expected_out": out,
        }
        families |= family(f"{name}_wins_by", dict(enumerate(map(float, course.wins[:, side]), 1)))
        families |= family(f"{name}_tests", dict(enumerate(map(float, events[:, TESTED]), 1)))
        families |= family(f"{name}_out", dict(enumerate(out)))
    return shares | {"neither": max(0.0, 1 - float(course.over[-1]))} | families


def _game_exact(asked: Asked) -> Exact:
    arena = _arena(asked)
    joint = joint_size(arena)
    if joint > MAX_JOINT:
        raise InputError(
            f"there are {told_size(joint)} joint conditions, at most {MAX_JOINT:,} are worked out; roll it", "file"
        )
    return worked_out(_game_shares(arena, solve_game(arena)))


def _game_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    from tcsim.skirmish.rolled_game import roll_game

    arena = _arena(asked)
    course = roll_game(arena, Rolling(trials, dice.seed()))
    _whole(course)
    return counted(_game_shares(arena, course), trials)


TURN = Question(
    name="turn",
    inputs=(
        GAME_FILE,
        Input("turns", Whole(1, 100), mark("Turns at most, in place of the file's; 1 for a single turn")),
        Input(
            "targeting",
            Word({"focus": _FOCUS, "spread": _SPREAD, "greedy": _GREEDY}),
            mark("How both sides choose targets, in place of the file's"),
        ),
        Input(
            "first",
            Word({"initiative": mark("fewer models"), "a": "", "b": ""}),
            mark("Who begins a turn, in place of the file's"),
        ),
        Input(
            "stand",
            Word({"turn": mark("as the turn begins"), "activation": mark("as they are activated")}),
            mark("When Down models stand, in place of the file's"),
        ),
        Input(
            "failure",
            Word({"flight": mark("the warband flees, the game ends"), "shaken": mark("it is Shaken, then routs")}),
            mark("What a failed morale test does, in place of the file's"),
        ),
        Input(
            "smaller",
            Word({"began": mark("which began with fewer models"), "left": mark("which has fewer models left")}),
            mark("Which side tests its morale first, in place of the file's"),
        ),
        OPTIONS,
        CATALOG,
    ),
    answers=(
        Answer("a_wins", mark("a has won: b fled or is destroyed")),
        Answer("b_wins", mark("b has won: a fled or is destroyed")),
        Answer("neither", mark("neither has won after the last turn")),
        Answer("a_flees", mark("a flees or routs")),
        Answer("b_flees", mark("b flees or routs")),
        Answer("a_destroyed", mark("all of a are out of action")),
        Answer("b_destroyed", mark("all of b are out of action")),
        Answer("a_expected_out", mark("models of a out of action, on average"), mark("models")),
        Answer("b_expected_out", mark("models of b out of action, on average"), mark("models")),
        Answer("a_wins_by", mark("a has won by the end of turn"), family=True),
        Answer("b_wins_by", mark("b has won by the end of turn"), family=True),
        Answer("a_tests", mark("a tests its morale at the end of turn"), family=True),
        Answer("b_tests", mark("b tests its morale at the end of turn"), family=True),
        Answer("a_out", mark("so many of a are out of action in the end"), family=True),
        Answer("b_out", mark("so many of b are out of action in the end"), family=True),
    ),
    exact=_game_exact,
    simulate=_game_rolled,
    check=_arena,
    notes=lambda asked: tuple(_arena(asked).notes),
    rule={
        "1.6.3": mark(
            "Activations alternate, Down models stand as the next turn begins. At the end of a turn a side with half "
            "its models or more Down or out of action tests its morale, the smaller one first; a failure is flight, "
            "and the game ends."
        ),
        "1.0.2": mark(
            "Activations alternate, Down models stand as they are activated. At the end of a turn a side with half its "
            "models or more Down or out of action tests its morale; a failure is Shaken, a second one a rout."
        ),
    },
    source={
        "1.6.3": "source text: Down, Morale; json: Initiative, LEADER",
        "1.0.2": "book: Activation Phase, Morale Phase",
    },
    examples=("file=example", "file=example turns=1", "file=example turns=2 targeting=spread failure=shaken"),
    float64=_FLOAT64,
    edition_named=edition_named(GAME_FILE),
)

QUESTIONS = (FIREFIGHT, TURN)
