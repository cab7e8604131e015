"""Two ways of choosing targets that need no plan: focus and spread. Both are chains, exact at any size."""

from __future__ import annotations

import numpy as np

from tcsim.skirmish.field import Field
from tcsim.skirmish.morale import DOWN, OUT, STANDING
from tcsim.skirmish.outcome import Outcome, exactly, joined
from tcsim.skirmish.space import Floats, Space


def focus(field: Field) -> Outcome:
    """Attack the first target that is not out of action, in the order in which they are listed.

    Parameters
    ----------
    field : Field
        The firefight.

    Returns
    -------
    Outcome
        Exact: all before the present target are out of action, all behind it are as they were, so the state is which
        target it is, and its condition.
    """
    spaces = [field.spaces[table] for table in field.targets]
    present = [np.zeros(space.size) for space in spaces]
    begun, all_out = 0, 0.0
    present[0][spaces[0].start] = 1
    for attacker in field.activations:
        moved = [chances @ space.moves[attacker] for chances, space in zip(present[: begun + 1], spaces, strict=False)]
        for number, chances in enumerate(moved):
            gone, chances[-1] = float(chances[-1]), 0.0
            present[number] = chances
            if number + 1 == len(spaces):
                all_out += gone
            elif gone:
                # those that come to the next target attack it from the next activation on
                nxt = number + 1
                if nxt < len(moved):
                    moved[nxt][spaces[nxt].start] += gone
                else:
                    present[nxt][spaces[nxt].start] += gone
                    begun = max(begun, nxt)
    return _focused(field, spaces, present, all_out)


def _focused(field: Field, spaces: list[Space], present: list[Floats], all_out: float) -> Outcome:
    size = len(spaces)
    lying = [bool(space.down[space.start]) for space in spaces]
    ends = np.zeros((3, size + 1, size + 1))
    down, out = np.zeros(size), np.zeros(size)
    ends[STANDING if field.leader is None else OUT, size, 0] = all_out
    out += all_out
    for number, chances in enumerate(present):
        behind = np.array(lying[number + 1 :], dtype=bool)
        out[:number] += chances.sum()
        down[number + 1 :] += chances.sum() * behind
        for fallen in (0, 1):
            share = float(chances[:-1][spaces[number].down[:-1] == fallen].sum())
            down[number] += fallen * share
            leader = STANDING
            if field.leader is not None:
                is_down = fallen if field.leader == number else lying[field.leader]
                leader = OUT if field.leader < number else DOWN if is_down else STANDING
            ends[leader, number, fallen + behind.sum()] += share
    return exactly(field, "focus", ends, (down, out))


def spread(field: Field) -> Outcome:
    """Share the attackers out evenly beforehand: the first on the first target, and so on, round and round.

    Parameters
    ----------
    field : Field
        The firefight.

    Returns
    -------
    Outcome
        Exact: every target is a chain of its own. An attacker whose target is out of action already does nothing.
    """
    chances = []
    for number, table in enumerate(field.targets):
        space = field.spaces[table]
        now = np.zeros(space.size)
        now[space.start] = 1
        for attacker in field.activations[number :: len(field.targets)]:
            now = now @ space.moves[attacker]
        fallen, out = float(now[space.down].sum()), float(now[-1])
        chances.append((max(1 - fallen - out, 0.0), fallen, out))
    each = (np.array([one[1] for one in chances]), np.array([one[2] for one in chances]))
    return exactly(field, "spread", joined(chances, field.leader), each)
