"""How long a target lasts: its chance to be out of action after each number of attacks, by policy, armour or weapon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tcsim.base.errors import InputError, show
from tcsim.engines.answer import exact_results, resolved

if TYPE_CHECKING:
    import pandas as pd

#: Policies for blood on injury rolls, from spending nothing to the best plan.
POLICIES = ("none", "bloodbath", "all", "greedy", "optimal")
#: Attacks at most: the longest that a plan may be.
MOST = 12


def survival(
    scenario: Mapping[str, Any],
    attacks: int = 6,
    policies: Sequence[str] = POLICIES,
    armours: Sequence[int] | None = None,
    catalog: Any = None,
) -> pd.DataFrame:
    """Tabulate the chance that a target is out of action after each number of attacks.

    Parameters
    ----------
    scenario : mapping
        As :func:`tcsim.odds` takes it; all its attacks together are made once, twice and so on.
    attacks : int, optional
        How often at most, 1 to 12.
    policies : sequence of str, optional
        Of ``none``, ``bloodbath``, ``all``, ``greedy`` and ``optimal``; this last is planned anew for each number of
        attacks, so that at none of them another policy does better.
    armours : sequence of int, optional
        Injury modifiers in place of the target's armour; default: the target as it is.
    catalog : Catalog or sequence of str, optional
        Catalogues of one's own.

    Returns
    -------
    DataFrame
        ``policy``, ``attacks`` (from 0), ``p_out`` (probability in [0, 1], exact), with ``armour`` where armours were
        given.

    Raises
    ------
    InputError
        When the scenario is none, or there are too many attacks.

    Examples
    --------
    >>> survival({"target": {}, "attacks": [{}]}, attacks=2, policies=["all"])["p_out"].round(3).tolist()
    [0.0, 0.169, 0.385]
    """
    import pandas as pd

    if isinstance(attacks, bool) or not isinstance(attacks, int) or not 1 <= attacks <= MOST:
        raise InputError(f"{show(attacks)} is given, a whole number from 1 to {MOST} is wanted", "attacks")
    if not isinstance(scenario, Mapping):
        raise InputError(f"{show(scenario)} is given, a scenario as a mapping is wanted", "scenario")
    rows: list[dict[str, Any]] = []
    asked = []
    for armour in armours if armours is not None else (None,):
        for policy in policies:
            for times in range(attacks + 1):
                rows.append({"policy": policy, "attacks": times} | ({} if armour is None else {"armour": armour}))
                if times:
                    asked.append(resolved(_repeated(scenario, times, policy, armour), catalog))
    chances = iter([result.out_of_action for result in exact_results(asked)])
    for row in rows:
        row["p_out"] = next(chances) if row["attacks"] else 0.0
    return pd.DataFrame(rows)


def _repeated(scenario: Mapping[str, Any], times: int, policy: str, armour: int | None) -> dict[str, Any]:
    given = dict(scenario)
    made = list(given.get("attacks") or [])
    if not made:
        raise InputError("there is none, so a target lasts for ever", "attacks")
    given["attacks"] = made * times
    given["spend"] = {**(given.get("spend") or {}), "blood_on_injury": policy}
    if armour is not None:
        target = {key: value for key, value in (given.get("target") or {}).items() if key != "armour"}
        given["target"] = {**target, "injury_modifier": armour}
    return given
