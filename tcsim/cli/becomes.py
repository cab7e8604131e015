"""What results become for the target of a scenario: TOUGH, Machine Armour and the like, with the rule behind each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tcsim.base.lang import mark, tr
from tcsim.base.text import plural
from tcsim.cli.terminal import paragraph, say
from tcsim.rules import Edition
from tcsim.scenario import problem as p
from tcsim.scenario.resolve import Resolved

_RESULTS = {p.NO_EFFECT: mark("no effect"), p.MINOR_HIT: mark("a Minor Hit"), p.DOWN: mark("Down")}


class Becomes(NamedTuple):
    """A sentence (with its values), and the rule behind it."""

    words: str
    source: str


def becomes(question: Resolved, rules: Edition) -> list[Becomes]:
    """Say what results of the injury chart become for the target, in the order in which it happens.

    Parameters
    ----------
    question : Resolved
        The scenario.
    rules : Edition
        Its edition.

    Returns
    -------
    list of Becomes
        Empty where every result is what the chart says.

    Examples
    --------
    >>> from tcsim.scenario.read import from_mapping
    >>> from tcsim.scenario.resolve import resolve
    >>> question = resolve(from_mapping({"target": {"tough": True}, "attacks": [{}]}))
    >>> [one.words for one in becomes(question, question.rules)]
    ['The first out of action is Down']
    """
    return list(_told(question, rules))


def _told(question: Resolved, rules: Edition) -> Iterator[Becomes]:
    start, nature, soft = question.problem.start, question.problem.nature, question.problem.minor_for_down
    own = {rule.effect.text: rule.name for rule in question.target.rules}

    def by_keyword(name: str) -> str:
        return tr("keyword: {text}", text=tr(rules.keywords[name].text))

    def of(*beginnings: str) -> str:
        """The rules of the target whose text begins so."""
        return ", ".join(dict.fromkeys(name for text, name in own.items() if text.startswith(beginnings)))

    if nature.golem:
        yield Becomes(tr("Out of action is Down, unless by a Bloodbath"), by_keyword("GOLEM"))
    if start.spared:
        spared = tr("The first out of action is {result}", result=tr(_RESULTS[nature.first_out]))
        if start.spared > 1:
            times = plural(start.spared, "time")
            spared = tr("Out of action is {result}, {times}", result=tr(_RESULTS[nature.first_out]), times=times)
        yield Becomes(spared, of("result=out_of_action->"))
    if question.target.then is not None:
        ended = of("until=")
        yield Becomes(tr("After that {ability} ends, and the target is as printed", ability=ended), ended)
    if nature.last_stand:
        told = tr("After that, out of action is Down, unless by a Bloodbath")
        yield Becomes(told, of("result=out_of_action->down (then"))
    if start.tough:
        result = tr(_RESULTS[p.NO_EFFECT if nature.tough_unharmed else p.DOWN])
        told = tr("The first out of action is {result}", result=result)
        if start.spared:
            told = tr("The next one is {result}", result=result)
        if nature.tough_unharmed > 1:
            told = tr("{result}, or Down while a blood marker is on it", result=told)
        yield Becomes(told, of("result=tough->") or by_keyword("TOUGH"))
    if start.firm:
        told = tr("The first Down is {result}", result=tr(_RESULTS[nature.first_down]))
        yield Becomes(told, of("result=down->no_effect (once", "result=down->minor_hit (once"))
    if nature.unhurt_minor:
        told = tr("Down is a Minor Hit while no blood marker is on it")
        yield Becomes(told, of("result=down->minor_hit if own_blood"))
    if nature.spared_minor:
        yield Becomes(tr("Down is a Minor Hit until then"), of("result=down->minor_hit"))
    if soft:
        given = question.scenario.target.machine_armour_minor
        armour = tr("as given") if given else rules.options["machine_armour_wearers"].source
        yield Becomes(tr("Down is a Minor Hit"), of("result=down->minor_hit") or armour)
    if start.tough and (soft or start.firm) and nature.tough_unharmed != 1:
        after = question.problem.rulings.minor_hit_after_tough
        told = mark("So is the Down that TOUGH makes") if after else mark("The Down that TOUGH makes stays Down")
        yield Becomes(tr(told), rules.options["machine_armour_after_tough"].source)


def print_becomes(question: Resolved, rules: Edition) -> None:
    """Print them, a line each, if there are any.

    Parameters
    ----------
    question : Resolved
        The scenario.
    rules : Edition
        Its edition.
    """
    told = becomes(question, rules)
    if told:
        say()
        say(tr("Results that are another one for the target"))
    for one in told:
        paragraph("  *", f"{one.words} [{one.source}]", 7)
