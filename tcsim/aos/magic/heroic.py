"""Heroic actions of the third edition: each of them, and which one to take."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.aos.common import D6, TWO_D6
from tcsim.aos.counts import COUNTED, tell, tell_rolled
from tcsim.aos.editions import THIRD
from tcsim.aos.fights.wounds import D3_WOUNDS, NO_WOUND, ONE_WOUND
from tcsim.aos.magic.casting import (
    Phase,
    Spell,
    cast_chance,
    cast_rolled,
    contest_rolled,
    resolves_chance,
    unbound_chance,
)
from tcsim.aos.magic.inputs import CASTING_VALUE, CASTING_VALUES, MOD
from tcsim.aos.said import Signed, inches
from tcsim.aos.spread import Spread
from tcsim.base.errors import InputError
from tcsim.base.lang import mark, tr
from tcsim.questions.kinds import Flag, Number, Whole, Word
from tcsim.questions.question import Answer, Asked, Input, Question, family

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

_GENERAL = Input(
    "general",
    Word({"alive": mark("on the table"), "slain": mark("slain, which gives +2 to the roll")}),
    mark("Your general"),
    default="alive",
)
_WIZARD = Input("wizard", Flag(), mark("The hero is a WIZARD"), default=False)
_BRAVERY = Whole(1, 20)
_ALLOCATED = Input("allocated", Whole(0, 100), mark("Wounds the hero has suffered; left out: more than enough"))
_DISTANCE = Input("enemy_distance", Number(0, 200), mark("Inches from the hero to the nearest enemy"))

# --- Heroic Leadership ----------------------------------------------------------------------------------------


#: What the die has to show, by what has become of the general; there is no natural 1 that fails.
LEADERSHIP = {"alive": 4, "slain": 2}


def led_chance(general: str) -> Fraction:
    """Chance that Heroic Leadership gains its command point.

    Parameters
    ----------
    general : str
        ``alive`` or ``slain``.

    Returns
    -------
    Fraction
        Probability in [0, 1].

    Examples
    --------
    >>> led_chance("alive"), led_chance("slain")
    (Fraction(1, 2), Fraction(5, 6))
    """
    return D6.at_least(LEADERSHIP[general])


def _leadership(asked: Asked) -> dict[str, Any]:
    p, phases = led_chance(asked["general"]), asked["phases"]
    if phases == 1:
        return {"gained": p}
    return {"gained": p, **tell("points", Spread.chance(p).times(phases), phases)}


def _leadership_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    gained = dice.roll(trials, asked["phases"]) + (2 if asked["general"] == "slain" else 0) >= 4
    if asked["phases"] == 1:
        return {"gained": gained[:, 0]}
    return {"gained": gained[:, 0], **tell_rolled("points", gained.sum(axis=1), asked["phases"])}


HEROIC_LEADERSHIP = Question(
    name="heroic_leadership",
    inputs=(_GENERAL, Input("phases", Whole(1, 20), mark("Hero phases in which a hero takes it"), default=1)),
    answers=(
        Answer("gained", mark("the command point is gained, in one hero phase")),
        Answer("points", mark("command points from all of them, on average"), mark("command points")),
        *COUNTED,
    ),
    exact=_leadership,
    simulate=_leadership_rolled,
    rule=mark(
        "One hero takes a heroic action in each hero phase. Heroic Leadership: a D6 of 4 or more, +2 if the general is "
        "slain, gives this hero a command point for the turn."
    ),
    source="3e hero phase: 1-2",
    examples=("general=slain", "phases=4"),
    editions=THIRD,
)


# --- Heroic Willpower -----------------------------------------------------------------------------------------


def _stopped(asked: Asked, unbinders: tuple[int, ...]) -> Fraction:
    """Spells that are cast and unbound, on average, when each is worth the same."""
    spells = [Spell(cv, asked["mod"][0]) for cv in asked["cv"]]
    casts = Phase(spells, (), 0)
    against = Phase(spells, unbinders, 1)
    return casts.comes_to(0, casts.start, True) - against.comes_to(0, against.start, True)


def _willpower(asked: Asked) -> dict[str, Any]:
    hero, others = asked["unbind_mod"][0], asked["others"] or ()
    both, without = _stopped(asked, (*others, hero)), _stopped(asked, others)
    if len(asked["cv"]) > 1:
        return {"more": both - without, "stopped": both}
    cv = asked["cv"][0]
    return {
        "gain": both - without,
        "cast": cast_chance(cv, asked["mod"][0]),
        "dispelled": unbound_chance(cv, asked["dispel_mod"]),
    }


def _willpower_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    hero, others = asked["unbind_mod"][0], asked["others"] or ()
    if len(asked["cv"]) > 1:
        spells = [Spell(cv, asked["mod"][0]) for cv in asked["cv"]]
        casts = Phase(spells, (), 0).rolled(dice, trials)[0].sum(axis=1)
        both, without = (
            Phase(spells, unbinders, 1).rolled(dice, trials)[0].sum(axis=1) for unbinders in ((*others, hero), others)
        )
        return {"more": without - both, "stopped": casts - both}
    total, miscast = cast_rolled(dice, trials)
    total = total + asked["mod"][0]
    cast = ~miscast & (total >= asked["cv"][0])
    against = dice.total(TWO_D6, trials)
    stops = cast & (against + max((*others, hero)) > total)
    gain = stops & ~(against + max(others) > total) if others else stops
    dispelled = dice.total(TWO_D6, trials) + asked["dispel_mod"][0] > asked["cv"][0]
    return {"gain": gain, "cast": cast, "dispelled": dispelled}


def _check_willpower(asked: Asked) -> None:
    if asked["wizard"]:
        raise InputError("the hero is a WIZARD; Heroic Willpower is for others (3e hero phase 1-2)", "wizard")


HEROIC_WILLPOWER = Question(
    name="heroic_willpower",
    inputs=(
        Input(
            "cv",
            CASTING_VALUES,
            mark("Casting value of the enemy spell, or of the endless spell; several: enemy spells in order"),
            required=True,
        ),
        MOD,
        Input("unbind_mod", Signed(1), mark("Modifier to the hero's unbinding roll"), default="0"),
        Input("others", Signed(2), mark("Unbinding modifiers of other unbinders, with one unbind each")),
        Input("dispel_mod", Signed(1), mark("Modifier to the hero's dispelling roll"), default="0"),
        _WIZARD,
    ),
    answers=(
        Answer("gain", mark("in the enemy hero phase: the spell is stopped, and would not be without the hero")),
        Answer("more", mark("spells more that are stopped, on average"), mark("spells")),
        Answer("stopped", mark("spells that are unbound with the hero, on average"), mark("spells")),
        Answer("cast", mark("the enemy spell is cast")),
        Answer("dispelled", mark("in your own hero phase: an endless spell of this value is dispelled")),
    ),
    exact=_willpower,
    simulate=_willpower_rolled,
    check=_check_willpower,
    rule=mark(
        "A hero that is no WIZARD may dispel once in its own hero phase, or unbind once in the enemy's, as a WIZARD. A "
        "dispelling roll has to be more than the casting value, an unbinding roll more than the casting roll; each "
        "spell is answered once."
    ),
    source="3e hero phase: 1-2, 1-4, 2-1d",
    examples=("cv=7", "cv=5+7 others=0"),
    editions=THIRD,
)


# --- Heroic Recovery ------------------------------------------------------------------------------------------

_RULES = {"3e": "errata", "3e_launch": "launch"}
_RECOVERY = Word({"errata": mark("up to Bravery: D3"), "launch": mark("below Bravery: D3; equal to it: 1")})


def _healed(bravery: int, allocated: int | None, rule: str) -> Spread:
    """Wounds healed."""
    below, upto = (1 - TWO_D6.at_least(number) for number in (bravery, bravery + 1))
    at_bravery = D3_WOUNDS if rule == "errata" else ONE_WOUND
    healed = Spread.mixed([(1 - upto, NO_WOUND), (upto - below, at_bravery), (below, D3_WOUNDS)])
    return healed if allocated is None else healed.held(allocated)


def _healed_rolled(asked: Asked, rule: str, dice: Dice, trials: int) -> Any:
    import numpy as np

    roll, three = dice.total(TWO_D6, trials), dice.d3(trials)
    heals = np.where((roll == asked["bravery"]) & (rule == "launch"), 1, three)
    healed = np.where(roll <= asked["bravery"], heals, 0)
    return healed if asked["allocated"] is None else np.minimum(healed, asked["allocated"])


def _recovery(asked: Asked) -> dict[str, Any]:
    healed = _healed(asked["bravery"], asked["allocated"], asked["rule"])
    told = {"heals": healed.at_least(1), **tell("healed", healed, 3)}
    if asked["against"] is None:
        return told
    other = _healed(asked["bravery"], asked["allocated"], _RULES[asked["against"]]).mean()
    return {**told, "healed_against": other, "difference": healed.mean() - other}


def _recovery_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    healed = _healed_rolled(asked, asked["rule"], dice, trials)
    told = {"heals": healed > 0, **tell_rolled("healed", healed, 3)}
    if asked["against"] is None:
        return told
    other = _healed_rolled(asked, _RULES[asked["against"]], dice, trials)
    return {**told, "healed_against": other, "difference": healed - other}


def _check_recovery(asked: Asked) -> None:
    if asked["rule"] != _RULES[asked.edition]:
        raise InputError(f"{asked['rule']} is not the rule of {asked.edition}; against compares both", "rule")
    if asked["against"] == asked.edition:
        raise InputError(f"the question is asked in {asked.edition}, compare it with the other", "against")
    _check_near(asked)


def _check_near(asked: Asked) -> None:
    distance = asked["enemy_distance"]
    if asked.edition == "3e" and distance is not None and distance <= 3:
        raise InputError(
            f'{inches(distance)}" is given; Heroic Recovery is for heroes more than 3" from all enemies '
            "(3e hero phase 1-2)",
            "enemy_distance",
        )


HEROIC_RECOVERY = Question(
    name="heroic_recovery",
    inputs=(
        Input("bravery", _BRAVERY, mark("Bravery of the hero, modifiers included"), required=True),
        _ALLOCATED,
        Input("rule", _RECOVERY, mark("What 2D6 heal"), default=_RULES),
        Input("against", Word(dict.fromkeys(_RULES, "")), mark("The edition to compare with")),
        _DISTANCE,
    ),
    answers=(
        Answer("heals", mark("some wounds are healed")),
        Answer("healed", mark("wounds healed, on average"), mark("wounds")),
        Answer("healed_against", mark("in the other edition, on average"), mark("wounds")),
        Answer("difference", mark("wounds healed more than there, on average"), mark("wounds")),
        Answer("exactly", mark("exactly so many wounds"), family=True),
        Answer("at_least", mark("at least so many wounds"), family=True),
    ),
    exact=_recovery,
    simulate=_recovery_rolled,
    check=_check_recovery,
    rule={
        "3e": mark(
            "A hero more than 3 inches from all enemies rolls 2D6: up to its Bravery, it heals D3 of the wounds it has "
            "suffered."
        ),
        "3e_launch": mark(
            "A hero rolls 2D6: below its Bravery, it heals D3 of the wounds it has suffered, equal to it, 1; enemies "
            "nearby do not matter."
        ),
    },
    source={"3e": "3e hero phase: 1-2", "3e_launch": "core rules 2021, first printing (public)"},
    examples=("bravery=7", "bravery=7 allocated=2 against=3e_launch"),
    editions=THIRD,
)


# --- which one ------------------------------------------------------------------------------------------------

_ACTIONS = {
    "leadership": mark("Heroic Leadership"),
    "willpower": mark("Heroic Willpower"),
    "recovery": mark("Heroic Recovery"),
    "finest_hour": mark("Finest Hour"),
    "own": mark("your own row"),
}


def _worths(asked: Asked) -> dict[str, Fraction]:
    """Expected worth of each action that is asked about, the best first."""
    worths = {"leadership": led_chance(asked["general"]) * asked["cp_worth"]}
    if asked["cv"] is not None:
        cv = asked["cv"]
        stops = unbound_chance(cv, (0,)) if asked["phase"] == "own" else cast_chance(cv) - resolves_chance(cv, 0, (0,))
        worths["willpower"] = stops * asked["spell_worth"]
    if asked["bravery"] is not None:
        healed = _healed(asked["bravery"], asked["allocated"], _RULES[asked.edition])
        worths["recovery"] = healed.mean() * asked["wound_worth"]
    if asked["finest_worth"] is not None:
        worths["finest_hour"] = asked["finest_worth"]
    if asked["own_worth"] is not None:
        worths["own"] = asked["own_chance"] * asked["own_worth"]
    return dict(sorted(worths.items(), key=lambda item: -item[1]))


def _action(asked: Asked) -> dict[str, Any]:
    worths = _worths(asked)
    top = max(worths.values())
    best = {name: Fraction(worth == top) for name, worth in worths.items()}
    return {"top": top, **family("worth", worths), **family("best", best)}


def _action_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    order = _worths(asked)
    made: dict[str, Any] = {
        "leadership": (dice.d6(trials) >= LEADERSHIP[asked["general"]]) * float(asked["cp_worth"]),
    }
    if "willpower" in order:
        if asked["phase"] == "own":
            stops = dice.total(TWO_D6, trials) > asked["cv"]
        else:
            spell = contest_rolled(asked["cv"], 0, (0,), dice, trials)
            stops = spell.cast & ~spell.resolves
        made["willpower"] = stops * float(asked["spell_worth"])
    if "recovery" in order:
        made["recovery"] = _healed_rolled(asked, _RULES[asked.edition], dice, trials) * float(asked["wound_worth"])
    if "finest_hour" in order:
        made["finest_hour"] = np.full(trials, float(asked["finest_worth"]))
    if "own" in order:
        made["own"] = (dice.generator.random(trials) < float(asked["own_chance"])) * float(asked["own_worth"])
    top = max(order.values())
    first = next(iter(order))
    best = {name: np.full(trials, worth == top) for name, worth in order.items()}
    return {"top": made[first], **family("worth", {name: made[name] for name in order}), **family("best", best)}


def _check_action(asked: Asked) -> None:
    if asked["cv"] is not None:
        _check_willpower(asked)
    if asked["bravery"] is not None:
        _check_near(asked)
    if asked["finest_used"] and asked["finest_worth"] is not None:
        raise InputError("it comes once per hero and battle (3e hero phase 1-2)", "finest_used")


def _labels(asked: Asked) -> Mapping[str, str]:
    return {name: tr(label) for name, label in _ACTIONS.items()}


def _worth_of(name: str, help_: str, *goes_with: str) -> Input:
    return Input(name, Number(0, 1000), help_, default=1, goes_with=goes_with)


HEROIC_ACTION = Question(
    name="heroic_action",
    inputs=(
        _GENERAL,
        _worth_of("cp_worth", mark("What a command point is worth to you")),
        Input("cv", CASTING_VALUE, mark("Casting value of the spell that Heroic Willpower is to stop")),
        Input(
            "phase",
            Word({"own": mark("your own: it dispels"), "enemy": mark("the enemy's: it unbinds")}),
            mark("Whose hero phase it is"),
            default="own",
            goes_with=("cv",),
        ),
        _worth_of("spell_worth", mark("What it is worth to stop that"), "cv"),
        _WIZARD,
        Input("bravery", _BRAVERY, mark("Bravery of the hero, for Heroic Recovery")),
        Input(_ALLOCATED.name, _ALLOCATED.kind, _ALLOCATED.help, goes_with=("bravery",)),
        _worth_of("wound_worth", mark("What a wound healed is worth"), "bravery"),
        _DISTANCE,
        Input("finest_worth", Number(0, 1000), mark("What Finest Hour is worth here (finest_hour tells its damage)")),
        Input("finest_used", Flag(), mark("The hero has had its Finest Hour in this battle"), default=False),
        Input("own_worth", Number(0, 1000), mark("What another heroic action is worth when it works")),
        Input("own_chance", Number(0, 1), mark("How often that works"), default=1, goes_with=("own_worth",)),
    ),
    answers=(
        Answer("top", mark("worth of the best of them, on average"), mark("worth")),
        Answer("worth", mark("worth of each, on average"), mark("worth"), family=True, labels=_labels),
        Answer("best", mark("it is the best of them (100%)"), family=True, labels=_labels),
    ),
    exact=_action,
    simulate=_action_rolled,
    check=_check_action,
    rule=mark(
        "In each hero phase each player, the active one first, picks one hero, which takes one heroic action. What is "
        "not given is not compared: Heroic Willpower needs cv, Heroic Recovery bravery, Finest Hour finest_worth, "
        "another one own_worth."
    ),
    source="3e hero phase: 1-2",
    examples=("bravery=7 cv=6 cp_worth=2", "general=slain finest_worth=1.5 own_worth=3 own_chance=1/2"),
    editions=THIRD,
)

QUESTIONS = (HEROIC_ACTION, HEROIC_LEADERSHIP, HEROIC_WILLPOWER, HEROIC_RECOVERY)
