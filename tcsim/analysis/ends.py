"""How a target ends, from unhurt to out of action, and how often it ends so or worse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tcsim.engines.result import Result
from tcsim.stats import interval

if TYPE_CHECKING:
    import pandas as pd


def ends(result: Result) -> pd.DataFrame:
    """Tabulate how the target of a scenario ends, mild to severe.

    Markers that a few targets hold apart (infection) count as blood markers, as they do on the table; blessing markers
    and TOUGH are left aside.

    Parameters
    ----------
    result : Result
        As :func:`tcsim.odds` or :func:`tcsim.simulate` gives it.

    Returns
    -------
    DataFrame
        ``out_of_action``, ``down``, ``blood`` (missing when out of action), ``p`` (probability in [0, 1]) and
        ``at_least`` (of this or worse); where it was rolled, also ``count``, ``trials`` and 95% intervals of both:
        ``low``, ``high``, ``at_least_low``, ``at_least_high``.

    Examples
    --------
    >>> import tcsim
    >>> found = ends(tcsim.odds({"target": {}, "attacks": [{}]}))
    >>> found["blood"].tolist(), float(found["at_least"].iloc[0])
    ([0, 1, 1, <NA>], 1.0)
    """
    import pandas as pd

    grouped: dict[tuple[bool, bool, int], float] = {}
    counts: dict[tuple[bool, bool, int], int] = {}
    for state, p in result.states:
        key = (True, False, 0) if state is None else (False, bool(state.down), state.blood + state.infection)
        grouped[key] = grouped.get(key, 0.0) + p
        if result.run is not None:
            counts[key] = counts.get(key, 0) + result.run.counts.get(state, 0)
    order = sorted(grouped)
    rows: list[dict[str, Any]] = []
    for i, key in enumerate(order):
        out, down, blood = key
        worse = order[i:]
        row: dict[str, Any] = {
            "out_of_action": out,
            "down": pd.NA if out else down,
            "blood": pd.NA if out else blood,
            "p": min(1.0, grouped[key]),
            "at_least": 1.0 if i == 0 else min(1.0, sum(grouped[one] for one in worse)),
        }
        if result.run is not None:
            trials = result.run.trials
            row |= {"count": counts[key], "trials": trials}
            _, row["low"], row["high"] = interval(counts[key], trials)
            _, row["at_least_low"], row["at_least_high"] = interval(sum(counts[one] for one in worse), trials)
        rows.append(row)
    return pd.DataFrame(rows).astype({"down": "boolean", "blood": "Int64"})
