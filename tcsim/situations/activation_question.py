"""A whole activation as one question."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from tcsim.base.lang import mark
from tcsim.questions.kinds import Flag, Number
from tcsim.questions.question import Answer, Asked, Exact, Input, Question, family, once
from tcsim.questions.shares import Share, counted, worked_out
from tcsim.questions.tables import TablesFile, edition_named, laid_over, with_table
from tcsim.situations.activation import ActivationResult, activation
from tcsim.situations.activation_words import order_in_words, step_in_words
from tcsim.situations.fight import CATALOG, OPTIONS

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

FILE = Input(
    "file",
    TablesFile("tcsim.situations", "activation_example.toml"),
    mark("A scenario with a table [activation], as for tcsim activation"),
    required=True,
)


def _data(asked: Asked) -> dict[str, Any]:
    move = None if asked["move"] is None else float(asked["move"])
    return with_table(
        laid_over(asked), "activation", {"move": move, "in_melee": asked["in_melee"], "shaken": asked["shaken"]}
    )


@once
def _worked_out(asked: Asked) -> ActivationResult:
    return activation(_data(asked), best_order=asked["best_order"], catalog=asked["catalog"])


def _shares(result: ActivationResult) -> dict[str, Share]:
    total = result.trials or 1
    points = list(enumerate(result.points, 1))
    return {
        "out_of_action": result.out_of_action,
        "down": result.down,
        "ended_early": result.ended_early,
        **family("reached", {number: point.reached / total for number, point in points}),
        **family("ends", {number: point.ends / total for number, point in points}),
        **family("down_after", {number: point.down / total for number, point in points}),
        **family("out_after", {number: point.out / total for number, point in points}),
    }


def _exact(asked: Asked) -> Exact:
    result = _worked_out(asked)
    orders = {number: order.out for number, order in enumerate(result.orders, 1)}
    best = {"best": result.orders[0].out} if orders else {}
    return worked_out(_shares(result) | best | family("order", orders))


def _simulate(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    result, data = _worked_out(asked), _data(asked)
    table = data["activation"]

    @cache
    def rolled(places: tuple[int, ...]) -> ActivationResult:
        steps = [table["steps"][place] for place in places]
        ordered = {**data, "activation": {**table, "steps": steps}}
        return activation(ordered, "monte-carlo", trials, dice.seed(), catalog=asked["catalog"])

    shares = _shares(rolled(result.places))
    orders = {number: rolled(order.places).out_of_action for number, order in enumerate(result.orders, 1)}
    best = {"best": orders[1]} if orders else {}
    return counted(shares | best | family("order", orders), trials)


def _steps(asked: Asked) -> dict[str, str]:
    return {str(n): f"{n} {step_in_words(point.step)}" for n, point in enumerate(_worked_out(asked).points, 1)}


def _orders(asked: Asked) -> dict[str, str]:
    return {str(n): order_in_words(order.steps) for n, order in enumerate(_worked_out(asked).orders, 1)}


QUESTIONS = (
    Question(
        name="activation",
        inputs=(
            FILE,
            Input("move", Number(0, 40), mark("The attacker's Movement in inches, in place of the file's")),
            Input("in_melee", Flag(), mark("It begins in contact with the target; left out: as the file says")),
            Input("shaken", Flag(), mark("It is Shaken; left out: as the file says")),
            Input("best_order", Flag(), mark("Look at every legal order of the steps, too"), default=False),
            OPTIONS,
            CATALOG,
        ),
        answers=(
            Answer("out_of_action", mark("out of action in the end")),
            Answer("down", mark("Down in the end")),
            Answer("ended_early", mark("a failed step ends it early")),
            Answer("best", mark("out of action in the end, in the best order")),
            Answer("reached", mark("it gets to this step, and the target is not out yet"), family=True, labels=_steps),
            Answer("ends", mark("the activation ends at this step"), family=True, labels=_steps),
            Answer("down_after", mark("the target is Down after this step"), family=True, labels=_steps),
            Answer("out_after", mark("the target is out of action after this step"), family=True, labels=_steps),
            Answer("order", mark("out of action in the end, in each of the best orders"), family=True, labels=_orders),
        ),
        exact=_exact,
        simulate=_simulate,
        check=_worked_out,
        notes=lambda asked: _worked_out(asked).notes,
        rule=mark(
            "An activation is its steps in order; a failed RISKY step or a charge that falls short ends it, and every "
            "attack is that of a scenario."
        ),
        source={
            "1.6.3": "source text: Down; json: Risky Actions, Charge",
            "1.0.2": "book: risky success rolls, Charge, Down",
        },
        examples=("file=example", "file=example move=7 best_order"),
        float64=mark("as they add up many ways"),
        edition_named=edition_named(FILE),
    ),
)
