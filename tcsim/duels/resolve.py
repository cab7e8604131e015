"""From a written duel to its numbers: each direction is a scenario, resolved as any other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from msgspec import structs

from tcsim.base.errors import InputError
from tcsim.duels import model as m
from tcsim.duels.approach import Mover, approach_of
from tcsim.duels.given import SIDES, Body, Fighter, GivenDuel
from tcsim.duels.rules import duel_options, read_options
from tcsim.rules import edition
from tcsim.scenario import model
from tcsim.scenario.attacker import Attacker, resolve_attacker
from tcsim.scenario.gates import SKIRMISHER
from tcsim.scenario.model import Attack, Scenario, SpendPolicy
from tcsim.scenario.problem import OPTIMAL, Problem
from tcsim.scenario.resolve import Resolved, resolve
from tcsim.scenario.weapon import weapon_of

if TYPE_CHECKING:
    from tcsim.catalog import Catalog
    from tcsim.scenario.resolve import Paths
    from tcsim.scenario.weapon import Weapon


@dataclass(frozen=True)
class ResolvedDuel:
    """A duel with its numbers, and what a reader of the answer should know.

    Parameters
    ----------
    given : GivenDuel
        As written.
    duel : Duel
        What the engines see.
    names : tuple of str
        What each side is called: its unit, or its letter.
    directions : tuple of Resolved
        What a does to b in contact, standing, and what b does to a.
    notes, assumed : tuple of str
        What is not counted or changes nothing, and what is taken for granted; a sentence each.
    options : dict
        Options whose reading is not the edition's default.
    """

    given: GivenDuel
    duel: m.Duel
    names: tuple[str, str]
    directions: tuple[Resolved, Resolved]
    notes: tuple[str, ...]
    assumed: tuple[str, ...]
    options: dict[str, str | bool]


def resolve_duel(given: GivenDuel, catalog: Catalog | Paths | None = None) -> ResolvedDuel:
    """Settle every name, flag and option of a duel.

    Parameters
    ----------
    given : GivenDuel
        Well formed.
    catalog : Catalog, path, or iterable of paths, optional
        Where names are looked up, or files that add to it and change it; default: the edition's own catalogue.

    Returns
    -------
    ResolvedDuel
        The Duel, and what stands behind it.

    Raises
    ------
    InputError
        For a name that does not exist, or whatever else a duel cannot be.

    Examples
    --------
    >>> from tcsim.duels.given import from_mapping
    >>> fighter = {"attacks": [{"action_dice": 1}], "injury_modifier": -2}
    >>> resolve_duel(from_mapping({"a": fighter, "b": fighter})).duel.fighters[0].melee.down.steps[0].action_dice
    0
    """
    return _Resolver(given, catalog).resolved()


class _Resolver:
    """One duel on its way to numbers; notes grow."""

    def __init__(self, given: GivenDuel, catalog: Catalog | Paths | None) -> None:
        self.given = given
        self.rules = edition(given.edition)
        self.own, self.options = read_options(given.options, self.rules)
        self.rules.read_options(self.options)
        self.catalog = _opened(catalog, given.edition)
        self.fighters: tuple[Fighter, Fighter] = (given.a, given.b)
        self.bodies = tuple(_body(fighter) for fighter in self.fighters)
        self.seen: list[tuple[int, Resolved]] = []
        optimal = given.spend.mode == "optimal"
        if self.own["stand_up"] == "best" and not optimal:
            raise InputError("best is a choice of optimal play; set mode = optimal under spend", "options.stand_up")
        if given.approach is not None and given.approach.who_charges == "best" and not optimal:
            raise InputError("best is a choice of optimal play; set mode = optimal under spend", "approach.who_charges")

    def resolved(self) -> ResolvedDuel:
        given = self.given
        melee = (self._blows(0, "attacks", self._melee(0)), self._blows(1, "attacks", self._melee(1)))
        directions = (self.seen[0][1], self.seen[1][1])
        approach = self._approach() if given.approach is not None else None
        fighters = tuple(self._fighter(side, melee, approach) for side in (0, 1))
        duel = m.Duel(
            edition=given.edition,
            rounds=given.rounds,
            first=SIDES.index(given.first),
            stand_at=m.AT_TURN if self.own["stand_at"] == "turn" else m.AT_ACTIVATION,
            fighters=(fighters[0], fighters[1]),
            approach=approach,
            attacker_first=int(directions[0].options.get("declarations") == "attacker-first"),
        )
        names = tuple(self._name(side, directions[1 - side]) for side in (0, 1))
        changed: dict[str, str | bool] = dict(directions[0].options)
        usual = duel_options(given.edition)
        changed |= {name: value for name, value in self.own.items() if value != usual[name].default}
        notes, assumed = self._told(directions)
        return ResolvedDuel(given, duel, (names[0], names[1]), directions, notes, assumed, changed)

    # --- one side ---------------------------------------------------------------------------------------------

    def _fighter(self, side: int, melee: tuple[m.Blows, m.Blows], approach: m.Approach | None) -> m.Fighter:
        given, mine = self.given, self.fighters[side]
        stand_up = {"wait": m.WAIT, "risky": m.RISKY, "best": m.BEST}[self.own["stand_up"]]
        down = self.rules.modifiers["attacker_down"].action_dice
        start = melee[1 - side].standing.start
        if self.own["stand_at"] == "turn" and approach is None:  # up before anything is done, and none the slower
            start = start._replace(down=0)
        return m.Fighter(
            start=start,
            melee=melee[side],
            charging=self._blows(side, "attacks", self._melee(side, charging=True)) if approach else None,
            shooting=tuple(self._shots(side, distance) for distance in approach.distances) if approach else (),
            stand_up=stand_up if self.own["stand_at"] == "turn" else m.WAIT,
            stand_dice=down,
            drains=int(mine.spend.blood_on_action == "all"),
            blesses=int(mine.spend.blessing_on_action == "all"),
            optimal=int(given.spend.mode == "optimal"),
        )

    def _name(self, side: int, as_target: Resolved) -> str:
        unit = self.fighters[side].unit
        if unit is None:
            return SIDES[side]
        from tcsim.scenario.bearer import open_catalog

        return open_catalog(self.catalog, self.rules).unit(unit, f"{SIDES[side]}.unit").name

    # --- what one does to the other ---------------------------------------------------------------------------

    def _melee(self, side: int, charging: bool = False) -> list[tuple[int, Attack]]:
        found = []
        for index, table in enumerate(self.fighters[side].attacks):
            where = f"{SIDES[side]}.attacks[{index}]"
            if table.kind == "ranged":
                raise InputError('these are its melee attacks; what it shoots stands under "ranged"', f"{where}.kind")
            if self.given.approach is not None:
                if table.charging:
                    raise InputError("with an approach the duel itself knows who has charged", f"{where}.charging")
                if charging:
                    table = structs.replace(table, charging=True)
            table = structs.replace(table, kind="melee")
            if self._weapon(table, where).kind == "ranged":
                raise InputError('this weapon only shoots; put it under "ranged"', f"{where}.weapon")
            found.append((index, table))
        return found

    def _shots(self, side: int, distance: float) -> m.Blows | None:
        tables = []
        for index, table in enumerate(self.fighters[side].ranged):
            where = f"{SIDES[side]}.ranged[{index}]"
            if table.kind == "melee":
                raise InputError('this is what it shoots; its melee attacks stand under "attacks"', f"{where}.kind")
            if table.distance is not None or table.long_range is not None:
                name = "distance" if table.distance is not None else "long_range"
                raise InputError("with an approach the duel itself knows the distance", f"{where}.{name}")
            table = structs.replace(table, kind="ranged")
            weapon = self._weapon(table, where)
            nearest = [int(effect.value) for effect in weapon.effects if effect.target == "min_range"]
            if weapon.range_in is not None:
                if not max([0, *nearest]) <= distance <= weapon.range_in:
                    continue
                table = structs.replace(table, distance=float(distance))
            tables.append((index, table))
        return self._blows(side, "ranged", tables) if tables else None

    def _weapon(self, table: Attack, where: str) -> Weapon:
        return weapon_of(table, self.catalog, self.rules, [], where)

    def _weapons(self, side: int) -> Iterator[Weapon]:
        """Everything that a fighter strikes and shoots with."""
        for key in ("attacks", "ranged"):
            for index, table in enumerate(getattr(self.fighters[side], key)):
                yield self._weapon(table, f"{SIDES[side]}.{key}[{index}]")

    def _blows(self, side: int, key: str, tables: list[tuple[int, Attack]]) -> m.Blows:
        standing, down = (self._resolve(side, key, tables, down=down) for down in (False, True))
        self.seen += [(side, standing)]
        rolls = tuple(
            0 if step.auto_hit else 1 if action.keeps_blood else 2
            for action in standing.actions
            for step in action.steps
            for _ in range(step.volleys)
        )
        return m.Blows(self._problem(standing), self._problem(down), rolls)

    def _problem(self, resolved: Resolved) -> Problem:
        problem = resolved.problem
        steps = (step for action in resolved.actions for step in action.steps)
        policy = problem.policy
        if self.given.spend.mode == "optimal":
            policy = policy._replace(blood=OPTIMAL)
        return replace(
            problem,
            nature=resolved.target.nature,  # with what befalls it when it is activated
            policy=policy,
            steps=tuple(step._replace(volleys=1) for step in steps for _ in range(step.volleys)),
        )

    def _resolve(self, side: int, key: str, tables: list[tuple[int, Attack]], down: bool) -> Resolved:
        mine, theirs = self.fighters[side], self.fighters[1 - side]
        other = self.bodies[1 - side]
        same = {name: getattr(other, name) for name in Body.__struct_fields__}
        scenario = Scenario(
            edition=self.given.edition,
            attacker=self._attacker(side, down),
            target=model.Target(unit=theirs.unit, not_activated=self.given.first == SIDES[side], **same),
            attacks=[table for _, table in tables],
            spend=SpendPolicy(
                blood_on_injury=mine.spend.blood_on_injury, blessing_on_injury=theirs.spend.blessing_on_injury
            ),
            options=self.options,
        )
        try:
            return resolve(scenario, self.catalog)
        except InputError as error:
            raise InputError(self._placed(str(error), side, key, [index for index, _ in tables])) from None

    def _attacker(self, side: int, down: bool = False) -> model.Attacker:
        body = self.bodies[side]
        worn = {name: getattr(body, name) for name in ("armour", "keywords", "abilities", "auras", "blood")}
        return model.Attacker(unit=self.fighters[side].unit, down=down, **worn)

    def _placed(self, message: str, side: int, key: str, indices: list[int]) -> str:
        """Say where a mistake of a scenario stands in the duel."""
        match = re.match(r"(attacks|attacker|target|spend)(?:\[(\d+)\]|\.(\w+))?(?=[.\[:])", message)
        if match is None:
            return message
        rest = message[match.end() :]
        if match[1] == "attacks":
            index = f"[{indices[int(match[2])]}]" if match[2] else ""
            return f"{SIDES[side]}.{key}{index}{rest}"
        if match[1] == "spend":
            return f"{SIDES[side]}.{match[0]}{rest}"
        whose = side if match[1] == "attacker" else 1 - side
        place = SIDES[whose]
        if match[3]:
            inner = self.fighters[whose].target
            default = getattr(Body(), match[3], None)
            in_target = hasattr(inner, match[3]) and getattr(inner, match[3]) != default
            place += (".target" if in_target else "") + f".{match[3]}"
        return f"{place}{rest}"

    # --- the approach -----------------------------------------------------------------------------------------

    def _approach(self) -> m.Approach:
        given = self.given.approach
        assert given is not None
        who = {"a": (m.ALWAYS, m.NEVER), "b": (m.NEVER, m.ALWAYS), "best": (m.CHOSEN, m.CHOSEN)}
        charges = who.get(given.who_charges, (m.ALWAYS, m.ALWAYS))
        movers = (self._mover(0, charges[0]), self._mover(1, charges[1]))
        fails = int(self.own["failed_charge"] == "move")
        return approach_of(given.distance, movers, self.rules.activation, fails, 2 * self.given.rounds)

    def _mover(self, side: int, charges: int) -> Mover:
        """How a fighter comes: what stands in its table, else what its unit, its armour and its rules say."""
        fighter = self.fighters[side]
        attacker = resolve_attacker(self._attacker(side), self.rules, [], self.catalog)
        move = fighter.move if fighter.move is not None else attacker.move
        if move is None:
            raise InputError("it is missing; an approach needs each Movement in inches", f"{SIDES[side]}.move")
        die: str | None = fighter.charge_die
        if die is None:
            die = "none" if self._carries_heavy(side, attacker) else _CHARGE_DICE[attacker.charge_die[0]]
        return Mover(float(move), die, charges, "no_halving" in attacker.says("standing"))

    def _carries_heavy(self, side: int, attacker: Attacker) -> bool:
        """Whether a HEAVY weapon takes the die of its charges."""
        rules = self.rules.activation
        if rules["no_die"] != "any" or ("STRONG" in attacker.words and rules["strong_ignores_heavy"]):
            return False
        return any("HEAVY" in weapon.keywords for weapon in self._weapons(side))

    # --- what is told -----------------------------------------------------------------------------------------

    def _told(self, directions: tuple[Resolved, Resolved]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        notes: dict[str, None] = {}
        idle = [_idle_words(one.notes) for one in directions]
        given = {word for body in self.bodies for word in body.keywords}
        once = (idle[0] ^ idle[1]) & given  # they change dice where their bearer strikes, or where it is struck
        for _, one in self.seen:
            for text in one.notes:
                if text.startswith(_IDLE):
                    left = [word for word in text.removeprefix(_IDLE).rstrip(".").split(", ") if word not in once]
                    text = f"{_IDLE}{', '.join(left)}." if left else ""
                if text and not text.startswith(("Changes nothing here: not_activated", *self._known_here())):
                    notes[text] = None
        for side in (0, 1):
            fixed = [key for key, value in structs.asdict(self.fighters[side].spend).items() if value != "none"]
            for key in fixed if self.given.spend.mode == "optimal" else ():
                notes[_OPTIMAL_ANYWAY.format(key=f"{SIDES[side]}.spend.{key}")] = None
            for key in ("ranged", "move", "charge_die") if self.given.approach is None else ():
                if getattr(self.fighters[side], key) not in (None, []):
                    notes[_NO_APPROACH.format(key=f"{SIDES[side]}.{key}")] = None
            for weapon in self._weapons(side):
                words = (self.rules.keywords.get(text.split(" ")[0]) for text in weapon.keywords)
                if any(word is not None and word.counted for word in words):
                    notes[_ANEW.format(weapon=weapon.name)] = None
        for side, one in enumerate(directions):
            if self.given.approach is not None and "SKIRMISHER" in one.target.words:
                notes[SKIRMISHER] = None
            for name, effect in one.target.rules:
                if effect.counter == "own_blood":
                    notes[_AS_AT_START.format(name=name, who=SIDES[1 - side])] = None
        settled = {"a target that has been activated"} | ({"no charge"} if self.given.approach is not None else set())
        assumed = dict.fromkeys(text for _, one in self.seen for text in one.assumed if text not in settled)
        return tuple(notes), tuple(assumed)

    def _known_here(self) -> Iterable[str]:
        return ("Changes nothing here: charging",) if self.given.approach is not None else ()


#: The die of a charge as a scenario says it, and as a duel does.
_CHARGE_DICE = {"none": "none", "d6": "D6", "d3": "D3", "2d6kh1": "2D6", "2d3kh1": "2D3"}

_IDLE = "Changes no dice here: "

_OPTIMAL_ANYWAY = "Changes nothing here: {key}, both players spend optimally."

_NO_APPROACH = "Changes nothing here: {key}, the two are in contact."

_ANEW = "Not counted: how many of {weapon} are carried; each activation has them anew."

_AS_AT_START = "Not counted: {name} of {who} by the markers of the moment; it is as at the start."


def _idle_words(notes: Iterable[str]) -> set[str]:
    texts = (text.removeprefix(_IDLE).rstrip(".") for text in notes if text.startswith(_IDLE))
    return {word for text in texts for word in text.split(", ")}


def _opened(catalog: Catalog | Paths | None, id: str) -> Catalog | None:
    if catalog is None:
        return None
    from tcsim.catalog import Catalog
    from tcsim.catalog import catalog as load

    return catalog if isinstance(catalog, Catalog) else load(id, catalog)


def _body(fighter: Fighter) -> Body:
    """What a model is like, wherever it was written."""
    own, inner = Body(), fighter.target
    values = {}
    for name in Body.__struct_fields__:
        beside, within, usual = getattr(fighter, name), getattr(inner, name), getattr(own, name)
        values[name] = within if beside == usual else beside
    return Body(**values)
