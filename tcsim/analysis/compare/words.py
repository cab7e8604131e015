"""What a comparison finds, in words: computed from its numbers, never typed."""

from __future__ import annotations

from collections.abc import Sequence

from tcsim.analysis.compare.answer import Comparison
from tcsim.analysis.compare.marks import pairs_of
from tcsim.base.lang import mark, retold, tr

#: Most names in one list.
MOST_NAMES = 4


def finding(comparison: Comparison, situation: int = 0) -> str:
    """Say who leads where, and whether it costs more or less than the others.

    Parameters
    ----------
    comparison : Comparison
        Any.
    situation : int, optional
        Its place.

    Returns
    -------
    str
        One sentence in the language of the moment; empty for a single loadout.
    """
    if len(comparison.loadouts) < 2:
        return ""
    leads = _leads(comparison, situation)
    names = [comparison.loadouts[index].name for index in leads]
    number = len(comparison.targets) + (len(comparison.targets) > 1)
    if len(leads) == 1 and len(next(iter(leads.values()))) == number:
        return _of_one(comparison, next(iter(leads)), number > 1)
    if not leads:
        if comparison.plan is None:
            return tr("No loadout leads alone anywhere: those that lead are equal.")
        return tr("No loadout leads anywhere beyond luck (95%): more trials may tell them apart.")
    over_all = next((comparison.loadouts[i].name for i, where in leads.items() if None in where), None)
    told = []
    for index, where in leads.items():
        against = [minus(comparison.targets[place].label) for place in where if place is not None]
        if against:
            name = comparison.loadouts[index].name
            told.append(tr("{name} leads against {targets}", name=name, targets=_listed(against)))
    sentence = "; ".join(told)
    if len(comparison.targets) == 1:
        return sentence + "."
    if over_all is not None and not told:
        return tr("{name} leads over all targets, against none of them alone.", name=over_all)
    if over_all is not None and len(set(names)) == 1:
        return tr("{what}, and over all targets.", what=sentence)
    if over_all is not None:
        return tr("{what}; over all targets {name} leads.", what=sentence, name=over_all)
    if comparison.plan is None:
        return tr("{what}; over all targets no one leads alone.", what=sentence)
    return tr("{what}; over all targets no one leads beyond luck (95%).", what=sentence)


def minus(label: str) -> str:
    """Write a target's name with a true minus.

    Parameters
    ----------
    label : str
        As ``-2, TOUGH``.

    Returns
    -------
    str
        The same, to be printed.
    """
    return "−" + label[1:] if label[:1] == "-" and label[1:2].isdigit() else label


def _leads(comparison: Comparison, situation: int) -> dict[int, list[int | None]]:
    """Who leads alone, and against which targets (None: over all of them)."""
    from tcsim.analysis.compare.marks import of_all, of_target

    found: dict[int, list[int | None]] = {}
    others = len(comparison.loadouts) - 1
    for target in range(len(comparison.targets)):
        better = of_target(comparison, situation, target).better.sum(axis=1)
        for index in (better == others).nonzero()[0].tolist():
            found.setdefault(index, []).append(target)
    if len(comparison.targets) > 1:
        better = of_all(comparison, situation).better.sum(axis=1)
        for index in (better == others).nonzero()[0].tolist():
            found.setdefault(index, []).append(None)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def _of_one(comparison: Comparison, index: int, many: bool) -> str:
    costs = [one.cost for one in comparison.loadouts]
    name = comparison.loadouts[index].name
    sure = comparison.plan is None
    if many:
        start = (
            mark("{name} leads in every column") if sure else mark("{name} leads in every column, beyond luck (95%)")
        )
    else:
        start = mark("{name} leads") if sure else mark("{name} leads, beyond luck (95%)")
    told = tr(start, name=name)
    if any(cost.ducats is None or cost.glory for cost in costs):
        return told + "."
    own = costs[index].ducats or 0
    rest = [cost.ducats or 0 for place, cost in enumerate(costs) if place != index]
    if own < min(rest):
        return tr("{what} and costs the least.", what=told)
    if own > max(rest):
        return tr("{what} and costs the most.", what=told)
    return told + "."


def _listed(names: Sequence[str]) -> str:
    shown = list(names[:MOST_NAMES])
    if len(names) > MOST_NAMES:
        return tr("{names} and {n} more", names="; ".join(shown), n=len(names) - MOST_NAMES)
    return "; ".join(shown) if any(", " in name for name in shown) else ", ".join(shown)


def legend(comparison: Comparison) -> str:
    """Say what the mark beside a chance means.

    Parameters
    ----------
    comparison : Comparison
        Any.

    Returns
    -------
    str
        A sentence in the language of the moment.
    """
    if comparison.plan is None:
        return tr("* the best of its column (all that are equal).")
    text = mark(
        "* not told apart from the best of its column: intervals hold for all {n} pairs at once (Bonferroni, 95%)."
    )
    return tr(text, n=f"{pairs_of(comparison):,}")


def prices(comparison: Comparison) -> str:
    """Say what the prices are of, and who pays them.

    Parameters
    ----------
    comparison : Comparison
        Any.

    Returns
    -------
    str
        A sentence in the language of the moment.
    """
    kinds = {one.cost.of for one in comparison.loadouts if one.cost.ducats is not None}
    if not kinds:
        return ""
    if kinds == {"model"}:
        return tr("Ducats: of the whole model.")
    of = mark("Ducats: of the weapons; of the whole model where it is from a loadout file; ")
    start = tr(mark("Ducats: of the weapons; ") if kinds == {"weapons"} else of)
    if comparison.terms.faction is not None:
        return start + tr("{faction} pays.", faction=comparison.terms.faction)
    special = [one for one in comparison.loadouts if one.cost.of == "weapons" and one.cost.faction]
    who = [f"{one.name}: {tr('several') if one.cost.faction == 'several' else one.cost.faction}" for one in special]
    if not who:
        return start + tr("all factions pay the same.")
    return start + tr("the faction that pays least ({who}).", who=_listed(who))


def setting(comparison: Comparison) -> str:
    """Say by which rules and how it was worked out, and what was taken for granted.

    Parameters
    ----------
    comparison : Comparison
        Any.

    Returns
    -------
    str
        Sentences in the language of the moment.
    """
    how = tr("exact")
    if comparison.plan is not None:
        told = mark("{trials} trials a cell, seed {seed}")
        how = tr(told, trials=f"{comparison.plan.trials:,}", seed=comparison.plan.seed)
        how += tr(", shared dice") if comparison.plan.dice == "shared" else ""
    spend = comparison.terms.spend
    if spend is not None or not any("spend" in one.more for one in comparison.loadouts):
        policy = spend if isinstance(spend, str) else (spend or {}).get("blood_on_injury", "none")
        how += "; " + tr("blood spent on injury rolls: {policy}", policy=policy)
    assumed = [] if any("unit" in one.attacker for one in comparison.loadouts) else [mark("an attacker with 0 DICE")]
    assumed += [mark("short range, no cover and a fresh target where nothing else is said"), *comparison.assumed]
    what = "; ".join(map(retold, assumed))
    return tr("{edition}, {how}. Assumed: {what}.", edition=comparison.edition, how=how, what=what)
