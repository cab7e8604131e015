"""One attack of a scenario as numbers: the weapon, the attacker, the situation, and the target's armour against it.

Every number is the sum of lines that say why they are there (:class:`Line`), so what is shown to a user and what the
engines read cannot differ. The rules behind the numbers stand in the edition's file (:mod:`tcsim.rules`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from tcsim.base.errors import InputError, show
from tcsim.dice import Pool
from tcsim.rules import Edition, Keyword
from tcsim.rules.effects import Effect, is_counted
from tcsim.scenario import model
from tcsim.scenario.attacker import Attacker
from tcsim.scenario.notes import note, note_keywords, note_row
from tcsim.scenario.problem import Step
from tcsim.scenario.special import Holding, facts_of
from tcsim.scenario.target import Target, open_catalog, unique_keywords

if TYPE_CHECKING:
    from tcsim.catalog import Catalog


class Line(NamedTuple):
    """Why a number is what it is.

    ``roll``: ``action`` (DICE), ``injury`` (injury dice), ``modifier`` (added to the injury total), ``keep`` (dice
    kept in the injury roll), ``markers`` of keywords, ``extra markers``, ``shots``. ``when``: empty for always, else
    ``standing``, ``down``, ``critical``, ``attack 2``, or two of them with ``and`` between, in order of the alphabet.
    """

    roll: str
    amount: int
    why: str
    when: str = ""


@dataclass(frozen=True)
class Setting:
    """What all attacks of a scenario share: rules, options, attacker, target; notes grow while attacks are resolved."""

    edition: Edition
    catalog: Catalog | None
    options: dict[str, str | bool]
    attacker: Attacker
    target: Target
    notes: list[str]
    assumed: list[str] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    uses: dict[str, list[int]] = field(default_factory=dict)


class _Weapon(NamedTuple):
    """What an attack brings before its situation: a catalogue row's numbers, or nothing."""

    name: str = ""
    kind: str | None = None
    characteristic: str = ""
    range_in: int | None = None
    shots: int = 1
    action_dice: int = 0
    injury_dice: int = 0
    injury_modifier: int = 0
    injury_keep: int | None = None
    auto_hit: bool = False
    ignore_armour: str = "none"
    armour_piercing: int = 0
    keywords: tuple[str, ...] = ()
    effects: tuple[Effect, ...] = ()


def _weapon(table: model.Attack, setting: Setting, where: str) -> _Weapon:
    if table.weapon is None:
        return _Weapon()
    row = open_catalog(setting.catalog, setting.edition).weapon(table.weapon, table.kind, f"{where}.weapon")
    if row.injury_keep == 0:
        raise InputError(f"{row.name} makes no injury roll, which is not answered yet", f"{where}.weapon")
    note_row(setting.notes, row)
    numbers = {name: getattr(row, name) for name in _Weapon._fields if name not in ("name", "kind")}
    return _Weapon(name=row.label, kind=row.attack_kind, **numbers)


#: Fields that special rules ask for, the conditions and counters they answer, and what is assumed without them.
ASKED: dict[str, tuple[set[str], str]] = {
    "charging": ({"charging", "attacker_charged"}, "no charge"),
    "behind_obstacle": ({"attacker_behind_obstacle"}, "an attacker in the open"),
    "indirect": ({"direct", "not_direct"}, "a direct hit"),
    "blast_obstacle": ({"target_obstacle_from_blast"}, "nothing between blast and target"),
    "friends": ({"friend_within_3in"}, "no friends nearby"),
}

#: What decides over some effects and may not have been said.
_MEASURES = {"range": "the distance", "target_base": "the target's base"}


