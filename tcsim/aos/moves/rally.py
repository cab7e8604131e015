"""Rally: in the third edition a die for each slain model, in the fourth six dice for points that are shared out."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.aos.common import D6
from tcsim.aos.editions import FOURTH, THIRD
from tcsim.aos.moves.rally_split import (
    MANY,
    MAX_SLAIN,
    POINT,
    Rallying,
    Slain,
    Split,
    chosen_split,
    rally_points,
)
from tcsim.aos.spread import Spread
from tcsim.base.errors import InputError
from tcsim.base.lang import mark, tr
from tcsim.questions.kinds import Flag, Number, Whole, Word
from tcsim.questions.question import Answer, Asked, Input, Question, family, once

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: A die of so much or more returns a model in the third edition, and how likely that is.
RETURNS = 6
RETURN = D6.at_least(RETURNS)

# --- fourth edition: points, and how they are shared out --------------------------------------------------------


class Rally:
    """What was asked of the fourth edition, settled.

    Parameters
    ----------
    asked : Asked
        What was asked.
    """

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.dice: int = asked["dice"] + asked["musician"]
        slain = MANY if asked["slain"] is None else asked["slain"]
        self.unit = Rallying(asked["health"], slain, asked["wounded"], asked["control"])
        every = range(self.dice + 1)
        self.spent = [chosen_split(self.unit, points, asked["policy"], self._worth) for points in every]

    def _worth(self, split: Split) -> Fraction:
        asked = self.asked
        worths: dict[str, Fraction] = {
            "models": Fraction(split.models),
            "health": Fraction(self.unit.restored(split)),
            "control": Fraction(split.models * self.unit.control),
            "value": split.models * asked["v_model"] + split.healed * asked["v_heal"],
        }
        return worths[asked["objective"]]

    def told(self, points: int) -> dict[str, Fraction]:
        """Give every number that so many points come to.

        Parameters
        ----------
        points : int
            Rally points.

        Returns
        -------
        dict of str to Fraction
            Answer name to number.
        """
        split = self.spent[points]
        restored = self.unit.restored(split)
        numbers = {
            "points": Fraction(points),
            "models": Fraction(split.models),
            "healed": Fraction(split.healed),
            "health_restored": Fraction(restored),
            "control_gained": Fraction(split.models * self.unit.control),
            "waste": Fraction(points - restored),
        }
        if self.asked["objective"] == "value":
            numbers["value"] = self._worth(split)
        return numbers

    @property
    def most(self) -> int:
        """The most models that can return; 1 at least, so that there is always one chance to tell."""
        return max(1, *(split.models for split in self.spent))


_rally = once(Rally)


def _fourth(asked: Asked) -> dict[str, Fraction]:
    rally = _rally(asked)
    chances = rally_points(rally.dice).pmf()
    answers: dict[str, Fraction] = {}
    for points, p in enumerate(chances):
        for name, number in rally.told(points).items():
            answers[name] = answers.get(name, Fraction(0)) + p * number
    if asked["k"] is not None:
        answers["exactly"] = chances[asked["k"]] if asked["k"] < len(chances) else Fraction(0)
    if asked["against"] is not None:
        other = asked["slain"] * RETURN
        answers |= {"other_models": other, "difference": other - answers["models"], "even": Fraction(_even(rally))}
    for k in range(1, rally.most + 1):
        enough = [p for p, split in zip(chances, rally.spent, strict=True) if split.models >= k]
        answers |= family("at_least", {k: sum(enough, Fraction(0))})
    return answers | family("rolled", dict(enumerate(chances)))


def _even(rally: Rally) -> int:
    """Slain models from which the third edition returns at least as many on average."""
    chances = rally_points(rally.dice).pmf()
    back = [points // rally.unit.health for points in range(rally.dice + 1)]
    slain = 1  # the third edition returns more with every slain model, the fourth no more than its points allow
    while slain * RETURN < sum(p * min(models, slain) for p, models in zip(chances, back, strict=True)):
        slain += 1
    return slain


def _fourth_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    rally = _rally(asked)
    points = (dice.roll(trials, rally.dice) >= POINT).sum(axis=1)
    rows = [rally.told(n) for n in range(rally.dice + 1)]
    answers: dict[str, Any] = {name: np.array([float(row[name]) for row in rows])[points] for name in rows[0]}
    models = answers["models"]
    if asked["k"] is not None:
        answers["exactly"] = points == asked["k"]
    if asked["against"] is not None:
        other = (dice.roll(trials, asked["slain"]) >= RETURNS).sum(axis=1)
        answers |= {"other_models": other, "difference": other - models, "even": np.full(trials, _even(rally))}
    answers |= family("at_least", {k: models >= k for k in range(1, rally.most + 1)})
    return answers | family("rolled", {n: points == n for n in range(rally.dice + 1)})


# --- third edition: a die for each slain model ------------------------------------------------------------------


def _third(asked: Asked) -> dict[str, Fraction]:
    models = Spread.chance(RETURN).times(asked["slain"])
    chances = models.pmf()
    answers = {"models": models.mean()}
    if asked["k"] is not None:
        answers["exactly"] = chances[asked["k"]] if asked["k"] < len(chances) else Fraction(0)
    numbers = range(1, asked["slain"] + 1)
    return answers | family("at_least", {k: models.at_least(k) for k in numbers})


def _third_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    models = (dice.roll(trials, asked["slain"]) >= RETURNS).sum(axis=1)
    answers: dict[str, Any] = {"models": models}
    if asked["k"] is not None:
        answers["exactly"] = models == asked["k"]
    return answers | family("at_least", {k: models >= k for k in range(1, asked["slain"] + 1)})


# --- the question ---------------------------------------------------------------------------------------------


def _exact(asked: Asked) -> dict[str, Fraction]:
    return _third(asked) if asked.edition in THIRD else _fourth(asked)


def _simulate(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    return (_third_rolled if asked.edition in THIRD else _fourth_rolled)(asked, dice, trials)


def _check(asked: Asked) -> None:
    slain = asked["slain"]
    if asked.edition in THIRD:
        if not isinstance(slain, int):
            raise InputError("rally needs how many models are slain: a die is rolled for each", "slain")
        return
    if asked["wounded"] >= asked["health"]:
        raise InputError(
            f"{asked['wounded']} are given, of Health {asked['health']}: a model with as much damage is slain",
            "wounded",
        )
    if asked["against"] is not None and not isinstance(slain, int):
        raise InputError("against=3e needs how many models are slain: a die is rolled for each there", "slain")


def _splits(asked: Asked) -> dict[str, str]:
    """What the points of each roll are spent on."""
    if asked.edition in THIRD:
        return {}
    told = mark("{points}: {models} back, {healed} healed") if asked["wounded"] else mark("{points}: {models} back")
    spent = enumerate(_rally(asked).spent)
    return {str(n): tr(told, points=n, models=split.models, healed=split.healed) for n, split in spent}


_VALUE = ("objective=value",)

RALLY = Question(
    name="rally",
    inputs=(
        Input("slain", Slain(), mark("Models of the unit that are slain; left out in the fourth edition: many")),
        Input("k", Whole(0, MAX_SLAIN), mark("A number of rally points, in the third edition of models")),
        Input("dice", Whole(1, 20), mark("Dice of the rally roll"), default=6, editions=FOURTH),
        Input(
            "musician",
            Flag(),
            mark("The unit has a musician: one more die"),
            default=False,
            reason=mark("The source text is silent; a public rule of command models"),
            editions=FOURTH,
        ),
        Input("health", Whole(1, 40), mark("Health of each model"), default=1, editions=FOURTH),
        Input("wounded", Whole(0, 39), mark("Damage points that the unit carries"), default=0, editions=FOURTH),
        Input(
            "policy",
            Word(
                {
                    "best": mark("as is best for the objective"),
                    "models_first": mark("models first, the rest heals"),
                    "heal_first": mark("healing first, the rest returns models"),
                }
            ),
            mark("How rally points are spent"),
            default="best",
            editions=FOURTH,
        ),
        Input(
            "objective",
            Word(
                {
                    "models": mark("models returned"),
                    "health": mark("Health restored"),
                    "control": mark("control score gained"),
                    "value": mark("worth, by v_model and v_heal"),
                }
            ),
            mark("What is to be as large as possible; of equal ways the one that restores more Health"),
            default="models",
            editions=FOURTH,
            goes_with=("policy=best",),
        ),
        Input("control", Whole(0, 20), mark("Control of each model"), default=1, editions=FOURTH),
        Input(
            "v_model",
            Number(0, 1000),
            mark("What a model that returns is worth"),
            default=1,
            editions=FOURTH,
            goes_with=_VALUE,
        ),
        Input(
            "v_heal",
            Number(0, 1000),
            mark("What a damage point healed is worth"),
            default=1,
            editions=FOURTH,
            goes_with=_VALUE,
        ),
        Input(
            "against",
            Word({"3e": mark("a die for each slain model, a 6 returns it")}),
            mark("Compare with the Rally of another edition"),
            editions=FOURTH,
        ),
    ),
    answers=(
        Answer("models", mark("models returned, on average"), mark("models")),
        Answer("points", mark("rally points, on average"), mark("rally points")),
        Answer("exactly", mark("exactly k rally points, in the third edition k models")),
        Answer("healed", mark("damage points healed, on average"), mark("Health")),
        Answer("health_restored", mark("Health restored, on average: models that return and healing"), mark("Health")),
        Answer("control_gained", mark("control score gained, on average"), mark("control score")),
        Answer("value", mark("worth gained, on average"), mark("worth")),
        Answer("waste", mark("rally points lost, on average"), mark("rally points")),
        Answer("other_models", mark("models returned by the third edition, on average"), mark("models")),
        Answer("difference", mark("third edition minus fourth edition"), mark("models")),
        Answer(
            "even", mark("slain models from which the third edition returns at least as many"), mark("slain models")
        ),
        Answer("at_least", mark("at least so many models return"), family=True),
        Answer("rolled", mark("the roll gives so many rally points, spent so"), family=True, labels=_splits),
    ),
    exact=_exact,
    simulate=_simulate,
    check=_check,
    rule={
        **dict.fromkeys(
            THIRD,
            mark(
                "At the start of the hero phase, for 1 command point, a unit more than 3 inches from all enemies rolls "
                "a die for each of its slain models; each 6 returns one, whatever its Health."
            ),
        ),
        **dict.fromkeys(
            FOURTH,
            mark(
                "In any hero phase, for 1 command point, a unit that is not in combat rolls six dice; each 4 or more "
                "is a rally point. A point heals one damage point, as many as the Health characteristic return a slain "
                "model, in any mix; what is left is lost."
            ),
        ),
    },
    source={
        **dict.fromkeys(THIRD, "hero phase 1-3, Rally"),
        **dict.fromkeys(FOURTH, "commands 2.0, Rally; musician: public rules of command models"),
    },
    examples=("slain=5", "slain=10 k=2"),
)

QUESTIONS = (RALLY,)
