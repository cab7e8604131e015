"""One order of an activation as problems: what is rolled, step by step.

A retreat asks what becomes of the attacker: it stands, is Down, or is out of action, by free attacks that do not depend
on its target. So an order with a retreat is up to three problems, each with its share, that are alike until then.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from msgspec.structs import replace as with_fields

from tcsim.base.errors import InputError
from tcsim.scenario import model
from tcsim.scenario import problem as p
from tcsim.scenario.problem import Gate, Problem, Step
from tcsim.scenario.resolve import Resolved, resolve
from tcsim.situations import activation_file as f
from tcsim.situations.activation_file import Asked, Doing
from tcsim.situations.activation_rules import MOVING, Legal

#: What becomes of the attacker when it retreats; without a retreat it stands.
STANDS, DOWN, OUT = "stands", "down", "out"

#: A gate that nobody passes: the activation ends there.
_SHUT = Step(kind=p.GATE, gate=Gate(keep=1, net=0, total=7))

#: What is said of rules that a step answers by itself.
_ANSWERED = ("Changes nothing here: charging,", "Changes nothing here: retreating,")
_IDLE, _COUNTED = "Changes no dice here: ", {"ASSAULT", "HEAVY", "RELOAD", "STRONG"}


@dataclass(frozen=True)
class Branch:
    """One of the problems of an order.

    Parameters
    ----------
    fate : str
        What becomes of the attacker when it retreats.
    resolved : Resolved
        The question behind it; its problem is not this one.
    problem : Problem
        What is rolled: no attack after the activation.
    spans : tuple of (int, int) or None
        For each step the moves that are its own, the first and the one after the last; None where it is not taken.
    """

    fate: str
    resolved: Resolved
    problem: Problem
    spans: tuple[tuple[int, int] | None, ...]


@dataclass
class _Attacker:
    """How the attacker is while the steps of an order are written down."""

    lying: bool
    rose: bool = False
    contact: bool = False
    charged: bool = False
    dives: bool = False
    cleared: bool = False
    ended: bool = False
    risen_from_retreat: bool = False


class Writer:
    """Writes orders of an activation as problems.

    Parameters
    ----------
    asked : Asked
        The activation.
    legal : Legal
        Its rules, and its attacks.
    catalog : Catalog or None
        Where names are looked up.
    """

    def __init__(self, asked: Asked, legal: Legal, catalog: Any) -> None:
        self.asked, self.legal, self.catalog = asked, legal, catalog
        self._known: dict[str, Resolved] = {}

    def branches(self, order: tuple[Doing, ...]) -> list[Branch]:
        """Write an order down.

        Parameters
        ----------
        order : tuple of Doing
            Legal.

        Returns
        -------
        list of Branch
            One, or one for each fate of an attacker that retreats.

        Raises
        ------
        InputError
            For a charge that cannot reach.
        """
        retreats = any(step.kind == f.RETREAT for step in order)
        return [self._branch(order, fate) for fate in ((STANDS, DOWN, OUT) if retreats else (STANDS,))]

    def _branch(self, order: tuple[Doing, ...], fate: str) -> Branch:
        begun = self.legal.begin()
        now = _Attacker(lying=begun.lying, contact=begun.contact)
        tables: list[Any] = []
        told: list[tuple[Doing, list[Any] | None]] = []
        shut_before = -1  # which table the activation ends before
        for step in order:
            written = self._write(step, now, fate)
            if now.ended and shut_before < 0:
                shut_before = len(tables) + len(written or [])
            told.append((step, written))
            tables += written or []
        resolved = self._resolve(tables, told)
        return self._cut(resolved, told, len(tables), shut_before, fate)

    def _write(self, step: Doing, now: _Attacker, fate: str) -> list[Any] | None:
        """Give the tables of a step, none where nothing is rolled, or None where it is not taken."""
        if step.kind == f.STAND:
            return self._stand(step, now)
        if step.kind in MOVING and (now.lying or (now.rose and not self.asked.moves_after)):
            return None  # only an attacker that went Down as it retreated
        if step.kind in (f.MOVE, f.MOVE_IN_MELEE):
            now.cleared |= step.kind == f.MOVE_IN_MELEE
            return self._shaken(step, now)
        if step.kind in f.ROLLED:
            if self._needs_no_roll(step.kind):
                return []
            doing = step.kind if step.kind in (f.DASH, f.CLIMB, f.JUMP) else None
            return [self._risky(step.label, step.table.action_dice, now, doing)]
        if step.kind == f.CHARGE:
            return self._charge(step, now)
        if step.kind == f.RETREAT:
            written = self._shaken(step, now)
            now.contact = False
            now.lying = fate == DOWN
            now.risen_from_retreat = fate == DOWN
            now.ended = fate == OUT or (fate == DOWN and self.legal.rules.activation["downed"] == "ends")
            return written
        return self._attack(step, now)

    def _needs_no_roll(self, kind: str) -> bool:
        """Whether a rule of the attacker spares it the roll of climbing, or of jumping too."""
        said = self.legal.attacker.says("movement")
        return (kind in (f.CLIMB, f.JUMP) and "no_climb_or_jump_test" in said) or (
            kind == f.CLIMB and "no_climb_test" in said
        )

    def _risky(self, label: str, dice: int, now: _Attacker, doing: Any = None) -> model.Risky:
        return model.Risky(event="risky", action_dice=dice + self._down_dice(now), label=label, doing=doing)

    def _down_dice(self, now: _Attacker) -> int:
        """The dice of an attacker that went Down as it retreated; one that begins Down has them from the scenario."""
        lies = now.lying and now.risen_from_retreat
        return self.legal.rules.modifiers["attacker_down"].action_dice if lies else 0

    def _shaken(self, step: Doing, now: _Attacker) -> list[Any]:
        shaken = self.asked.table.shaken and self.legal.rules.activation["shaken"] == "every action"
        return [self._risky(step.label, 0, now)] if shaken else []

    def _stand(self, step: Doing, now: _Attacker) -> list[Any] | None:
        if not now.lying:
            return None  # only an attacker that may go Down as it retreats
        if now.risen_from_retreat:
            written = self._risky(step.label, step.table.action_dice, now)
        else:
            dice = step.table.action_dice
            written = model.Risky(event="attacker_stand", action_dice=dice, label=step.label)
        now.lying, now.rose = False, True
        return [written]

    def _charge(self, step: Doing, now: _Attacker) -> list[Any]:
        table, asked = step.table, self.asked.table
        rolls = (("diving charge", table.diving), ("charge out of sight", table.out_of_sight))
        first = [name for name, holds in rolls if holds]
        halved = asked.stood_up or now.rose or (self.asked.scenario.attacker.down and self.asked.stands == "activated")
        halved &= "no_halving" not in self.legal.attacker.says("standing")
        bonus = table.bonus
        if bonus is None and self._carries_heavy():
            bonus = "none"
        now.contact, now.charged, now.dives = True, True, table.diving
        charge = model.Charge(event="charge", distance=table.distance, move=asked.move, bonus=bonus, halved=halved)
        kinds = {"diving charge": "diving_charge"}
        return [*(self._risky(name, table.action_dice, now, kinds.get(name)) for name in first), charge]

    def _carries_heavy(self) -> bool:
        """Whether a HEAVY weapon takes the die of a charge."""
        if self.legal.rules.activation["no_die"] != "any" or self.legal.unhindered:
            return False
        return any("HEAVY" in action.keywords for action in self.legal.attacks)

    def _attack(self, step: Doing, now: _Attacker) -> list[Any] | None:
        given, action = self.asked.scenario.attacks[step.attack], self.legal.attacks[step.attack]
        assert isinstance(given, model.Attack)
        melee = action.kind == "melee"
        if melee and not now.contact:
            return None  # it went Down as it retreated, and has not charged again
        more: dict[str, Any] = {}
        if now.charged or (not melee and any(one.kind == f.CHARGE for one in self.asked.steps)):
            more["charging"] = True
        if melee and now.dives:
            more["diving_charge"] = True
            now.dives = self.legal.rules.activation["diving"] == "all"
        if melee and now.cleared:
            more["defended_obstacle"] = False
        dice = self._down_dice(now)
        if dice:
            more["action_dice"] = given.action_dice + dice
        written: list[Any] = []
        if self.asked.table.shaken:
            if "RISKY" not in action.keywords:
                more["keywords"] = [*given.keywords, "RISKY"]
            if action.step.auto_hit and self.legal.rules.activation["shaken"] == "every action":
                written.append(self._risky(step.label, 0, now))
        return [*written, with_fields(given, **more)]

    def _resolve(self, tables: list[Any], told: list[tuple[Doing, list[Any] | None]]) -> Resolved:
        """Resolve what is rolled; what has no attack left is a question too, so one more stands behind its end."""
        asked = self.asked.scenario
        behind = [model.Event(event="activation"), model.Attack(keywords=["AUTO-HIT"])]
        attacker = asked.attacker
        if attacker.down and self.asked.stands == "activated":
            attacker = with_fields(attacker, down=False)
        scenario = with_fields(asked, attacks=[*tables, *behind], attacker=attacker)
        key = repr([with_fields(one, label=None) if isinstance(one, model.Risky) else one for one in tables])
        if key not in self._known:
            try:
                self._known[key] = resolve(scenario, self.catalog)
            except InputError as error:
                raise InputError(self._placed(str(error), told)) from None
        return self._known[key]

    def _placed(self, message: str, told: list[tuple[Doing, list[Any] | None]]) -> str:
        """Say the step in place of the table that was made of it."""
        number = 0
        for step, written in told:
            for _ in written or ():
                if message.startswith(f"attacks[{number}]"):
                    return step.where + message.removeprefix(f"attacks[{number}]")
                number += 1
        return message

    def _cut(
        self, resolved: Resolved, told: list[tuple[Doing, list[Any] | None]], tables: int, shut: int, fate: str
    ) -> Branch:
        """Take what stands behind the end off again, and count the moves of each step."""
        lengths = [
            0 if action.step.kind == p.GATE and action.step.gate.is_certain else action.volleys
            for action in resolved.actions[:tables]
        ]
        steps = _moves(resolved.problem, sum(lengths))
        if shut >= 0:
            at = sum(lengths[:shut])
            steps = [*steps[:at], _SHUT, *steps[at:]]
        spans: list[tuple[int, int] | None] = []
        place = table = 0
        for step, written in told:
            if written is None:
                spans.append(None)
                continue
            begin, place = place, place + sum(lengths[table : table + len(written)])
            table += len(written)
            place += step.kind == f.RETREAT and shut >= 0
            spans.append((begin, place))
        problem = replace(resolved.problem, steps=tuple(steps))
        notes = tuple(note for note in resolved.notes if not _is_answered(note))
        return Branch(fate, replace(resolved, notes=notes), problem, tuple(spans))


def _is_answered(note: str) -> bool:
    """Whether a note is about what an activation itself asks for and counts."""
    idle = note.startswith(_IDLE) and set(note.removeprefix(_IDLE).rstrip(".").split(", ")) <= _COUNTED
    return idle or note.startswith(_ANSWERED)


def _moves(problem: Problem, count: int) -> list[Step]:
    """Give the first moves of a problem, a step each."""
    each = [step._replace(volleys=1) for step in problem.steps for _ in range(step.volleys)]
    return each[:count]


def retreat_question(asked: Asked, catalog: Any) -> Resolved | None:
    """Give the free attacks on a retreating attacker as a question of their own.

    Parameters
    ----------
    asked : Asked
        An activation with a retreat.
    catalog : Catalog or None
        Where names are looked up.

    Returns
    -------
    Resolved or None
        None where nobody may strike.
    """
    if not asked.free_attacks:
        return None
    enemy = asked.scenario.target
    attacks = [with_fields(one, retreating=True, kind=one.kind or "melee") for one in asked.free_attacks]
    scenario = model.Scenario(
        edition=asked.scenario.edition,
        attacker=model.Attacker(unit=enemy.unit, armour=enemy.armour, abilities=enemy.abilities),
        target=asked.retreating or model.Target(),
        attacks=[*attacks],
        options=asked.scenario.options,
    )
    try:
        return resolve(scenario, catalog)
    except InputError as error:
        raise InputError(f"in the free attacks of the retreat: {error}") from None
