"""No dice: who controls predatory endless spells and moves them when, and the order of simultaneous actions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from tcsim.aos.editions import FOURTH, THIRD
from tcsim.aos.said import LONGEST, Listed, inches, names, read_name, refuse_twice
from tcsim.base.errors import InputError, show, unknown
from tcsim.base.lang import mark, tr
from tcsim.base.numbers import fraction
from tcsim.questions.kinds import Flag, Word
from tcsim.questions.question import Answer, Asked, Input, Question, family

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: Inches within which a summoner controls an endless spell, and most things that are put in order.
CONTROL, MOST = 30, 12

_PLAYERS = "AB"
_ACTIVE = Input("active", Word({"a": mark("player A"), "b": mark("player B")}), mark("The active player"), default="a")


class EndlessSpell(NamedTuple):
    """An endless spell on the table.

    ``name``; the ``wizard`` that summoned it, a letter for its player first (``A``, ``B2``); ``distance`` from it in
    inches, None where it is slain; and whether it is predatory, so that it ``moves``.
    """

    name: str
    wizard: str
    distance: Fraction | None
    moves: bool = True

    @property
    def player(self) -> str:
        """The player that summoned it."""
        return self.wizard[0]

    @property
    def near(self) -> bool:
        """Whether its summoner may control it."""
        return self.moves and self.distance is not None and self.distance <= CONTROL


class Action(NamedTuple):
    """Something that a ``player`` does, and what it is called."""

    player: str
    name: str


def endless_spell(value: Any) -> EndlessSpell | None:
    """Read an endless spell with its summoner and distance.

    Parameters
    ----------
    value : Any
        As ``Purple Sun:A1:18``, ``Geminids:B:slain`` or ``Bridge:A:6:stays``.

    Returns
    -------
    EndlessSpell or None
        None where it is none.

    Examples
    --------
    >>> endless_spell("Bridge:B:6:stays")
    EndlessSpell(name='Bridge', wizard='B', distance=Fraction(6, 1), moves=False)
    """
    if isinstance(value, EndlessSpell):
        return value
    called, *rest = (part.strip() for part in value.split(":")) if isinstance(value, str) else [""]
    known = read_name(called)
    if known is None or len(rest) not in (2, 3) or rest[2:] not in ([], ["stays"]):
        return None
    wizard, where = rest[0].upper(), rest[1].casefold()
    distance = None if where == "slain" else fraction(where)
    if re.fullmatch(r"[AB]\d{0,2}", wizard, re.ASCII) is None or (distance is None and where != "slain"):
        return None
    return EndlessSpell(known, wizard, distance, not rest[2:]) if not distance or 0 <= distance <= 200 else None


def _written(one: EndlessSpell) -> str:
    where = "slain" if one.distance is None else one.distance
    return f"{one.name}:{one.wizard}:{where}" + ("" if one.moves else ":stays")


def action(value: Any) -> Action | None:
    """Read an action with its player.

    Parameters
    ----------
    value : Any
        As ``A:rally``.

    Returns
    -------
    Action or None
        None where it is none.

    Examples
    --------
    >>> action("A:heroic action")
    Action(player='A', name='heroic_action')
    """
    if isinstance(value, Action):
        return value
    player, _, called = value.partition(":") if isinstance(value, str) else ("", "", "")
    player, known = player.strip().upper(), read_name(called)
    return Action(player, known) if player in tuple(_PLAYERS) and known else None


_SPELLS = Listed(
    "NAME:WIZARD:INCHES+…",
    lambda: tr(
        "1 to {most} endless spells as Purple Sun:A1:18 (its summoner, A or B and a number, and inches from it, or "
        "slain; then :stays for one that is not predatory)",
        most=MOST,
    ),
    endless_spell,
    _written,
    MOST,
)
_ACTIONS = Listed(
    "PLAYER:NAME+…",
    lambda: tr(
        "1 to {most} actions as A:rally+B:dispel, the player and a name of at most {longest} letters and digits",
        most=MOST,
        longest=LONGEST,
    ),
    action,
    lambda one: f"{one.player}:{one.name}",
    MOST,
)


def _constant(exact: Any) -> Any:
    """The same answers in every trial, as there are no dice."""

    def simulate(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
        import numpy as np

        return {key: np.full(trials, float(value)) for key, value in exact(asked).items()}

    return simulate


def _of(player: str, things: Sequence[Any]) -> list[Any]:
    return [one for one in things if one.player == player]


def _turns(asked: Asked) -> tuple[str, str]:
    """Both players, the active one first."""
    active = asked["active"].upper()
    return active, _PLAYERS.replace(active, "")


# --- predatory endless spells ---------------------------------------------------------------------------------


def controlled(spells: Sequence[EndlessSpell], choice: Sequence[str]) -> list[EndlessSpell]:
    """Say which endless spells wizards control: one each, of those they summoned within 30 inches.

    Parameters
    ----------
    spells : sequence of EndlessSpell
        All of them.
    choice : sequence of str
        Names that wizards choose among several; the others take the first that is named.

    Returns
    -------
    list of EndlessSpell
        In the order in which they are named.

    Examples
    --------
    >>> sun, jaws = EndlessSpell("sun", "A1", Fraction(18)), EndlessSpell("jaws", "A1", Fraction(30))
    >>> [one.name for one in controlled([sun, jaws], ["jaws"])]
    ['jaws']
    """
    wanted = {one.casefold() for one in choice}
    chosen: dict[str, EndlessSpell] = {}
    for one in spells:
        if one.near and (one.wizard not in chosen or one.name.casefold() in wanted):
            chosen[one.wizard] = one
    return [one for one in spells if chosen.get(one.wizard) is one]


def moves(asked: Asked) -> list[tuple[EndlessSpell, str, bool]]:
    """Give the moves of predatory endless spells in order.

    Parameters
    ----------
    asked : Asked
        What is asked.

    Returns
    -------
    list of tuple
        The spell, the player who moves it, and whether a wizard controls it: those of the active player, those of the
        other, then the wild ones in turns from the active player on.
    """
    spells, first = asked["spells"], _turns(asked)
    tame = controlled(spells, asked["choice"] or ())
    found = [(one, player, True) for player in first for one in _of(player, tame)]
    wild = [one for one in spells if one.moves and one not in tame]
    wanted = [one.casefold() for one in asked["wild_order"] or ()]
    wild.sort(key=lambda one: wanted.index(one.name.casefold()) if one.name.casefold() in wanted else len(wanted))
    return found + [(one, first[number % 2], False) for number, one in enumerate(wild)]


def _predatory(asked: Asked) -> dict[str, Any]:
    order = moves(asked)
    movers = {one.name: player for one, player, _ in order}
    held = {one.name: Fraction(movers.get(one.name, one.player) == "A") for one in asked["spells"]}
    return {
        **family("order", {one.name: Fraction(number) for number, (one, _, _) in enumerate(order, 1)}),
        **family("controlled", {one.name: Fraction(tame) for one, _, tame in order}),
        **family("held_by_A", held),
    }


def _check_predatory(asked: Asked) -> None:
    spells = {one.name.casefold(): one for one in asked["spells"]}
    if len(spells) < len(asked["spells"]):
        raise InputError("two endless spells have the same name; give each a name of its own", "spells")
    for key in ("choice", "wild_order"):
        refuse_twice(asked, key, "each of them once")
        for one in asked[key] or ():
            if one.casefold() not in spells:
                raise unknown("endless spell", one, [spell.name for spell in asked["spells"]])
    tame = controlled(asked["spells"], asked["choice"] or ())
    wizards: set[str] = set()
    for one in (spells[called.casefold()] for called in asked["choice"] or ()):
        if not one.near:
            far = "its summoner is slain" if one.distance is None else f'it is {inches(one.distance)}" away'
            far = far if one.moves else "it is not predatory"
            raise InputError(
                f"{show(one.name)} is given, and {far}; a summoner controls a predatory endless spell within {CONTROL} "
                "inches (3e hero phase 3-2)",
                "choice",
            )
        if one.wizard in wizards:
            raise InputError(
                f"{one.wizard} is to control two; a wizard controls one at a time (3e hero phase 3-2)", "choice"
            )
        wizards.add(one.wizard)
    for one in (spells[called.casefold()] for called in asked["wild_order"] or ()):
        if one in tame or not one.moves:
            raise InputError(f"{show(one.name)} is given, and it is not wild", "wild_order")


_TAME, _WILD = mark("{name}: {player} moves it, controlled by {wizard}"), mark("{name}: {player} moves it, wild")


def _move_labels(asked: Asked) -> Mapping[str, str]:
    return {
        one.name: tr(_TAME if tame else _WILD, name=_plain(one.name), player=player, wizard=one.wizard)
        for one, player, tame in moves(asked)
    }


def _spell_labels(asked: Asked) -> Mapping[str, str]:
    return {one.name: _plain(one.name) for one in asked["spells"]}


def _plain(written: str) -> str:
    return written.replace("_", " ")


PREDATORY = Question(
    name="predatory",
    inputs=(
        Input("spells", _SPELLS, mark("Endless spells on the table, with summoners and distances"), required=True),
        _ACTIVE,
        Input(
            "choice",
            names(MOST),
            mark("Spells that wizards choose to control, where they have several; left out: the first named"),
        ),
        Input("wild_order", names(MOST), mark("Order in which wild ones are picked; left out: as they are named")),
    ),
    answers=(
        Answer("order", mark("they move in this order"), mark("place"), family=True, labels=_move_labels, bars=False),
        Answer(
            "controlled",
            mark("a wizard controls it (100%), or it is wild"),
            family=True,
            labels=_spell_labels,
            bars=False,
        ),
        Answer(
            "held_by_A",
            mark("until the next hero phase A (100%) or B controls it"),
            family=True,
            labels=_spell_labels,
            bars=False,
        ),
    ),
    exact=_predatory,
    simulate=_constant(_predatory),
    check=_check_predatory,
    rule=mark(
        "At the end of the hero phase, before all other abilities of that moment: a predatory endless spell within 30 "
        "inches of its summoner is controlled, one for each wizard; the others are wild. The active player moves those "
        "its wizards control, then the opponent; then they move a wild one each in turn, the active player first. Who "
        "moved one controls it until the next hero phase; every other is its summoner's."
    ),
    source="3e hero phase: 3-1 to 3-3",
    examples=("spells=Sun:A1:18+Jaws:B1:31+Gate:B1:12", "spells=Sun:A1:18+Jaws:A1:30 choice=Jaws active=B"),
    editions=THIRD,
    notes=lambda asked: (
        mark("Endless spells are not attacked; models may move through them, and not end their moves on them."),
    ),
)


# --- simultaneous actions -------------------------------------------------------------------------------------


def _in_order(asked: Asked) -> list[str]:
    """Names of what happens, in order; an action with its player."""
    acts = [f"{one.player}_{one.name}" for player in _turns(asked) for one in _of(player, asked["actions"])]
    return ["predatory_moves", *acts] if asked["predatory"] else acts


def _simultaneous(asked: Asked) -> dict[str, Any]:
    return family("order", {one: Fraction(number) for number, one in enumerate(_in_order(asked), 1)})


def _check_simultaneous(asked: Asked) -> None:
    keys = [(one.player, one.name.casefold()) for one in asked["actions"]]
    if len(set(keys)) < len(keys):
        raise InputError("a player has two actions of the same name; give each a name of its own", "actions")


def _action_labels(asked: Asked) -> Mapping[str, str]:
    labels = {f"{one.player}_{one.name}": f"{one.player}: {_plain(one.name)}" for one in asked["actions"]}
    return labels | {"predatory_moves": tr("predatory endless spells move")}


SIMULTANEOUS = Question(
    name="simultaneous",
    inputs=(
        Input("actions", _ACTIONS, mark("What the players do at that moment, each player's in order"), required=True),
        _ACTIVE,
        Input(
            "predatory",
            Flag(),
            mark("The hero phase ends, and predatory endless spells move"),
            default=False,
            editions=THIRD,
        ),
    ),
    answers=(
        Answer(
            "order", mark("they happen in this order"), mark("place"), family=True, labels=_action_labels, bars=False
        ),
    ),
    exact=_simultaneous,
    simulate=_constant(_simultaneous),
    check=_check_simultaneous,
    rule={
        **dict.fromkeys(
            THIRD,
            mark(
                "Where both players act at the same moment, the active player does everything first, in any order, "
                "then the other. At the end of the hero phase predatory endless spells move before that."
            ),
        ),
        **dict.fromkeys(
            FOURTH,
            mark(
                "At the end of a turn or a battle round the active player uses all abilities of that moment first, "
                "in any order, then the opponent; at the end of a battle round the active player is who took the last "
                "turn."
            ),
        ),
    },
    source={
        **dict.fromkeys(THIRD, "3e hero phase: 1-4, 3-1"),
        **dict.fromkeys(
            FOURTH, "end of turn: 31.0, 33.0; who is active at the end of a battle round: public core rules"
        ),
    },
    examples=("actions=A:rally+B:dispel+A:dispel", "actions=B:ability+A:ability active=B"),
)

QUESTIONS = (PREDATORY, SIMULTANEOUS)
