"""Questions about fights: what they may all be told, and how a situation becomes the answers of a question.

An answer is a number with weights: 1 and 0 for a chance, how many for a mean. Weights are probabilities or counted
trials; where they do not sum to the whole, the answer looks at some of it only, as at models still in action. So exact
and rolled answers are told by the same words, and nothing is written twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.base.lang import mark
from tcsim.questions.kinds import Whole
from tcsim.questions.question import Answer, Asked, Input, family
from tcsim.situations.kinds import ATTACKER, Attack, Files, Keys, OneModel
from tcsim.situations.models import Common, Settled
from tcsim.situations.tree import Outcome, exact, rolled

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: A number to its weight.
Weights = Mapping[int, Any]

ATTACK_INPUT = Input("attack", Attack(), mark("The attack, as one of a scenario"))
ACTION_DICE = Input("action_dice", Whole(-40, 40), mark("Net +/-DICE, added to those of the attack"), default=0)
INJURY_DICE = Input("injury_dice", Whole(-40, 40), mark("Injury dice, added to those of the attack"), default=0)
MODEL = Input("model", OneModel(), mark("Who it happens to, as injury_modifier=-2,down"))
TARGET = Input("target", OneModel(), mark("Who is attacked, as injury_modifier=-2,down"))
ARMOUR = Input("injury_modifier", Whole(-20, 0), mark("The armour as one number, in place of names"))
ATTACKER_INPUT = Input("attacker", ATTACKER, mark("Who attacks, as Yeoman or blood=2,down"))
SPEND = Input(
    "spend",
    Keys("blood_on_injury"),
    mark("Who spends which markers, as in a scenario; one word is for blood_on_injury"),
)
OPTIONS = Input("options", Keys(), mark("Readings of unclear rules, as in a scenario"))
CATALOG = Input("catalog", Files(), mark("Your own catalogues"))

#: What all questions about attacks may be told, and those about mishaps.
OF_ATTACKS = (ATTACKER_INPUT, SPEND, OPTIONS, CATALOG)
OF_MISHAPS = (SPEND, OPTIONS, CATALOG)

#: The answers about one model.
ONE_MODEL = (
    Answer("p_out", mark("out of action")),
    Answer("p_down", mark("Down in the end")),
    Answer("p_standing", mark("still standing")),
    Answer("blood", mark("blood markers in the end, if in action"), mark("blood markers")),
)


def common_of(asked: Asked) -> Common:
    """Give what the attacks of a question have in common.

    Parameters
    ----------
    asked : Asked
        With some of the inputs above.

    Returns
    -------
    Common
        It.
    """
    values = asked.values
    attacker, spend, options = (values.get(name) or {} for name in ("attacker", "spend", "options"))
    return Common(asked.edition, attacker, spend, options, values.get("catalog"))


def attack_of(asked: Asked, kind: str) -> dict[str, Any]:
    """Give the attack of a question, with the dice that are told apart.

    Parameters
    ----------
    asked : Asked
        With ``attack``, ``action_dice`` and ``injury_dice``.
    kind : str
        ``ranged`` or ``melee``, where no attack is given.

    Returns
    -------
    dict
        An entry of a scenario's ``attacks``.
    """
    attack = dict(asked["attack"] or {"kind": kind})
    if "weapon" not in attack:
        attack.setdefault("kind", kind)
    for name in ("action_dice", "injury_dice"):
        if asked[name] and type(attack.get(name, 0)) is int:
            attack[name] = attack.get(name, 0) + asked[name]
    return attack


def armoured(one: Mapping[str, Any] | None, modifier: int | None) -> dict[str, Any]:
    """Give a model the armour that is told as one number.

    Parameters
    ----------
    one : mapping or None
        The model; None where nothing is said of it.
    modifier : int or None
        The number.

    Returns
    -------
    dict
        The model.
    """
    return {**({} if modifier is None else {"injury_modifier": modifier}), **(one or {})}


def chance(outcome: Outcome, weight: Any) -> Weights:
    """Give a chance as an answer.

    Parameters
    ----------
    outcome : Outcome
        What it is a chance in.
    weight : Fraction or int
        Of what happens.

    Returns
    -------
    mapping
        Weights of 1 and 0.
    """
    return {1: weight, 0: outcome.total - weight}


def of_one_model(outcome: Outcome, model: int = 0) -> dict[str, Weights]:
    """Tell of one model what has become of it.

    Parameters
    ----------
    outcome : Outcome
        The outcome.
    model : int, optional
        Which.

    Returns
    -------
    dict
        The answers of ``ONE_MODEL``.
    """
    blood: dict[int, Any] = {}
    for state, weight in outcome.finals[model].items():
        if state is not None:
            blood[state.blood] = blood.get(state.blood, 0) + weight
    return {
        "p_out": chance(outcome, outcome.out(model)),
        "p_down": chance(outcome, outcome.where(model, lambda state: state.down == 1)),
        "p_standing": chance(outcome, outcome.where(model, lambda state: state.down == 0)),
        "blood": blood,
    }


def by_model(outcome: Outcome) -> dict[str, Any]:
    """Tell of every model how often it is out of action, and how often Down.

    Parameters
    ----------
    outcome : Outcome
        The outcome.

    Returns
    -------
    dict
        The families ``model_out`` and ``model_down``.
    """
    names = [model.name for model in outcome.models]
    out = {name: chance(outcome, outcome.out(number)) for number, name in enumerate(names)}
    down = {
        name: chance(outcome, outcome.where(number, lambda state: state.down == 1)) for number, name in enumerate(names)
    }
    return family("model_out", out) | family("model_down", down)


#: The answers of :func:`by_model`.
BY_MODEL = (
    Answer("model_out", mark("out of action, model by model"), family=True),
    Answer("model_down", mark("Down in the end, model by model"), family=True),
)


@dataclass(frozen=True)
class Fight:
    """How a question about a fight is answered, both ways.

    Parameters
    ----------
    settle : callable
        Of what was asked, the situations by name.
    tell : callable
        Of what was asked and of the outcomes of these situations, each answer's weights.
    """

    settle: Callable[[Asked], Mapping[str, Settled]]
    tell: Callable[[Asked, Mapping[str, Outcome]], Mapping[str, Weights]]

    def exact(self, asked: Asked) -> dict[str, Fraction]:
        """Answer exactly, as ``Question.exact``."""
        told = self.tell(asked, {name: exact(one.situation) for name, one in self.settle(asked).items()})
        answers = {}
        for name, weights in told.items():
            whole = sum(weights.values(), Fraction(0))
            if whole:
                answers[name] = sum((number * weight for number, weight in weights.items()), Fraction(0)) / whole
        return answers

    def simulate(self, asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
        """Roll, as ``Question.simulate``."""
        from tcsim.questions.rolling import Seen

        played = {name: rolled(one.situation, dice, trials) for name, one in self.settle(asked).items()}
        return {
            name: Seen(
                sum(weights.values()),
                float(sum(number * n for number, n in weights.items())),
                float(sum(number * number * n for number, n in weights.items())),
            )
            for name, weights in self.tell(asked, played).items()
        }

    def notes(self, asked: Asked) -> tuple[str, ...]:
        """Say what is not counted, or changes nothing, as ``Question.notes``."""
        resolved = [one for settled in self.settle(asked).values() for one in settled.resolved]
        notes = [note for one in resolved for note in one.notes]
        notes += [f"Assumed: {one}." for question in resolved for one in question.assumed]
        return tuple(dict.fromkeys(notes))
