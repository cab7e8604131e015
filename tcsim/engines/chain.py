"""The chances of one attack roll, elementwise over arrays of (problem, state): half of the rules of the fight.

What a result does to the target is the other half (:mod:`tcsim.engines.target`). Both the exact engine (forwards, over
probabilities) and optimal spending (backwards, over values) are loops around these functions, so the rules stand once.
All arrays broadcast together; ``row`` is a step of the block.

Within a volley a state holds more than between two: markers ``placed`` (and ``infecting``) and a Down result
(``fallen``) that take effect when the volley ends, and two passing values: ``ended`` 2 is a risky attack missed in this
volley, ``tough`` 2 is TOUGH used up in this volley while it absorbs the whole of it; ``seen`` are the markers before
the volley, which all its action rolls see. ``streak`` counts hits in a row, ``struck`` tells who of a fireteam has hit;
``own_blood`` and ``own_blessing`` are the attacker's markers, where players choose when to spend them.

What only special problems have (see :class:`tcsim.scenario.problem.Special`) stands behind ``block.special``, so that
plain ones go the plain way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tcsim.engines.block import Block, Ints, Tails
from tcsim.scenario.problem import ACTION_KEEP, GATE, OUT, ROLLED

#: Most hits in a row that are counted, and how many values tell which of two models have hit.
LONGEST_STREAK, WHO_STRUCK = 3, 4

#: What a field of States holds where no problem of a block has anything else: it takes no part in the arithmetic.
NOTHING: Any = np.zeros((), dtype=np.int64)


class States(NamedTuple):
    """States of targets, an array a field; ``NOTHING`` for a field that is 0 everywhere."""

    ended: Any
    tough: Any
    blessing: Any
    down: Any
    blood: Any
    infection: Any = NOTHING
    spared: Any = NOTHING
    warded: Any = NOTHING
    firm: Any = NOTHING
    streak: Any = NOTHING
    struck: Any = NOTHING
    placed: Any = NOTHING
    infecting: Any = NOTHING
    fallen: Any = NOTHING
    seen: Any = NOTHING
    own_blood: Any = NOTHING
    own_blessing: Any = NOTHING

    def at(self, where: Any) -> States:
        """Give some of the states.

        Parameters
        ----------
        where : index
            Into every field.

        Returns
        -------
        States
            Those.
        """
        return States(*(field[where] if np.ndim(field) else field for field in self))

    @property
    def markers(self) -> Any:
        """Blood and infection markers, all of which can be spent."""
        return self.blood + self.infection


@dataclass
class Entries:
    """The chain: which problem of a block, which state, how probable."""

    problem: Ints
    states: States
    p: Any


def is_made(block: Block, row: Ints, states: States) -> Any:
    """Whether an attack is made: some depend on what was hit before, or on how the target is.

    Parameters
    ----------
    block : Block
        The problems.
    row : array of int
        Which step.
    states : States
        The targets, after :func:`begin`.

    Returns
    -------
    array of bool
        Whether it is.
    """
    if block.special is None:
        return np.ones(row.shape, dtype=bool)
    special = block.special
    made = (states.streak >= special.after_hits[row]) & (states.down >= special.if_down[row])
    if block.strikes:
        wanted, barred = special.if_struck[row], special.unless_struck[row]
        made = made & ((wanted == 0) | (states.struck & wanted > 0)) & (states.struck & barred == 0)
    if block.has_phases:
        made = made & (special.if_spared[row] != np.where(states.spared > 0, 2, 1))
    return made


def begin(block: Block, row: Ints, states: States) -> States:
    """Count hits in a row anew where an attack begins to.

    Parameters
    ----------
    block, row, states
        As in :func:`is_made`.

    Returns
    -------
    States
        The targets.
    """
    if block.special is None or not block.counts_hits:
        return states
    return states._replace(streak=np.where(block.special.begins[row] == 1, 0, states.streak))


def count_hit(block: Block, row: Ints, states: States, hit: bool) -> States:
    """Count a hit in a row, or end the row with a miss; and remember who of a fireteam has hit.

    Parameters
    ----------
    block, row
        As in :func:`is_made`.
    states : States
        The targets.
    hit : bool
        Whether they were hit.

    Returns
    -------
    States
        The targets.
    """
    if block.strikes and hit:
        states = states._replace(struck=states.struck | block.special.strikes[row])
    if not block.counts_hits:
        return states
    return states._replace(streak=np.minimum(states.streak + 1, LONGEST_STREAK) if hit else 0 * states.streak)


def forced(block: Block, row: Ints, states: States) -> Any:
    """Give the result of a hit that makes no injury roll.

    Parameters
    ----------
    block, row, states
        As in :func:`is_made`; hits in a row do not count this one.

    Returns
    -------
    array of int, or None
        ``ROLLED`` where there is a roll; None where there always is one.
    """
    if block.special is None:
        return None
    special = block.special
    reached = (special.out_after_hits[row] > 0) & (states.streak >= special.out_after_hits[row])
    return np.where(reached, OUT, special.result[row])


def hit_chances(
    block: Block, tails: Tails, problem: Ints, row: Ints, states: States, first_shot: bool, spent: Any = 0
) -> tuple[tuple[Any, Any, Any], ...]:
    """Chances of the action roll.

    Parameters
    ----------
    block : Block
        The problems.
    tails : Tails
        Chances of pools, in the number type wanted.
    problem, row : array of int
        Which problem and step.
    states : States
        The targets.
    first_shot : bool
        Whether it is the first shot of its volley.
    spent : array of int, optional
        DICE from markers that are spent on it, beyond those that the step counts.

    Returns
    -------
    tuple of tuple of array
        P(failure), P(plain success), P(critical). With re-rolls in the block these are of attacks after which the
        activation goes on, and beside them stand those of attacks that end it.
    """
    net = block.action_dice[row, states.down]
    if np.ndim(spent) or spent:
        net = net + spent
    if first_shot:
        net = net + block.step.first_shot_dice[row]
    lowest = block.charts.critical[problem]
    if block.special is not None:
        special = block.special
        markers = states.seen if np.ndim(states.seen) and not first_shot else states.markers
        lower = special.critical_lower[row] + special.critical_lower_per_marker[row] * markers
        lowest = np.maximum(lowest - lower, block.charts.success[problem])
    stories = _rolled(block, tails, row, net, (problem, lowest))
    return _react(block, tails, row, net, (problem, lowest), states, stories) if block.reacts else stories


#: P(failure), P(plain success), P(critical).
Chances = tuple[Any, Any, Any]


def _rolled(block: Block, tails: Tails, row: Ints, net: Ints, limits: tuple[Ints, Ints]) -> tuple[Chances, ...]:
    """Chances of an action roll with so many DICE; ``limits``: the problem, and the lowest critical."""
    problem, lowest = limits
    pools = tails.rows(np.full_like(net, ACTION_KEEP), net)
    success = tails.at_least(pools, block.charts.success[problem])
    critical = tails.at_least(pools, lowest)
    auto = block.step.auto_hit[row] == 1
    if auto.any():
        success, critical = np.where(auto, 1, success), np.where(auto, 0, critical)
    chances = (1 - success, success - critical, critical)
    return _reroll(block, tails, row, net, limits, chances) if block.rerolls else (chances,)


def _react(
    block: Block,
    tails: Tails,
    row: Ints,
    net: Ints,
    limits: tuple[Ints, Ints],
    states: States,
    stories: tuple[Chances, ...],
) -> tuple[Chances, ...]:
    """Let the target roll first: its success takes DICE off the action roll, and its critical makes that a failure."""
    charts, special, problem = block.charts, block.special, limits[0]
    reacts = (special.reaction_takes[row] > 0) & (block.step.auto_hit[row] == 0)
    dice = np.where(states.down == 1, special.reaction_dice_down[row], special.reaction_dice[row])
    pools = tails.rows(np.full_like(dice, ACTION_KEEP), dice)
    critical = reacts * tails.at_least(pools, charts.critical[problem])
    success = reacts * tails.at_least(pools, charts.success[problem]) - critical
    hindered = _rolled(block, tails, row, net - reacts * special.reaction_takes[row], limits)
    mixed = [
        tuple((1 - success - critical) * one + success * other for one, other in zip(free, less, strict=True))
        for free, less in zip(stories, hindered, strict=True)
    ]
    miss, hit, crit = mixed[0]
    return ((miss + critical, hit, crit), *((part[0], part[1], part[2]) for part in mixed[1:]))


def _reroll(
    block: Block, tails: Tails, row: Ints, net: Ints, limits: tuple[Ints, Ints], chances: Chances
) -> tuple[Chances, Chances]:
    """Roll failures again, all dice: the chances of an attack that goes on, and of one with a 1 that ends it all."""
    rerolls = block.special.rerolls[row] * (1 - block.step.auto_hit[row])
    problem, lowest = limits
    miss, hit, critical = chances
    net, lowest = np.broadcast_to(net, row.shape), np.broadcast_to(lowest, row.shape)
    every, hits, criticals = (
        tails.without_ones(ACTION_KEEP, net, limit)
        for limit in (np.zeros_like(row), block.charts.success[problem], lowest)
    )
    again = miss * (rerolls > 0)
    clean = (again * (every - hits), again * (hits - criticals), again * criticals)
    spoilt = (again * miss - clean[0], again * hit - clean[1], again * critical - clean[2])
    fails = rerolls == 2
    spoilt = (
        np.where(fails, sum(spoilt), spoilt[0]),
        np.where(fails, 0 * spoilt[1], spoilt[1]),
        np.where(fails, 0 * spoilt[2], spoilt[2]),
    )
    return (miss - again + clean[0], hit + clean[1], critical + clean[2]), spoilt


def gate_chance(block: Block, tails: Tails, row: Ints, spent: Any = 0) -> Any:
    """Chance that a gate lets the activation go on.

    Parameters
    ----------
    block, tails
        As in :func:`hit_chances`; there is a gate in the block.
    row : array of int
        Which step.
    spent : array of int, optional
        DICE from markers that are spent on it, beyond those that the gate counts.

    Returns
    -------
    array
        P(total reached), 1 for steps that are no gates.
    """
    gate = block.gate
    chance = tails.at_least(tails.rows(gate.keep[row], gate.net[row] + spent), gate.total[row])
    return np.where(block.step.kind[row] == GATE, chance, 0 * chance + 1)


def injury_chances(
    block: Block, tails: Tails, problem: Ints, row: Ints, states: States, critical: Any, blessing: Any, choice: Any
) -> tuple[Any, Any, Any]:
    """Chances of the injury roll, as those of reaching each result or a worse one.

    Parameters
    ----------
    block, tails, problem, row
        As in :func:`hit_chances`.
    states : States
        The targets as the roll sees them, before anything is spent on it.
    critical : array of int
        1 for a critical hit.
    blessing : array of int
        Blessing markers spent on the roll.
    choice : array of int
        What is spent on it, as :meth:`Block.dice` and :meth:`Block.bloodbath` read it.

    Returns
    -------
    tuple of array
        P(Minor Hit or worse), P(Down or worse), P(out of action), before anything softens the result.
    """
    charts = block.charts
    bloodbath = block.bloodbath(choice)
    flat = bloodbath * block.rulings.bloodbath_adds_flat_die[problem]
    keep = block.step.injury_keep[row] + bloodbath - flat
    net = block.injury_dice[row, states.down, critical] + block.dice(choice) - blessing
    modifier = block.injury_modifier[row, states.down, critical]
    if block.special is not None:
        special = block.special
        modifier = modifier + special.modifier_per_marker[row] * states.markers
        # a die that is a 6 is among the highest, so the others are kept one less; among lowest it is the one too many
        among_highest = special.sixes[row] * (net >= 0)
        keep, modifier = keep - among_highest, modifier + 6 * among_highest
        net = net + special.sixes[row] * (net < 0)
    pools = tails.rows(keep, net, flat)
    reach = (
        tails.at_least(pools, charts.minor_hit[problem] - modifier),
        tails.at_least(pools, charts.down[problem] - modifier),
        tails.at_least(pools, charts.out_of_action[problem] - modifier),
    )
    result = forced(block, row, states)
    if result is None or (result == ROLLED).all():
        return reach
    least, middle, most = (
        np.where(result == ROLLED, chance, (result >= wanted) * 1) for wanted, chance in enumerate(reach, start=1)
    )
    return least, middle, most


def blessing_spent(block: Block, problem: Ints, row: Ints, states: States) -> Any:
    """Blessing markers that the target's player spends on an injury roll.

    Parameters
    ----------
    block, problem, row, states
        As in :func:`hit_chances`.

    Returns
    -------
    array of int
        All or none.
    """
    spent = states.blessing * block.blessing_policy[problem]
    result = forced(block, row, states)
    return spent if result is None else spent * (result == ROLLED)


def bloodbath_cost(block: Block, problem: Ints, row: Ints, down: Any) -> Any:
    """Markers that a Bloodbath costs.

    Parameters
    ----------
    block, problem, row
        As in :func:`hit_chances`.
    down : array of int
        Whether the target is Down.

    Returns
    -------
    array of int
        Markers.
    """
    full = block.bloodbath_cost[problem, down]
    if block.special is None:
        return full
    cheaper = block.special.bloodbath_cheaper[row] + block.special.bloodbath_cheaper_standing[row] * (1 - down)
    return np.maximum(full - cheaper, 1)


def cost(block: Block, problem: Ints, row: Ints, down: Any, choice: Any) -> Any:
    """Markers that a choice costs.

    Parameters
    ----------
    block, problem, row, down
        As in :func:`bloodbath_cost`.
    choice : array of int
        As in :func:`injury_chances`.

    Returns
    -------
    array of int
        Markers.
    """
    return block.dice(choice) + block.bloodbath(choice) * bloodbath_cost(block, problem, row, down)
