"""What a result does to the target, elementwise over arrays of (problem, state): the other half of the rules.

In a volley nothing takes effect before its end but what softens a result; see :mod:`tcsim.engines.chain`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tcsim.engines.block import Block, Ints
from tcsim.engines.chain import NOTHING, States
from tcsim.scenario.problem import ACTIVATION, DOWN, MINOR_HIT, NO_EFFECT, OUT, STAND


def pay(states: States, price: Any, blessing: Any) -> States:
    """Take off what is spent: blood before infection, which grows, so that its spender keeps it.

    Parameters
    ----------
    states : States
        The targets.
    price, blessing : array of int
        Markers: of blood and infection, and of blessing.

    Returns
    -------
    States
        The targets.
    """
    blood, infection = states.blood - price, states.infection
    if np.ndim(infection):
        infection = infection + np.minimum(blood, 0)
        blood = np.maximum(blood, 0)
    return states._replace(blood=blood, infection=infection, blessing=states.blessing - blessing)


def take_result(
    block: Block, problem: Ints, row: Ints, states: States, result: int, bloodbath: Any = 0
) -> tuple[States, Any]:
    """Apply a result of the injury chart: what takes the place of out of action, Machine Armour, then markers.

    Parameters
    ----------
    block, problem, row
        As in :func:`tcsim.engines.chain.hit_chances`.
    states : States
        The targets, markers spent on the roll already taken off.
    result : int
        ``NO_EFFECT`` .. ``OUT``.
    bloodbath : array of int, optional
        1 where the roll was a Bloodbath.

    Returns
    -------
    States, array of bool or bool
        The targets after it, and which of them are out of action.
    """
    if block.special is not None:
        return _take_special(block, problem, row, states, result, bloodbath)
    charts, rulings = block.charts, block.rulings
    tough, out = states.tough, False
    if result == OUT:
        softened = tough > 0
        out = ~softened
        tough = np.where(softened, 2 * rulings.tough_absorbs_volley[problem], tough)
    gain: Any = block.step.markers[row]
    fallen = states.fallen
    if result == MINOR_HIT:
        gain = gain + charts.minor_hit_markers[problem]
    elif result in (DOWN, OUT):
        minor = block.minor_for_down[problem] == 1
        if result == OUT:
            minor = minor & (rulings.minor_hit_after_tough[problem] == 1)
        again = (states.down == 1) | ((fallen == 1) & (rulings.second_down_counts_as_first[problem] == 0))
        gain = gain + np.where(
            minor,
            charts.minor_hit_markers[problem],
            np.where(again, charts.down_again_markers[problem], charts.down_markers[problem]),
        )
        fallen = np.where(minor, fallen, 1)
    placed = np.minimum(states.placed + gain, charts.marker_limit[problem])
    return states._replace(tough=tough, placed=placed, fallen=fallen), out


def _take_special(
    block: Block, problem: Ints, row: Ints, states: States, result: int, bloodbath: Any
) -> tuple[States, Any]:
    """The same with all that few attacks do and few targets are."""
    charts, rulings, special, nature = block.charts, block.rulings, block.special, block.nature
    spared, tough, firm, blood, placed = states.spared, states.tough, states.firm, states.blood, states.placed
    became: Any = np.full(np.broadcast_shapes(*map(np.shape, (row, tough, spared, bloodbath))), result)
    out: Any = np.zeros(became.shape, dtype=bool)
    by_tough: Any = out
    if result == OUT:
        by_nature = (nature.golem[problem] == 1) & (bloodbath == 0)
        by_sparing = ~by_nature & (spared > 0)
        by_nature = by_nature | ((nature.last_stand[problem] == 1) & (spared == 0) & (bloodbath == 0))
        by_tough = ~by_nature & ~by_sparing & (tough > 0)
        out = ~by_nature & ~by_sparing & ~by_tough
        clean = (nature.tough_unharmed[problem] == 1) | ((nature.tough_unharmed[problem] == 2) & (blood == 0))
        unharmed = by_tough & (tough == 1) & clean
        became = np.where(by_sparing, nature.first_out[problem], np.where(unharmed, NO_EFFECT, DOWN))
        spared = np.where(by_sparing, spared - 1, spared)
        sheds = by_sparing & (nature.spared_sheds[problem] == 1)
        blood, placed = np.where(sheds, 0, blood), np.where(sheds, 0, placed)
        tough = np.where(by_tough, 2 * rulings.tough_absorbs_volley[problem], tough)
    can_soften = ~by_tough | (rulings.minor_hit_after_tough[problem] == 1)
    by_firmness = (became == DOWN) & can_soften & (firm == 1)
    became, firm = np.where(by_firmness, nature.first_down[problem], became), np.where(by_firmness, 0, firm)
    soft = (block.minor_for_down[problem] == 1) & (special.keeps_down[row] == 0)
    soft = soft | ((nature.spared_minor[problem] == 1) & (spared > 0))
    soft = soft | ((nature.unhurt_minor[problem] == 1) & (blood == 0))
    became = np.where((became == DOWN) & can_soften & soft, MINOR_HIT, became)
    became = np.where((became == MINOR_HIT) & (special.down_for_minor[row] == 1), DOWN, became)
    again = (states.down == 1) | ((states.fallen == 1) & (rulings.second_down_counts_as_first[problem] == 0))
    for_down = np.where(again, charts.down_again_markers[problem], charts.down_markers[problem])
    gain = np.where(became == DOWN, for_down, np.where(became == MINOR_HIT, charts.minor_hit_markers[problem], 0))
    gain = gain * special.marker_factor[row] + block.step.markers[row]
    infects = special.infects[row]
    return _place(
        block,
        problem,
        states._replace(
            tough=tough,
            spared=spared,
            firm=firm,
            blood=blood,
            placed=placed,
            fallen=np.where(became == DOWN, 1, states.fallen),
        ),
        gain * (1 - infects),
        gain * infects + special.infection[row],
        special.infection_if_marked[row],
    ), out


def _place(block: Block, problem: Ints, states: States, blood: Any, infection: Any, if_marked: Any) -> States:
    """Place markers, unless the target bears none, or ignores its first one."""
    bears = 1 - block.nature.unmarked[problem]
    blood, infection = blood * bears, infection * bears
    ignored = states.warded * ((blood + infection) > 0)
    of_blood = ignored * (blood > 0)
    infection = infection + if_marked * bears * ((blood + infection - ignored) > 0)
    limit = block.charts.marker_limit[problem]
    return states._replace(
        warded=states.warded - ignored,
        placed=np.minimum(states.placed + blood - of_blood, limit),
        infecting=np.minimum(states.infecting + infection - (ignored - of_blood), limit),
    )


def activate(block: Block, problem: Ints, states: States) -> States:
    """Let targets be activated: infection grows, and some shed blood markers.

    Parameters
    ----------
    block, problem
        As in :func:`tcsim.engines.chain.hit_chances`.
    states : States
        The targets.

    Returns
    -------
    States
        The targets.
    """
    grown = np.minimum(states.infection + 1, block.charts.marker_limit[problem])
    return states._replace(
        infection=np.where(states.infection > 0, grown, 0),
        blood=np.maximum(states.blood - block.nature.regenerates[problem], 0),
    )


def after_event(block: Block, problem: Ints, kind: int, states: States) -> States:
    """Let an event happen: what happens to the target is skipped where the attacker's activation has ended.

    Parameters
    ----------
    block, problem
        As in :func:`tcsim.engines.chain.hit_chances`.
    kind : int
        ``STAND``, ``ACTIVATION`` or ``ACTIVATED``.
    states : States
        The targets.

    Returns
    -------
    States
        The targets.
    """
    if kind == ACTIVATION:
        return states._replace(ended=0 * states.ended)
    goes_on = states.ended == 0
    if kind == STAND:
        return states._replace(down=np.where(goes_on, 0, states.down))
    after = activate(block, problem, states)
    return states._replace(
        blood=np.where(goes_on, after.blood, states.blood),
        infection=np.where(goes_on, after.infection, states.infection),
    )


def end_volley(block: Block, problem: Ints, states: States) -> States:
    """Let what a volley did take effect.

    Parameters
    ----------
    block, problem
        As in :func:`tcsim.engines.chain.hit_chances`.
    states : States
        The targets within the volley.

    Returns
    -------
    States
        The targets after it; nothing is pending.
    """
    limit, infection = block.charts.marker_limit[problem], states.infection
    if block.special is not None:
        infection = np.minimum(infection + states.infecting, limit)
    return states._replace(
        ended=np.minimum(states.ended, 1),
        tough=states.tough % 2,
        down=states.down | states.fallen,
        blood=np.minimum(states.blood + states.placed, limit),
        infection=infection,
        placed=NOTHING,
        infecting=NOTHING,
        fallen=NOTHING,
        seen=NOTHING,
    )
