"""Which steps of an activation may follow which, by the rules of each edition.

What differs between editions stands in their files, under ``[activation]``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tcsim.base.errors import InputError
from tcsim.rules import Edition
from tcsim.scenario.attacker import Attacker
from tcsim.scenario.resolve import Action
from tcsim.situations import activation_file as f
from tcsim.situations.activation_file import Asked, Doing

#: Steps by which the attacker moves, so that it has to stand; and those that nobody in contact may take.
MOVING = frozenset({f.MOVE, f.DASH, f.CLIMB, f.JUMP, f.CHARGE, f.MOVE_IN_MELEE, f.RETREAT})
APART = frozenset({f.MOVE, f.DASH, f.CLIMB, f.JUMP, f.CHARGE})
#: The ACTION of each step that is taken once; climbing and jumping are parts of moves, risky actions may be any.
_TYPES = {f.STAND: f.STAND, f.MOVE: f.MOVE, f.MOVE_IN_MELEE: f.MOVE, f.DASH: f.DASH, f.CHARGE: f.CHARGE}
_TYPES[f.RETREAT] = f.RETREAT
_SHOOT, _FIGHT = "shoot", "fight"


class Progress(NamedTuple):
    """How far an activation has come.

    ``used``: types of ACTION; ``contact``: with the target; ``lying``: the attacker is certainly Down; ``rose``: it has
    stood up by a roll; ``off_hand``: it has struck with the off-hand weapon; ``over``: what ended it, as RELOAD.
    """

    done: frozenset[int] = frozenset()
    used: tuple[str, ...] = ()
    contact: bool = False
    lying: bool = False
    rose: bool = False
    off_hand: bool = False
    over: str = ""
    last: str = ""


class Legal:
    """What may be done in an activation.

    Parameters
    ----------
    asked : Asked
        The activation.
    rules : Edition
        Its edition.
    attacks : tuple of Action
        The attacks of the scenario, resolved.
    attacker : Attacker
        As resolved.
    """

    def __init__(self, asked: Asked, rules: Edition, attacks: tuple[Action, ...], attacker: Attacker) -> None:
        self.asked, self.rules, self.attacks, self.attacker = asked, rules, attacks, attacker
        self.unhindered = "STRONG" in attacker.words and rules.activation["strong_ignores_heavy"]

    def begin(self) -> Progress:
        """Give the beginning of the activation.

        Returns
        -------
        Progress
            Nothing is done yet.
        """
        lying = self.asked.scenario.attacker.down and self.asked.stands == "risky"
        return Progress(contact=self.asked.table.in_melee, lying=lying)

    def check(self, order: tuple[Doing, ...]) -> None:
        """Check an order of steps.

        Parameters
        ----------
        order : tuple of Doing
            The steps.

        Raises
        ------
        InputError
            For the first step that may not be taken where it stands.
        """
        progress = self.begin()
        for step in order:
            progress = self.take(progress, step)

    def orders(self, most: int) -> Iterator[tuple[Doing, ...]]:
        """Give every legal order of the steps, the given one first if it is legal.

        Parameters
        ----------
        most : int
            How many, at most.

        Yields
        ------
        tuple of Doing
            An order.

        Raises
        ------
        InputError
            When there are more.
        """

        def go_on(progress: Progress, order: tuple[Doing, ...]) -> Iterator[tuple[Doing, ...]]:
            if len(order) == len(self.asked.steps):
                yield order
                return
            for step in self.asked.steps:
                if step.place in progress.done:
                    continue
                try:
                    after = self.take(progress, step)
                except InputError:
                    continue
                yield from go_on(after, (*order, step))

        for number, order in enumerate(go_on(self.begin(), ()), 1):
            if number > most:
                message = f"there are more than {most:,} orders of these steps; say what has to come first with after"
                raise InputError(message, "activation.steps")
            yield order

    def take(self, progress: Progress, step: Doing) -> Progress:
        """Take one step more.

        Parameters
        ----------
        progress : Progress
            How far it has come.
        step : Doing
            What is done next.

        Returns
        -------
        Progress
            How far it is then, if nothing fails.

        Raises
        ------
        InputError
            When it may not be taken there.
        """
        why = self._barred(progress, step)
        if why:
            raise InputError(f"{step.label}: {why}", step.where)
        after = progress._replace(done=progress.done | {step.place}, last=step.kind)
        used = _TYPES.get(step.kind)
        if step.kind == f.ATTACK:
            used, table = self._type(step), self.asked.scenario.attacks[step.attack]
            ends = "RELOAD" in self.attacks[step.attack].keywords
            after = after._replace(off_hand=progress.off_hand or getattr(table, "off_hand", False), last=used)
            after = after._replace(over=self.attacks[step.attack].label if ends else "")
        if used is not None:
            after = after._replace(used=(*after.used, used))
        if step.kind == f.STAND:
            after = after._replace(lying=False, rose=True)
        elif step.kind in (f.CHARGE, f.RETREAT):
            after = after._replace(contact=step.kind == f.CHARGE)
        return after

    def _type(self, step: Doing) -> str:
        return _SHOOT if self.attacks[step.attack].kind == "ranged" else _FIGHT

    def _barred(self, progress: Progress, step: Doing) -> str:
        """Why a step may not be taken; empty if it may."""
        if not step.after <= progress.done:
            first = next(one.label for one in self.asked.steps if one.place in step.after - progress.done)
            return f"it is said to come after {first}"
        if progress.over:
            return f"{progress.over} is a RELOAD weapon, the activation ends with its shot"
        if step.kind in _TYPES and _TYPES[step.kind] in progress.used:
            return f"each ACTION is taken once in an activation, and {_TYPES[step.kind]} has been"
        if step.kind == f.STAND:
            return self._no_standing(progress)
        if step.kind in MOVING:
            return self._no_moving(progress, step)
        return self._no_attack(progress, step) if step.kind == f.ATTACK else ""

    def _no_standing(self, progress: Progress) -> str:
        if self.asked.stands != "risky":
            return "a Down model stands as it is activated, without a roll, so this is no step"
        if not progress.lying and f.RETREAT not in progress.used:
            return "the attacker is not Down; say down = true for it"
        return ""

    def _no_moving(self, progress: Progress, step: Doing) -> str:
        if progress.lying:
            return "a Down model does not move"
        if progress.rose and not self.asked.moves_after:
            return "it has stood up by a roll in this activation, and does not move in it (move_after_standing = false)"
        if progress.contact and step.kind in APART:
            return 'it is in melee; take "move in melee" or "retreat"'
        if not progress.contact and step.kind in (f.MOVE_IN_MELEE, f.RETREAT):
            return "it is not in melee; charge first, or say in_melee = true"
        if step.kind == f.DASH and "no_dash" in self.attacker.says("movement"):
            return f"{self.attacker.says('movement')['no_dash']} does not let it dash"
        if step.kind == f.CHARGE:
            if self.asked.table.shaken and self.rules.activation["shaken"] == "every action":
                return "a Shaken model does not charge"
            if step.table.out_of_sight and self.rules.activation["unseen_charge"] == "never":
                return f"{self.rules.id} has no charge at a target out of sight"
        heavy = self._heavy_shot()
        if heavy and _TYPES.get(step.kind, f.MOVE) in self.rules.activation["heavy_stops"]:
            return f"{heavy} is HEAVY, and is not shot in one activation with it"
        return ""

    def _heavy_shot(self) -> str:
        """The HEAVY weapon that is shot in this activation, by a model whom that hinders."""
        shots = [self.attacks[step.attack] for step in self.asked.steps if step.attack >= 0]
        heavy = [one.label for one in shots if one.kind == "ranged" and "HEAVY" in one.keywords]
        return heavy[0] if heavy and not self.unhindered else ""

    def _no_attack(self, progress: Progress, step: Doing) -> str:
        action, table = self.attacks[step.attack], self.asked.scenario.attacks[step.attack]
        if any(other.attack == step.attack and other.place in progress.done for other in self.asked.steps):
            return "it has been made; each attack is made once"
        if self._type(step) == _SHOOT:
            return self._no_shot(progress, action, getattr(table, "times", 1))
        if not progress.contact:
            return f"{action.label} is melee, and nothing has brought it into contact; charge first, or in_melee = true"
        if getattr(table, "times", 1) > 1:
            return "an ACTION is taken once in an activation; say the attacks within it as shots"
        if progress.used.count(_FIGHT) >= self.asked.table.melee_attacks:
            return f"it fights with {self.asked.table.melee_attacks} melee weapons; say melee_attacks, if with more"
        if progress.off_hand and not getattr(table, "off_hand", False):
            return "the off-hand weapon strikes last"
        if _FIGHT in progress.used and progress.last != _FIGHT and self.rules.activation["fight"] == "all":
            return f"in {self.rules.id} both melee weapons strike in one Fight ACTION, nothing comes between"
        return ""

    def _no_shot(self, progress: Progress, action: Action, times: int) -> str:
        if progress.contact:
            return "nobody shoots in melee"
        if f.CHARGE in progress.used:
            return "who shoots and charges in one activation shoots first"
        if _SHOOT in progress.used:
            return "each ACTION is taken once in an activation, and it has shot"
        if times > 1 and "GRENADE" not in action.keywords:
            return "an ACTION is taken once in an activation; say the attacks within it as shots"
        types = [self._type(step) if step.attack >= 0 else step.kind for step in self.asked.steps]
        barred = [name for name in self.rules.activation["not_with_a_shot"] if name in types]
        if barred and "ASSAULT" not in action.keywords:
            return f"{action.label} is not ASSAULT, so it is not shot in one activation with a {barred[0]}"
        return ""
