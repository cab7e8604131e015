"""What is said of a unit that is struck before a check of control: its save, ward and Health."""

from __future__ import annotations

from tcsim.aos.fights.sequence import NONE
from tcsim.aos.fights.weapons import Needed
from tcsim.base.lang import mark
from tcsim.questions.kinds import Whole
from tcsim.questions.question import Input

#: What is said of the unit of each player.
_SAVES = {"A": mark("Save of A's unit"), "B": mark("Save of B's unit")}
_WARDS = {
    "A": mark("Ward of A's unit, rolled for each point of damage"),
    "B": mark("Ward of B's unit, rolled for each point of damage"),
}
_HEALTHS = {"A": mark("Health of each model of A's unit"), "B": mark("Health of each model of B's unit")}
_WOUNDED = {
    "A": mark("Damage that the first model of A's unit has already"),
    "B": mark("Damage that the first model of B's unit has already"),
}


def save_input(whose: str, name: str, needs: tuple[str, ...] = ()) -> Input:
    """Give the input of a Save.

    Parameters
    ----------
    whose : str
        ``A`` or ``B``.
    name : str
        Its name.
    needs : tuple of str, optional
        Inputs that it goes with.

    Returns
    -------
    Input
        No Save where it is left out.
    """
    return Input(name, Needed(2, none=True), _SAVES[whose], default=NONE, goes_with=needs)


def body_inputs(
    whose: str, ward: str, health: str, wounded: str = "", needs: tuple[str, ...] = ()
) -> tuple[Input, ...]:
    """Give the inputs of what damage comes to.

    Parameters
    ----------
    whose : str
        ``A`` or ``B``.
    ward, health : str
        Their names.
    wounded : str, optional
        Name of that of damage on the first model; empty where it is not asked for.
    needs : tuple of str, optional
        Inputs that they go with.

    Returns
    -------
    tuple of Input
        No ward, Health 1 and no damage where they are left out.
    """
    first = Input(wounded, Whole(0, 49), _WOUNDED[whose], default=0, goes_with=needs)
    return (
        Input(ward, Needed(2, none=True), _WARDS[whose], default=NONE, goes_with=needs),
        Input(health, Whole(1, 50), _HEALTHS[whose], default=1, goes_with=needs),
        *((first,) if wounded else ()),
    )
