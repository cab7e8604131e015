"""What one loadout of one unit is worth against a mix of targets: every way it can attack, and what it survives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.analysis.compare.targets import Target
from tcsim.analysis.matchup import model_of
from tcsim.analysis.ways import Option, options_of
from tcsim.catalog import Armour, Weapon
from tcsim.catalog.armoury import Upgrade
from tcsim.catalog.kit import Carried, Kit
from tcsim.catalog.wares import Recruit, Ware
from tcsim.engines.answer import exact_results
from tcsim.rules import edition as load_edition
from tcsim.rules.effects import Effect
from tcsim.rules.mechanisms import is_counted
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import resolve

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Way:
    """One way to attack, and its chance against each target; shape (t,)."""

    option: Option
    chances: Floats


@dataclass(frozen=True)
class Question:
    """What loadouts are valued by.

    Parameters
    ----------
    targets : tuple of Target
        The mix; empty where no attack is asked for.
    action : str
        ``best``, ``ranged`` or ``melee``: what may be chosen from, target by target.
    times : int
        How often the way to attack is repeated, in an activation each.
    goal : str
        ``out``, ``down`` (Down or out of action), ``survive`` or ``both`` (the target out, and the model still in).
    against : tuple of (dict, float)
        Attacks on the model as tables of a scenario, with weights.
    spend : str
        How the blood of whoever is attacked is spent on injury rolls.
    """

    targets: tuple[Target, ...]
    action: str = "best"
    times: int = 1
    goal: str = "out"
    against: tuple[tuple[dict[str, Any], float], ...] = ()
    spend: str = "none"


class Odds:
    """Chances of loadouts, each worked out once.

    Parameters
    ----------
    recruit : Recruit
        The unit.
    question : Question
        What they are valued by.
    """

    def __init__(self, recruit: Recruit, question: Question) -> None:
        self.recruit = recruit
        self.question = question
        weights = np.array([one.weight for one in question.targets], float)
        self.weights: Floats = weights / weights.sum() if len(weights) else weights
        self.solved = 0
        self._chances: dict[str, Floats] = {}
        self._survival: dict[str, float] = {}
        self._bases = [self._base(one) for one in question.targets]

    def _base(self, target: Target) -> int | None:
        given = target.table.get("base_mm")
        if given is None and target.table.get("unit"):
            given = self.recruit.rows.rows.unit(target.table["unit"]).base_mm
        return given

    def reaches(self, option: Option, number: int) -> bool:
        """Whether a way to attack is allowed against a target: some are not against large bases.

        Parameters
        ----------
        option : Option
            The way.
        number : int
            Which target.

        Returns
        -------
        bool
            True where nothing is known of the target's base.
        """
        base = self._bases[number]
        return option.largest_base is None or base is None or base <= option.largest_base

    # --- attacks ----------------------------------------------------------------------------------------------

    def ways(self, wares: Sequence[Ware], shoot: bool = True, fight: bool = True) -> list[Option]:
        """Give every way a loadout can attack: all profiles of its weapons, any of them first in melee.

        Parameters
        ----------
        wares : sequence of Ware
            What the model takes.
        shoot, fight : bool, optional
            Which kinds to give.

        Returns
        -------
        list of Option
            Each once.
        """
        kit = self.recruit.model(wares)
        found: dict[str, Option] = {}
        shoot = shoot and self.question.action != "melee"
        fight = fight and self.question.action != "ranged"
        if shoot:
            for profile in _profiles(kit, wares):
                for option in options_of(profile, []):
                    if option.kind == "ranged":
                        found[repr(option.attacks)] = option
        if fight:
            for order in _orders(kit):
                for option in options_of(order, []):
                    if option.kind == "melee":
                        found[repr(option.attacks)] = option
        return list(found.values())

    def attacker(self, kit: Kit) -> dict[str, Any]:
        """Write a model as the attacker of a scenario, without what changes no attack of its own.

        Parameters
        ----------
        kit : Kit
            The model.

        Returns
        -------
        dict
            As :func:`tcsim.analysis.matchup.model_of` gives it.
        """
        table = model_of(kit)
        rows = {one.item.id: one.item for one in kit.carried if isinstance(one.item, Armour)}
        table["armour"] = [id for id in table["armour"] if helps_attacks(rows[id])]
        return table

    def scenario(self, kit: Kit, option: Option, target: Target) -> dict[str, Any]:
        """Write the question that a way of attacking one target is.

        Parameters
        ----------
        kit : Kit
            The model.
        option : Option
            The way.
        target : Target
            Who is attacked.

        Returns
        -------
        dict
            As :func:`tcsim.odds` takes it.
        """
        return self._scenario(model_of(kit), option, target)

    def _scenario(self, attacker: dict[str, Any], option: Option, target: Target) -> dict[str, Any]:
        edition = self.recruit.unit.edition
        return {
            "edition": edition,
            "attacker": attacker,
            "target": dict(target.table),
            "attacks": repeated(option, self.question.times, edition),
            "spend": self._spend("down" if self.question.goal == "down" else "out"),
        }

    def _spend(self, goal: str) -> dict[str, str]:
        policy = self.question.spend
        return {"blood_on_injury": policy} | ({"goal": goal} if policy == "optimal" else {})

    def chances(self, wares: Sequence[Ware], options: Iterable[Option]) -> list[Way]:
        """Work out ways to attack.

        Parameters
        ----------
        wares : sequence of Ware
            What the model takes.
        options : iterable of Option
            Its ways.

        Returns
        -------
        list of Way
            In the same order.
        """
        options = list(options)
        attacker = self.attacker(self.recruit.model(wares))
        keys = [f"{attacker} {option.attacks} {option.largest_base}" for option in options]
        missing = {key: option for key, option in zip(keys, options, strict=True) if key not in self._chances}
        questions, places = [], []
        for key, option in missing.items():
            self._chances[key] = np.zeros(len(self.question.targets))
            for number, target in enumerate(self.question.targets):
                if not self.reaches(option, number):
                    continue
                questions.append(resolve(from_mapping(self._scenario(attacker, option, target))))
                places.append((key, number))
        if questions:
            self.solved += len(questions)
            for (key, number), result in zip(places, exact_results(questions), strict=True):
                down = result.down if self.question.goal == "down" else 0.0
                self._chances[key][number] = result.out_of_action + down
        return [Way(option, self._chances[key]) for key, option in zip(keys, options, strict=True)]

    # --- values -----------------------------------------------------------------------------------------------

    def attack(self, wares: Sequence[Ware]) -> Floats:
        """Give the chance of the best way against each target.

        Parameters
        ----------
        wares : sequence of Ware
            What the model takes.

        Returns
        -------
        array
            Shape (t,); 0 where it has no attack to make.
        """
        best = np.zeros(len(self.question.targets))
        for way in self.chances(wares, self.ways(wares)) if len(best) else ():
            best = np.maximum(best, way.chances)
        return best

    def survival(self, wares: Sequence[Ware]) -> float:
        """Give the chance that the model is not out of action after an attack of the ``against`` mix.

        Parameters
        ----------
        wares : sequence of Ware
            What the model takes.

        Returns
        -------
        float
            Probability in [0, 1]; 1 where no attacks are asked about.
        """
        against = self.question.against
        if not against:
            return 1.0
        key = repr(model_of(self.recruit.model([ware for ware in wares if not ware.is_weapon])))
        if key not in self._survival:
            questions = [resolve(from_mapping(self.attacked(wares, attack))) for attack, _ in against]
            self.solved += len(questions)
            results = exact_results(questions)
            total = sum(weight for _, weight in against)
            lost = sum(weight * result.out_of_action for (_, weight), result in zip(against, results, strict=True))
            self._survival[key] = 1.0 - lost / total
        return self._survival[key]

    def attacked(self, wares: Sequence[Ware], attack: dict[str, Any]) -> dict[str, Any]:
        """Write the question that an attack on the model is.

        Parameters
        ----------
        wares : sequence of Ware
            What the model takes.
        attack : dict
            An entry of ``attacks``.

        Returns
        -------
        dict
            As :func:`tcsim.odds` takes it.
        """
        target = model_of(self.recruit.model([ware for ware in wares if not ware.is_weapon]))
        edition = self.recruit.unit.edition
        return {"edition": edition, "target": target, "attacks": [attack], "spend": self._spend("out")}

    def value(self, wares: Sequence[Ware]) -> float:
        """Give what loadouts are ordered by.

        Parameters
        ----------
        wares : sequence of Ware
            What the model takes.

        Returns
        -------
        float
            Chance over the mix, times that of surviving where it is asked about.
        """
        strike = float(self.attack(wares) @ self.weights) if len(self.weights) else 1.0
        return strike * self.survival(wares)


def repeated(option: Option, times: int, edition: str) -> list[dict[str, Any]]:
    """Write a way to attack so many times over, each in an activation of its own; a grenade as often as it is there.

    Parameters
    ----------
    option : Option
        The way.
    times : int
        How often.
    edition : str
        Edition id: in which what is thrown is counted.

    Returns
    -------
    list of dict
        Attacks of a scenario.

    Examples
    --------
    >>> repeated(Option("ranged", "Grenade", ({"weapon": "frag-grenades", "carried": 1},)), 2, "1.6.3")
    [{'weapon': 'frag-grenades', 'carried': 1}]
    """
    found: list[dict[str, Any]] = []
    used = {attack["weapon"]: 0 for attack in option.attacks}
    rows = {row.id: row for row in _weapons(edition)}
    for number in range(times):
        attacks = []
        for attack in option.attacks:
            shots = rows[attack["weapon"]].shots * attack.get("times", 1)
            used[attack["weapon"]] += shots
            if "carried" not in attack or used[attack["weapon"]] <= max(attack["carried"], shots):
                attacks.append(dict(attack))
        if number and attacks:
            found.append({"event": "activation"})
        found += attacks
    return found


def _weapons(edition: str) -> tuple[Weapon, ...]:
    from tcsim.catalog import catalog

    return catalog(edition).weapons


def _profiles(kit: Kit, wares: Sequence[Ware]) -> list[Kit]:
    """The model with each of its weapons in each of its uses."""
    found = [kit]
    for ware in wares:
        for row in ware.profiles:
            carried = tuple(Carried(row, one.fixed) if one.item is ware.item else one for one in kit.carried)
            found.append(replace(kit, carried=carried))
    return found


def _orders(kit: Kit) -> list[Kit]:
    """The model with each of its melee weapons first (the one without the off-hand's -1 DICE), then dearest first."""
    melee = sorted((one for one in kit.carried if one.kind == "melee"), key=lambda one: (-_cost(kit, one), one.name))
    others = tuple(one for one in kit.carried if one.kind != "melee")
    found = {}
    for number, one in enumerate(melee):
        rest = (other for place, other in enumerate(melee) if place != number)
        found[one.item.id] = replace(kit, carried=(*others, one, *rest))
    return list(found.values()) or [kit]


def _cost(kit: Kit, one: Carried) -> int:
    price = kit.price(one)
    return price.amount if price is not None else 0


def helps_attacks(item: Armour) -> bool:
    """Whether what is worn can change the wearer's own attacks.

    Parameters
    ----------
    item : Armour
        The row.

    Returns
    -------
    bool
        False for what is only about rolls against the wearer.

    Examples
    --------
    >>> from tcsim.catalog import catalog
    >>> [helps_attacks(catalog("1.6.3").armour(name)) for name in ("Combat Helmet", "Compound Eyes Helmet")]
    [False, True]
    """
    words = load_edition(item.edition).keywords
    named = [words[name] for name in item.grants if name in words]
    return any(word.ignores or "FEAR" in word.negates.split() or word.name == "STRONG" for word in named) or any(
        _of_own_rolls(effect) for effect in item.effects
    )


def _of_own_rolls(effect: Effect) -> bool:
    return is_counted(effect) and (not effect.against or bool(effect.aura))


def helps(ware: Ware, question: Question, recruit: Recruit) -> bool:
    """Whether a thing can change any chance that is asked about.

    Parameters
    ----------
    ware : Ware
        The thing.
    question : Question
        What loadouts are valued by.
    recruit : Recruit
        Whose it is.

    Returns
    -------
    bool
        False only where it cannot.
    """
    item, attacks, defends = ware.item, bool(question.targets), bool(question.against)
    if isinstance(item, Upgrade):
        words = load_edition(recruit.unit.edition).keywords
        natural = any(recruit.needs_option(id) == item.name for id in recruit.table.natural)
        effects = recruit.rows.rows.ability(item.name, "upgrades", recruit.unit).effects if item.is_ability else ()
        told = any(name.split(" ")[0] in words or name in words for name in item.keywords)
        return told or (natural and attacks) or any(defends or _of_own_rolls(one) for one in effects if is_counted(one))
    if isinstance(item, Armour):
        return defends or helps_attacks(item)
    if isinstance(item, Weapon):
        if not attacks or (item.kind != "melee" and question.action == "melee" and not _fights(item, recruit)):
            return False
        return item.kind != "melee" or question.action != "ranged"
    return item.id == "shovel" and attacks and question.action != "ranged"


def _fights(item: Weapon, recruit: Recruit) -> bool:
    """Whether a gun serves in melee: it has such a use, or takes a bayonet."""
    twin = any(row.id == f"{item.id}-melee" for row in recruit.rows.rows.weapons)
    return twin or "BAYONET LUG" in item.keywords
