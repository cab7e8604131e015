"""One attack of a scenario as numbers: the weapon, the attacker, the situation, and the target's armour against it.

Every number is the sum of lines that say why they are there (:class:`Line`), so what is shown to a user and what the
engines read cannot differ. The rules behind the numbers stand in the edition's file (:mod:`tcsim.rules`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from tcsim.base.errors import InputError
from tcsim.dice import Pool
from tcsim.rules import Keyword
from tcsim.rules.mechanisms import asks_fellow, is_counted
from tcsim.rules.sides import of_the_roller
from tcsim.scenario import model
from tcsim.scenario.asked import Setting, check_reach, tell
from tcsim.scenario.bearer import Rule, borne, once, unique_keywords
from tcsim.scenario.few import INFECTING, Few, Line, special_lines, special_of
from tcsim.scenario.notes import note, note_keywords
from tcsim.scenario.problem import Step
from tcsim.scenario.situation import Place, check_flags, situation_of
from tcsim.scenario.special import Facts, Holding, facts_of
from tcsim.scenario.weapon import weapon_of

#: Conditions about attacks of the same action that came before.
_FOLLOWING = {"attack1_hit", "all_hit"}

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
        self.weapon = weapon_of(table, setting.catalog, setting.edition, setting.notes, where)
        if setting.without:
            self.weapon = self.weapon.without(setting.without)
        self.kind = table.kind or self.weapon.kind or "ranged"
        self.label = self.weapon.name or f"{self.kind} attack"
        self._read_keywords()
        self._place = Place(setting.edition, setting.options, setting.attacker, setting.target, self.weapon, where)
        check_flags(table, self.kind, self._place)
        check_reach(table, self.weapon, self.label, setting.notes, where)
        self._find_special()
        if setting.target.bare is not None and self._bares():
            self.setting = replace(setting, target=setting.target.bare)
            self._find_special()
        self.auto_hit = self.weapon.auto_hit or any(word.auto_hit for word in self.words)
        more = sum(one.amount for one in self.mine if one.effect.target == "shots")
        self.shots = table.shots or self.weapon.shots + more
        if self.kind == "ranged" and table.charging:
            self._shoot_and_charge()
        self._count_uses()
        self.choice = self._choose()
        self.lines = [line for line in self._build_lines() if line.amount]
        self._say_what_is_simplified()
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
        for name in self.setting.without:
            keywords.pop(name, None)
        self.keywords = keywords
        self.words: list[Keyword] = [word for word, _ in keywords.values()]
        note_keywords(self.setting.notes, given, lambda word: word.changes_dice)

    def _shoot_and_charge(self) -> None:
        """Shots in the activation of a charge: of ASSAULT weapons only, and not of HEAVY ones unless one is STRONG."""
        notes, name = self.setting.notes, self.label
        how = {word.with_charge for word in self.words} - {""}
        if self.weapon.name and not how:
            note(notes, f"{name} is not ASSAULT: it cannot be shot in the activation of a charge.")
        if "HEAVY" in self.keywords and "STRONG" not in self.setting.attacker.words:
            note(notes, f"{name} is HEAVY: only a STRONG model shoots it in the activation of a charge.")
        if "one shot" in how and self.table.shots is None and self.shots > 1:
            self.shots = 1
            note(notes, f"{name} has one shot in the activation of a charge.")

    def _count_uses(self) -> None:
        if any(word.counted for word in self.words):
            uses = self.setting.uses.setdefault(self.weapon.name or f"the weapon of {self.where}", [0, 0])
            uses[0] += self.table.times * self.shots
            uses[1] = max(uses[1], self.table.carried or 1)
        elif self.table.carried is not None:
            note(self.setting.notes, f"Changes nothing here: carried, {self.label} is neither GRENADE nor CONSUMABLE.")

    def _find_special(self) -> None:
        """Find the special rules of both sides that hold, and add and take away the keywords that they say."""
        attacker, target, table = self.setting.attacker, self.setting.target, self.table
        weapon = [Rule(self.label, effect) for effect in self.weapon.effects if is_counted(effect) and not effect.aura]
        mine = [*weapon, *(rule for rule in attacker.rules if of_the_roller(rule.effect))]
        mine += [rule for rule in target.for_enemies if of_the_roller(rule.effect)]
        theirs = [rule for rule in target.rules if not of_the_roller(rule.effect)]
        crossing = [rule for rule in attacker.for_enemies if not of_the_roller(rule.effect)]
        self.mine: list[Holding] = []
        self.theirs: list[Holding] = []
        self._ignores = dict(attacker.ignores)
        asked: set[str] = set()
        if mine or theirs or crossing:
            mine, crossing = once(borne(mine, attacker.words)), borne(crossing, target.words)
            asked |= self._facts().asking(mine) & {"fireteam"}
            mine = [rule for rule in mine if self.setting.fireteam or not asks_fellow(rule.effect)]
            self._change_keywords(self._facts().holding(mine, table.paid, []), weapon)
            facts, unknown = self._facts(), list[str]()
            self.mine += facts.holding(mine, table.paid, unknown)
            self.theirs += facts.holding(theirs, target.paid, unknown)
            self.theirs += facts.holding(crossing, table.paid, unknown)
            for name in unknown:
                note(self.setting.notes, f"Not counted: {self.label} depends on {_MEASURES[name]}; none is given.")
            asked |= facts.asking([*mine, *crossing])
            asked |= {"target.paid" if name == "paid" else name for name in facts.asking(theirs)}
        tell(table, self._fields_asked(asked), self.setting, self.label)

    def _say_what_is_simplified(self) -> None:
        """Say where two rules share what a scenario says once, and where infection is taken for blood."""
        notes, infecting = self.setting.notes, {line.roll for line in self.lines} & INFECTING
        for name, effect in self.setting.target.rules if infecting else ():
            if effect.target in ("markers_never", "first_marker_ignored") and effect.remark == "blood":
                note(notes, f"{name} of the target is about blood markers, and counted here for infection markers too.")
        payers = sorted({one.name for one in self.mine if one.effect.counter in ("paid", "2_paid")})
        if self.table.paid and len(payers) > 1:
            note(notes, f"paid counts for each of {' and '.join(payers)}.")

    def _facts(self) -> Facts:
        setting, reach = self.setting, self.weapon.range_in
        share = 1 if self.situation["long_range"] else setting.edition.boundaries["long_range_share"]
        return facts_of(
            self.table,
            self.weapon,
            setting.attacker,
            setting.target,
            self.kind,
            self.situation,
            self.keywords,
            None if reach is None else reach * share,
        )

    def _change_keywords(self, holding: Iterable[Holding], weapon: list[Rule]) -> None:
        """Add the keywords that the weapon has at times, and those that its bearer gives, takes or has at times."""
        own = {rule.effect for rule in weapon}
        for one in holding:
            target, value = one.effect.target, one.effect.value
            if (target == "weapon_keyword" and not one.when) or (target == "keyword" and one.effect in own):
                word, number = self.setting.edition.keyword(value, "attack", one.name)
                self.keywords.setdefault(word.name, (word, number))
            elif target == "keyword" and one.effect.conditions:
                word, _ = self.setting.edition.keyword(value, "model", one.name)
                self._ignores |= dict.fromkeys(word.ignores.split(), word.name)
            elif target == "lost_weapon_keyword":
                self.keywords.pop(value, None)
        for name in self.setting.without:
            self.keywords.pop(name, None)
        self.words = [word for word, _ in self.keywords.values()]

    def _fields_asked(self, asked: set[str]) -> set[str]:
        """What the rules ask for, with what the game itself asks for here."""
        table, setting = self.table, self.setting
        if self.kind == "melee" and (setting.target.guards or "block" in setting.target.sets):
            asked.add("charging")
        one_shot = any(word.with_charge == "one shot" for word in self.words) and self.weapon.shots > 1
        if self.kind == "ranged" and (table.charging or one_shot):
            asked.add("charging")
        is_blast = any(word.name == "BLAST" for word in self.words)
        if self.weapon.ignore_armour == "direct" or (is_blast and not setting.edition.critical_indirect):
            asked.add("indirect")
        return asked

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
        for one in self.mine:
            if one.effect.target == target and one.effect.counter != "target_blood":
                yield Line(roll, one.amount, one.why, one.when)
        for one in self.theirs:
            if one.effect.target == target:
                yield Line(roll, one.amount, one.why, one.when)

    @cached_property
    def situation(self) -> dict[str, bool]:
        """Which of the edition's modifiers hold, whether or not something ignores them."""
        return situation_of(self.table, self.kind, self._place)

    def _ignorer(self, situation: str) -> str | None:
        """The keyword, of the weapon or the attacker, that ignores a situation; the attacker's first."""
        if situation in self._ignores:
            return self._ignores[situation]
        plain = [word for word in self.words if situation in word.ignores.split()]
        plain.sort(key=lambda word: word.long_range_injury_dice != 0)  # SHOTGUN only where nothing else does
        return plain[0].name if plain else None

    def _is_ignored(self, one: Holding) -> bool:
        """Whether a penalty that takes the place of a situation's own is ignored with it."""
        return one.amount < 0 and one.effect.replaces != "" and self._ignorer(one.effect.replaces) is not None

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
        for line in self._effect_lines("injury_keep", "keep"):
            if not line.why.endswith("if bloodbath"):  # a Bloodbath keeps one die more of every roll
                yield line
        situation = Few(self.setting.edition, 2 if self.table.fireteam else 1, self.setting.target.falls)
        yield from special_lines([*self.mine, *self.theirs], self.words, situation)

    def _action_lines(self) -> Iterator[Line]:
        attacker, rules = self.setting.attacker, self.setting.edition
        which = self.weapon.characteristic or self.kind
        dice = attacker.characteristic(which)
        if dice is None:
            raise InputError(f"{attacker.name} cannot make {self.kind} attacks", self.where)
        yield Line("action", dice, f"{attacker.name}, {which} characteristic")
        yield Line("action", self.weapon.action_dice, self.label)
        yield Line("action", self.table.action_dice, "action_dice")
        is_attack = which != "none"  # else an ability: only what touches every roll of its user touches it
        for one in [*self.mine, *(self.theirs if is_attack else ())]:
            if one.effect.target == "action_dice" and not self._is_ignored(one):
                yield Line("action", one.amount, one.why, one.when)
        replaced = {one.effect.replaces for one in (*self.mine, *self.theirs)} | {
            undone
            for name, holds in self.situation.items()
            if holds
            for undone in rules.modifiers[name].ignores.split()
        }
        if not is_attack:
            replaced |= self.situation.keys() - {"attacker_down"}
        for name, holds in self.situation.items():
            if holds and name not in replaced and self._ignorer(name) is None:
                only_standing = name == "defended_obstacle" and self.setting.options["obstacle_on_down"] is False
                only_first = rules.modifiers[name].only_first and self.shots > 1 and not self.together
                when = "standing" if only_standing else "attack 1" if only_first else ""
                yield Line("action", rules.modifiers[name].action_dice, name.replace("_", " "), when)

    def _injury_lines(self) -> Iterator[Line]:
        rules, target = self.setting.edition, self.setting.target
        yield Line("injury", self.weapon.injury_dice, self.label)
        yield Line("injury", self.table.injury_dice, "injury_dice")
        yield Line("injury", target.injury_dice, "injury_dice of the target")
        yield Line("injury", target.armour_dice, "armour")
        ignorable = target.armour_dice
        for one in self.theirs:
            if one.effect.target == "injury_dice" and one.name in target.armours and not one.effect.remark:
                ignorable += one.amount
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
        for name, modifier in rules.modifiers.items():
            if modifier.injury_dice and self.situation[name]:
                yield Line("injury", modifier.injury_dice, name.replace("_", " "))
        yield from self._effect_lines("injury_dice", "injury")
        if self.choice == "injury_dice":
            yield Line("injury", self._options.get(self.choice, 0), f"{self.label}: its choice")
        own = [one for one in self.mine if one.effect.target == "injury_dice" and one.name == self.label]
        struck = rules.critical_indirect or not self.table.indirect
        if struck and not self.auto_hit and not any(one.when == "critical" for one in own):
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
        case = {"on_critical": "critical", "target_down": "down"}.get(how)
        for one in (*self.mine, *self.theirs):
            if one.effect.target == "ignore_armour":
                if case not in (None, "", one.when) and one.when:
                    note(self.setting.notes, f"Not counted: {one.why}, beside what else ignores armour.")
                case = one.when if case is None or not one.when else case
        return case

    def _ignores_only_worn(self) -> bool:
        """Whether what ignores armour leaves a characteristic of the target in place."""
        by_rules = [one for one in (*self.mine, *self.theirs) if one.effect.target == "ignore_armour"]
        by_weapon = self.weapon.ignore_armour not in ("none", "shield") or any(w.ignore_armour for w in self.words)
        return not by_weapon and all(one.effect.value == "worn" for one in by_rules)

    def _bares(self) -> bool:
        """Whether what the target wears has no rules in this attack."""
        worn = (one for one in self.theirs if one.effect.target == "ignore_armour" and one.effect.value == "worn")
        return any(not one.when for one in worn)

    def _modifier_lines(self) -> Iterator[Line]:
        """The flat modifiers, with what ignoring armour and the edition's cap give back."""
        target, ignored_when = self.setting.target, self._ignores_armour_when()
        numbers = [number for word, number in self.keywords.values() if word.armour_piercing]
        piercing = max(self.weapon.armour_piercing, *numbers, 0)  # the row's number and its keyword are the same thing
        spared = target.modifier(ignore_shield=self.weapon.ignore_armour == "shield", piercing=piercing)
        if ignored_when is not None:
            bare = target.modifier(ignore_armour=True, piercing=piercing, only_worn=self._ignores_only_worn())
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
        special = [line.amount for line in self._effect_lines("injury_modifier", "modifier") if not line.when]
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
        if len(cases) > 1 and (self.mine or self.theirs):  # only special rules hold in two cases at once
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
        one = self._one_action()
        if len(one) == 1:
            return (one[0]._replace(volleys=one[0].volleys * self.table.times),)
        return one * self.table.times

    def _one_action(self) -> tuple[Step, ...]:
        numbered = {line.when for line in self.lines if line.when.startswith("attack ")}
        follows = {condition.name for one in self.mine for condition in one.effect.conditions} & _FOLLOWING
        if self.together and (numbered or follows):
            note(self.setting.notes, f"Not counted: {self.label}'s rules by attack, as all are resolved together.")
        again = sum(one.amount for one in self.mine if one.effect.target == "fight_again")
        if self.together or not (numbered or follows):
            steps: tuple[Step, ...] = (self._step(1 if self.together else self.shots),) * (1 + again)
        else:
            steps = tuple(self._follow(number, follows) for number in range(1, self.shots * (1 + again) + 1))
        first = len(steps) // (1 + again)
        later = tuple(step._replace(special=step.special._replace(if_down=1)) for step in steps[first:])
        return steps[:first] + later

    def _follow(self, number: int, follows: set[str]) -> Step:
        """One attack of an action in which a later one depends on those before."""
        step = self._step(1, f"attack {number}")
        special = step.special
        if follows and number == 1:
            special = special._replace(begins=1)
        if "attack1_hit" in follows and number > 1:
            special = special._replace(after_hits=number - 1)
        if "all_hit" in follows:
            last = max(c.number for one in self.mine for c in one.effect.conditions if c.name == "attack_no")
            if number == last:
                special = special._replace(out_after_hits=last - 1)
        return step._replace(special=special)

    def _step(self, volleys: int, attack: str = "") -> Step:
        edition, options, together = self.setting.edition, self.setting.options, self.together
        keep = [line.amount for line in self.lines if line.roll == "keep"]
        markers = self.total("markers")
        markers = min(markers, 1) if options["marker_keywords"] == "one" else markers

        def total(roll: str, *cases: str) -> int:
            return self.total(roll, *cases) + (self._sums.get((roll, attack), 0) if attack else 0)

        automatic = self.auto_hit or total("auto_hit") > 0
        return Step(
            volleys=volleys,
            shots=self.shots if together else 1,
            auto_hit=int(automatic),
            risky=int(not automatic and self._is_risky()),
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
            special=special_of(self.lines),
        )

    def _is_risky(self) -> bool:
        return any(word.risky for word in self.words) or any(one.effect.target == "risky" for one in self.mine)


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