class ResolvedAttack:
    """One attack table with all its numbers; building it checks it.

    Parameters
    ----------
    table : model.Attack
        As read.
    setting : Setting
        What it shares with the other attacks.
    where : str
        Its place in the input.

    Raises
    ------
    InputError
        For names that do not exist, flags of the other kind of attack, and measures that cannot be.
    """

    def __init__(self, table: model.Attack, setting: Setting, where: str) -> None:
        self.table, self.setting, self.where = table, setting, where
        self.weapon = _weapon(table, setting, where)
        self.kind = table.kind or self.weapon.kind or "ranged"
        self.label = self.weapon.name or f"{self.kind} attack"
        self._read_keywords()
        self.auto_hit = self.weapon.auto_hit or any(word.auto_hit for word in self.words)
        self._check_flags()
        self._find_special()
        more = sum(special.amount for special in self.special if special.effect.target == "shots")
        self.shots = table.shots or self.weapon.shots + more
        self._count_uses()
        self.choice = self._choose()
        self.lines = [line for line in self._build_lines() if line.amount]
        self._sums: dict[tuple[str, str], int] = {}
        for line in self.lines:
            place = (line.roll, line.when)
            self._sums[place] = self._sums.get(place, 0) + line.amount

    def _read_keywords(self) -> None:
        rules = self.setting.edition
        keywords = unique_keywords(self.table.keywords, rules, "attack", f"{self.where}.keywords")
        given = [word for word, _ in keywords.values()]
        for text in self.weapon.keywords:
            word, number = rules.keyword(text, "attack", self.weapon.name)
            if word.name not in keywords or keywords[word.name][1] < number:
                keywords[word.name] = (word, number)
        self.keywords = keywords
        self.words: list[Keyword] = [word for word, _ in keywords.values()]
        note_keywords(self.setting.notes, given, lambda word: word.changes_dice)

    def _check_flags(self) -> None:
        modifiers, table = self.setting.edition.modifiers, self.table
        for name in ("cover", "long_range", "elevated", "defended_obstacle", "off_hand", "fear", "distance", "height"):
            if getattr(table, name) is None or getattr(table, name) is False:  # a distance of 0 is given
                continue
            kind = modifiers[name].kind if name in modifiers else "ranged"
            if kind != self.kind:
                raise InputError(f"{name} belongs to {kind} attacks, this one is {self.kind}", self.where)

    def _count_uses(self) -> None:
        if any(word.counted for word in self.words):
            uses = self.setting.uses.setdefault(self.weapon.name or f"the weapon of {self.where}", [0, 0])
            uses[0] += self.table.times * self.shots
            uses[1] = max(uses[1], self.table.carried or 1)
        elif self.table.carried is not None:
            note(self.setting.notes, f"Changes nothing here: carried, {self.label} is neither GRENADE nor CONSUMABLE.")

    def _find_special(self) -> None:
        """Find the special rules, of the weapon and of the target's kit, that hold, and add the keywords they give."""
        mine = tuple(effect for effect in self.weapon.effects if is_counted(effect))
        self._ask(mine)
        self.special: list[Holding] = []
        self.kit: list[tuple[str, Holding]] = []
        if not mine and not self.setting.target.effects:
            return
        facts = facts_of(self.table, self.setting.target, self.kind, self.situation, self.keywords)
        unknown: list[str] = []
        self.special += facts.holding(mine, unknown)
        for name, effect in self.setting.target.effects:
            self.kit += [(name, special) for special in facts.holding((effect,), unknown)]
        for name in unknown:
            note(self.setting.notes, f"Not counted: {self.label} depends on {_MEASURES[name]}; none is given.")
        for special in self.special:
            if special.effect.target == "keyword" and special.effect.value not in self.keywords:
                word, number = self.setting.edition.keyword(special.effect.value, "attack", self.weapon.name)
                self.keywords[word.name] = (word, number)
                self.words.append(word)

    def _ask(self, mine: tuple[Effect, ...]) -> None:
        """Check what can be attacked from how far, and say what is assumed, or given in vain."""
        table, setting = self.table, self.setting
        for effect in self.weapon.effects:
            if effect.target == "min_range" and table.distance is not None and table.distance < int(effect.value):
                message = f'{table.distance:g}" is too near, the {self.weapon.name} reaches from {effect.value}"'
                raise InputError(message, f"{self.where}.distance")
            if effect.target == "only_if":
                only = {"target_down": "that is Down"}.get(effect.value, f"with a base up to {effect.value[-4:]}")
                note(setting.notes, f"{self.label} can only be used against a target {only}.")
            if effect.value.startswith("per_enemy"):
                note(setting.notes, f"{self.label} strikes every enemy it reaches once; this is the one on the target.")
        effects = [*mine, *(effect for _, effect in setting.target.effects)]
        asked = {condition.name for effect in effects for condition in effect.conditions}
        asked |= {effect.counter for effect in effects}
        if setting.target.guards and self.kind == "melee":
            asked.add("attacker_charged")
        is_blast = any(word.name == "BLAST" for word in self.words)
        if self.weapon.ignore_armour == "direct" or (is_blast and not setting.edition.critical_indirect):
            asked.add("direct")
        setting.asked.update(asked)
        for name, (names, otherwise) in ASKED.items():
            given = getattr(table, name)
            if given and not asked & names:
                note(setting.notes, f"Changes nothing here: {name}, no rule of {self.label} asks for it.")
            elif not given and asked & names and otherwise not in setting.assumed:
                setting.assumed.append(otherwise)

    @cached_property
    def _options(self) -> dict[str, int]:
        return next((effect.options for effect in self.weapon.effects if effect.target == "choose"), {})

    def _choose(self) -> str:
        """What the player picks where the weapon lets them: what is named, else the better against this target."""
        if not self._options:
            if self.table.choice is not None:
                note(self.setting.notes, f"Changes nothing here: choice, {self.label} leaves none.")
            return ""
        if self.table.choice is not None:
            return self.table.choice
        chances = {}
        for option in self._options:
            self.choice = option
            injury = [line.amount for line in self._injury_lines() if line.when == ""]
            modifier = [line.amount for line in self._modifier_lines() if line.when == ""]
            pool = Pool(sum(injury), self.weapon.injury_keep or self.setting.edition.injury_keep)
            chances[option] = pool.at_least(self.setting.edition.charts.out_of_action - sum(modifier))
        better = max(chances, key=lambda name: chances[name])
        note(self.setting.notes, f"{self.label} counts what is better here: {better.replace('_', ' ')}.")
        return better

    def _effect_lines(self, target: str, roll: str) -> Iterator[Line]:
        for special in self.special:
            if special.effect.target == target:
                yield Line(roll, special.amount, f"{self.label}: {special.effect.text}", special.when)

    @cached_property
    def situation(self) -> dict[str, bool]:
        """Which of the edition's modifiers hold, whether or not something ignores them."""
        table, target, attacker = self.table, self.setting.target, self.setting.attacker
        ranged = self.kind == "ranged"
        return {
            "cover": table.cover or (ranged and "cover" in target.sets),
            "long_range": self._long_range(),
            "elevated": self._elevated(),
            "defended_obstacle": table.defended_obstacle or (not ranged and table.charging and target.guards),
            "off_hand": table.off_hand,
            "fear": (table.fear or (not ranged and "fear" in target.sets)) and not attacker.fearless,
            "attacker_down": attacker.down,
        }

    def _long_range(self) -> bool:
        table, reach = self.table, self.weapon.range_in
        if table.distance is None:
            return bool(table.long_range)
        if reach is None:
            raise InputError("distance needs a catalogue weapon with a range; say long_range instead", self.where)
        if table.distance > reach:
            message = f'{table.distance:g}" is out of range, the {self.weapon.name} reaches {reach}"'
            raise InputError(message, f"{self.where}.distance")
        boundary = reach * self.setting.edition.boundaries["long_range_share"]
        inclusive = self.setting.options["long_range"] == "half-or-more"
        measured = table.distance >= boundary if inclusive else table.distance > boundary
        return self._agreed(table.long_range, measured, "long_range", "distance")

    def _elevated(self) -> bool:
        table, bounds = self.table, self.setting.edition.boundaries
        if table.height is None:
            return bool(table.elevated)
        large = self.setting.target.base_mm >= bounds["large_base_mm"]
        boundary = bounds["elevated_large_base_in" if large else "elevated_in"]
        inclusive = self.setting.options["elevated"] == "at-least"
        measured = table.height >= boundary if inclusive else table.height > boundary
        return self._agreed(table.elevated, measured, "elevated", "height")

    def _agreed(self, flag: bool | None, measured: bool, name: str, measure: str) -> bool:
        if flag is not None and flag != measured:
            raise InputError(f"{name} = {show(flag)} contradicts {measure}; give one of the two", self.where)
        return measured

    def _ignorer(self, situation: str) -> str | None:
        """The keyword, of the weapon or the attacker, that ignores a situation; the attacker's first."""
        if situation in self.setting.attacker.ignores:
            return self.setting.attacker.ignores[situation]
        plain = [word for word in self.words if situation in word.ignores.split()]
        plain.sort(key=lambda word: word.long_range_injury_dice != 0)  # SHOTGUN only where nothing else does
        return plain[0].name if plain else None

    def _build_lines(self) -> Iterator[Line]:
        if not self.auto_hit:
            yield from self._action_lines()
        yield from self._injury_lines()
        yield from self._modifier_lines()
        for word in self.words:
            if word.injury_keep is not None:
                yield Line("keep", word.injury_keep, word.name)
            if word.name not in self.setting.target.negated:
                yield Line("markers", word.markers, word.name)
        yield from self._effect_lines("blood_extra", "extra markers")
        yield from self._effect_lines("injury_keep", "keep")

    def _action_lines(self) -> Iterator[Line]:
        attacker, rules = self.setting.attacker, self.setting.edition
        which = self.weapon.characteristic or self.kind
        dice = attacker.characteristic(which)
        if dice is None:
            raise InputError(f"{attacker.name} cannot make {self.kind} attacks", self.where)
        yield Line("action", dice, f"{attacker.name}, {which} characteristic")
        yield Line("action", self.weapon.action_dice, self.label)
        yield Line("action", self.table.action_dice, "action_dice")
        yield from self._effect_lines("action_dice", "action")
        replaced = {special.effect.replaces for special in self.special}
        if which == "none":  # an ability, which is no attack: only what touches every roll touches it
            replaced |= self.situation.keys() - {"attacker_down"}
        for name, holds in self.situation.items():
            if holds and name not in replaced and self._ignorer(name) is None:
                only_standing = name == "defended_obstacle" and self.setting.options["obstacle_on_down"] is False
                when = "standing" if only_standing else ""
                yield Line("action", rules.modifiers[name].action_dice, name.replace("_", " "), when)

    def _injury_lines(self) -> Iterator[Line]:
        rules, target = self.setting.edition, self.setting.target
        yield Line("injury", self.weapon.injury_dice, self.label)
        yield Line("injury", self.table.injury_dice, "injury_dice")
        yield Line("injury", target.injury_dice, "injury_dice of the target")
        yield Line("injury", target.armour_dice, "armour")
        ignorable = target.armour_dice
        for name, special in self.kit:
            if special.effect.target == "injury_dice":
                yield Line("injury", special.amount, f"{name}: {special.effect.text}", special.when)
                ignorable += special.amount if name in target.armours and not special.effect.remark else 0
        if ignorable < 0 and rules.ignore_armour_drops_dice:
            when = self._ignores_armour_when()
            if when is not None:
                yield Line("injury", -ignorable, "armour is ignored", when)
        if self.situation["long_range"]:
            ignorer = self._ignorer("long_range")
            if ignorer in self.keywords:
                yield Line("injury", self.keywords[ignorer][0].long_range_injury_dice, f"{ignorer}, long range")
        if self.setting.options["down_bonus"] == "every-attack" or self.kind == "melee":
            yield Line("injury", rules.target_down_injury_dice, "the target is Down", "down")
        yield from self._effect_lines("injury_dice", "injury")
        if self.choice == "injury_dice":
            yield Line("injury", self._options.get(self.choice, 0), f"{self.label}: its choice")
        own = [special for special in self.special if special.effect.target == "injury_dice"]
        struck = rules.critical_indirect or not self.table.indirect
        if struck and not self.auto_hit and not any(special.when == "critical" for special in own):
            critical = [word.critical_injury_dice or 0 for word in self.words]
            yield Line("injury", max(rules.critical_injury_dice, *critical, 0), "critical", "critical")

    def _ignores_armour_when(self) -> str | None:
        """In which case the whole armour is ignored: always (empty), ``critical``, ``down``, or None for never."""
        how = self.weapon.ignore_armour
        if how == "all" or any(word.ignore_armour for word in self.words):
            return ""
        if how == "not_in_cover" and not self.situation["cover"]:
            return ""
        if how == "direct" and not self.table.indirect:
            return ""
        if how == "optional" and self.choice == "ignore_armour":
            return ""
        return {"on_critical": "critical", "target_down": "down"}.get(how)

    def _modifier_lines(self) -> Iterator[Line]:
        """The flat modifiers, with what ignoring armour and the edition's cap give back."""
        target, ignored_when = self.setting.target, self._ignores_armour_when()
        numbers = [number for word, number in self.keywords.values() if word.armour_piercing]
        piercing = max(self.weapon.armour_piercing, *numbers, 0)  # the row's number and its keyword are the same thing
        spared = target.modifier(ignore_shield=self.weapon.ignore_armour == "shield", piercing=piercing)
        if ignored_when is not None:
            bare = target.modifier(ignore_armour=True, piercing=piercing)
            yield Line("modifier", self._cap_gives(spared) - self._cap_gives(bare), "cap", ignored_when)
            yield Line("modifier", bare - spared, "armour is ignored", ignored_when)
        yield Line("modifier", target.modifier(), "armour")
        yield Line("modifier", spared - target.modifier(), "armour pierced or shield ignored")
        yield Line("modifier", self.weapon.injury_modifier, self.label)
        yield Line("modifier", self.table.injury_modifier, "injury_modifier")
        yield from self._effect_lines("injury_modifier", "modifier")
        yield Line("modifier", -self._cap_gives(spared), "cap")

    def _cap_gives(self, armour: int) -> int:
        """What the cap on negative modifiers gives back, as a negative number, for this armour."""
        special = [s.amount for s in self.special if s.effect.target == "injury_modifier" and not s.when]
        parts = [armour, self.weapon.injury_modifier, self.table.injury_modifier, *special]
        cap, lowest = self.setting.options["negative_modifier_cap"], self.setting.edition.negative_modifier_cap
        if cap == "before-positive":
            return min(0, sum(part for part in parts if part < 0) - lowest)
        return min(0, sum(parts) - lowest) if cap == "after-adding" else 0

    def total(self, roll: str, *cases: str) -> int:
        """Sum the lines of a roll that hold in some cases.

        Parameters
        ----------
        roll : str
            As in :class:`Line`.
        *cases : str
            ``standing`` or ``down``, and ``critical``.

        Returns
        -------
        int
            The number of dice, or the modifier.
        """
        sums = self._sums
        amount = sums.get((roll, ""), 0)
        for case in cases:
            amount += sums.get((roll, case), 0)
        if self.special and len(cases) > 1:  # only special rules hold in two cases at once
            amount += sums.get((roll, " and ".join(sorted(cases))), 0)
        return amount

    @property
    def together(self) -> bool:
        """Whether the shots of the action meet the target's state before it."""
        how = self.setting.options["shots"]
        return self.shots > 1 and (how == "together" or (how == "together-ranged" and self.kind == "ranged"))

    def steps(self) -> tuple[Step, ...]:
        """Give the numbers as the engines read them.

        Returns
        -------
        tuple of Step
            One row of the problem; several where the attacks of one action differ.
        """
        numbered = {line.when for line in self.lines if line.when.startswith("attack ")}
        if not numbered:
            return (self._step(self.table.times if self.together else self.table.times * self.shots),)
        if self.together:
            note(self.setting.notes, f"Not counted: {self.label}'s DICE by attack, as all are resolved together.")
            return (self._step(self.table.times),)
        one = tuple(self._step(1, f"attack {number}") for number in range(1, self.shots + 1))
        return one * self.table.times

    def _step(self, volleys: int, attack: str = "") -> Step:
        edition, options, together = self.setting.edition, self.setting.options, self.together
        keep = [line.amount for line in self.lines if line.roll == "keep"]
        markers = self.total("markers")
        markers = min(markers, 1) if options["marker_keywords"] == "one" else markers

        def total(roll: str, *cases: str) -> int:
            return self.total(roll, *cases) + (self._sums.get((roll, attack), 0) if attack else 0)

        return Step(
            volleys=volleys,
            shots=self.shots if together else 1,
            auto_hit=int(self.auto_hit),
            risky=int(not self.auto_hit and self._is_risky()),
            action_dice=total("action", "standing"),
            action_dice_down=total("action", "down"),
            injury_keep=max([self.weapon.injury_keep or edition.injury_keep, *keep]),
            injury_dice=total("injury", "standing"),
            injury_dice_critical=total("injury", "standing", "critical"),
            injury_dice_down=total("injury", "down"),
            injury_dice_down_critical=total("injury", "down", "critical"),
            injury_modifier=total("modifier", "standing"),
            injury_modifier_critical=total("modifier", "standing", "critical"),
            injury_modifier_down=total("modifier", "down"),
            injury_modifier_down_critical=total("modifier", "down", "critical"),
            markers=markers + self.total("extra markers"),
        )

    def _is_risky(self) -> bool:
        return any(word.risky for word in self.words) or any(effect.target == "risky" for effect in self.weapon.effects)


def carried_enough(setting: Setting) -> None:
    """Check that no counted weapon is used more often than it is carried.

    Parameters
    ----------
    setting : Setting
        After all attacks were resolved.

    Raises
    ------
    InputError
        When one is.
    """
    for name, (used, carried) in setting.uses.items():
        if used > carried:
            raise InputError(f"{name} is used {used} times, carried is {carried}", "attacks")
