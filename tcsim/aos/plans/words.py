"""A plan of commands in words, in the language of the moment."""

from __future__ import annotations

from tcsim.aos.plans.search import Search
from tcsim.aos.plans.table import ENEMY, commands
from tcsim.aos.plans.tree import Advice, Condition
from tcsim.base.lang import mark, tr

#: The phases.
_PHASES = {
    "hero": mark("hero phase"),
    "movement": mark("movement phase"),
    "shooting": mark("shooting phase"),
    "charge": mark("charge phase"),
    "combat": mark("combat phase"),
    "end": mark("end of the turn"),
}

#: What a number is said of, and how an open or closed range of it is said.
_NUMBERS = {
    "points": mark("points left"),
    "lost": mark("damage on {unit}"),
    "left": mark("models of {unit}"),
    "moved": mark("inches that {unit} moved"),
    "rallied": mark("rally points of {unit}"),
}

#: What has come of an event that can happen or not: that it has, and that it has not.
_MADE = {
    "charge": (mark("{unit} made its charge at {target}"), mark("{unit} did not make its charge at {target}")),
    "spell": (mark("{name} was cast"), mark("{name} was not cast")),
    "prayer": (mark("{name} was answered"), mark("{name} was not answered")),
    "run": (mark("{unit} ran far enough"), mark("{unit} did not run far enough")),
}

#: What is so of a unit or a command, or is not.
_FLAGS = {
    "alive": (mark("{unit} is there"), mark("{unit} is destroyed")),
    "used": (mark("{unit} was used in this phase"), mark("{unit} was not used in this phase")),
    "busy": (mark("{unit} used a command in this phase"), mark("{unit} used no command in this phase")),
    "guarded": (mark("{unit} has All-out Defence"), mark("{unit} has no All-out Defence")),
    "exposed": (mark("{unit} used All-out Attack this turn"), mark("{unit} used no All-out Attack this turn")),
    "ran": (mark("{unit} ran this turn"), mark("{unit} did not run this turn")),
}


def phase_words(phase: str) -> str:
    """Name a phase.

    Parameters
    ----------
    phase : str
        As ``enemy_combat``.

    Returns
    -------
    str
        Its name.

    Examples
    --------
    >>> phase_words("enemy_combat")
    'enemy combat phase'
    """
    name = tr(_PHASES[phase.removeprefix(ENEMY)])
    return tr("enemy {phase}", phase=name) if phase.startswith(ENEMY) else name


def condition_words(condition: Condition, search: Search) -> str:
    """Write a condition.

    Parameters
    ----------
    condition : Condition
        The condition.
    search : Search
        The turn, searched.

    Returns
    -------
    str
        As ``damage on Guard: 3 to 5``.
    """
    kind, _, of = condition.name.partition(":")
    low, high = condition.low, condition.high
    if kind == "made":
        event = search.turn.events[int(of)]
        if event.kind == "control":
            return _range(tr("owner of {name}", name=event.target), low, high)
        happened, not_happened = _MADE[event.kind]
        text = not_happened if low is None else happened
        return tr(text, unit=event.unit, target=event.target, name=event.name)
    if kind in _FLAGS:
        of = commands(search.turn.edition)[of].name if kind == "used" else of
        return tr(_FLAGS[kind][low is None], unit=of)
    return _range(tr(_NUMBERS[kind], unit=of), low, high)


def _range(what: str, low: int | None, high: int | None) -> str:
    if low is None and high:
        return tr("{what} at most {high}", what=what, high=high)
    if high is None:
        return tr("{what} at least {low}", what=what, low=low)
    if low is None or low == high:
        return f"{what} {high}"
    return tr("{what} {low} to {high}", what=what, low=low, high=high)


def choice_words(advice: Advice, search: Search) -> str:
    """Name what is done.

    Parameters
    ----------
    advice : Advice
        A line of a plan.
    search : Search
        The turn, searched.

    Returns
    -------
    str
        A command, or how rally points are used.
    """
    if advice.step.kind == "rally_points":
        back, healed = advice.choice.split()
        return tr("{back} back, {healed} healed", back=back.partition("=")[2], healed=healed.partition("=")[2])
    return commands(search.turn.edition)[advice.choice].name


def on_words(advice: Advice) -> str:
    """Say what a line of a plan is about.

    Parameters
    ----------
    advice : Advice
        The line.

    Returns
    -------
    str
        As ``the charge at Guard failed``; empty where the unit says it all.
    """
    event = advice.step.event
    if advice.step.kind == "forward_to_victory":
        return tr("its charge at {target} failed", target=event.target)
    if advice.step.kind == "redeploy":
        return tr("before the charge of {unit}", unit=event.unit)
    if event.kind in ("attack", "charge") and event.target == advice.unit:
        return tr("attacked by {unit}", unit=event.unit)
    if event.kind in ("attack", "charge"):
        return tr("at {target}", target=event.target)
    return event.name if event.kind in ("spell", "prayer") else ""


def when_words(advice: Advice, search: Search) -> str:
    """Say on which conditions a line of a plan holds.

    Parameters
    ----------
    advice : Advice
        The line.
    search : Search
        The turn, searched.

    Returns
    -------
    str
        ``whenever it can be used``, or conditions that all have to hold.
    """
    if not advice.when:
        return tr("whenever it can be used")
    return ", ".join(condition_words(one, search) for one in advice.when)
