"""Which rule forbids a use of a command: the limits of the fourth edition, and how the third counts them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tcsim.aos.editions import FOURTH
from tcsim.aos.plans.plan import Use, among, number_of
from tcsim.aos.plans.table import ENEMY, PHASES, Command, command, order
from tcsim.base.lang import mark
from tcsim.questions.question import Asked


class Rule(NamedTuple):
    """A rule that can forbid.

    Parameters
    ----------
    name : str
        What it says in a few words.
    section : str, optional
        Where it stands; empty where that depends on the command.
    """

    name: str
    section: str = ""


class Break(NamedTuple):
    """A rule that forbids a use.

    Parameters
    ----------
    rule : str
        Its id in :data:`RULES`.
    uses : tuple of Use
        What it forbids, the use that breaks it last.
    """

    rule: str
    uses: tuple[Use, ...]


#: Every rule that can forbid: those of the fourth edition, and those of the third.
RULES = {
    "module": Rule(mark("Without the module Commands, abilities with a cost are ignored"), "advanced rules"),
    "phase": Rule(mark("It is not used in this phase")),
    "in_combat": Rule(mark("Its unit may not be in combat")),
    "run": Rule(mark("Its unit has used a RUN ability this turn")),
    "charged": Rule(mark("Its unit has to have charged this turn")),
    "health": Rule(mark("The target's Health has to be lower than that of its unit")),
    "unit": Rule(mark("One command per unit and phase"), "1.2"),
    "army": Rule(mark("Each command once per phase and army"), "1.2"),
    "points": Rule(mark("There are not enough command points")),
    "near": Rule(mark('It takes a unit more than 3" from all enemies')),
    "wizard": Rule(mark("It takes a WIZARD")),
    "priest": Rule(mark("It takes a PRIEST")),
    "wizard_or_priest": Rule(mark("It takes a WIZARD or a PRIEST")),
    "no_wizard": Rule(mark("It takes a HERO that is no WIZARD")),
    "hero": Rule(mark("A heroic action takes a HERO")),
    "issuer": Rule(mark("A champion issues to its own unit; others issue as a HERO, general or TOTEM"), "1-1"),
    "range": Rule(mark('A HERO issues within 12", a general or TOTEM within 18"'), "1-1"),
    "issued": Rule(mark("A unit issues one command per phase"), "1-1"),
    "received": Rule(mark("A unit receives one command per phase"), "1-1"),
    "once": Rule(mark("Each command is issued once per phase"), "1-1"),
    "one_action": Rule(mark("One heroic action per hero phase"), "1-2"),
    "finest_hour": Rule(mark("A HERO has Finest Hour once per battle"), "1-2"),
    "dispels": Rule(mark("A WIZARD or PRIEST dispels once per phase"), "1-4"),
    "same_dispel": Rule(mark("An endless spell is dispelled once per player and phase"), "1-4"),
    "banishes": Rule(mark("A PRIEST banishes once per phase"), "1-4"),
    "same_banish": Rule(mark("An invocation is banished once per player and phase"), "1-4"),
    "casts": Rule(mark("A WIZARD has no cast or unbind left; dispelling and summoning use one")),
    "chants": Rule(mark("A PRIEST has no chant left; dispelling, banishing and summoning use it")),
    "same_cast": Rule(mark("A spell of the same name is cast once per phase"), "2-1c"),
    "same_chant": Rule(mark("A prayer of the same name is chanted once per phase"), "2-2c"),
    "same_unbind": Rule(mark("A cast is unbound once, however many could"), "2-1d"),
    "summons": Rule(mark("A WIZARD or PRIEST summons once per hero phase"), "2-3c"),
}


def section(one: Break, edition: str) -> str:
    """Say where a rule that forbids stands.

    Parameters
    ----------
    one : Break
        The rule, and what it forbids.
    edition : str
        The edition.

    Returns
    -------
    str
        The section: of costs, of the rule, or else of the command.
    """
    if one.rule == "points":
        return "1.2" if edition in FOURTH else "1-1"
    return RULES[one.rule].section or command(edition, one.uses[-1].command).section


def broken(uses: Sequence[Use], facts: Asked, edition: str) -> list[Break]:
    """Find every rule that forbids a plan.

    Parameters
    ----------
    uses : sequence of Use
        The plan, in the order in which it is decided.
    facts : Asked
        What is said of the units: the inputs of ``command_legality``.
    edition : str
        The edition.

    Returns
    -------
    list of Break
        In the order of the plan; empty where it is legal.
    """
    if edition in FOURTH and not facts["commands"]:
        return [Break("module", tuple(uses))]
    find = _fourth if edition in FOURTH else _third
    found: list[Break] = []
    spent = 0
    for number, use in enumerate(uses):
        one = command(edition, use.command)
        found += find(use, one, uses[:number], facts, _Turn(uses, edition))
        spent += one.cost
        if one.cost and spent > facts["cp"]:
            found.append(Break("points", (use,)))
    return found


class _Turn:
    """What else the plan does in the same turn."""

    def __init__(self, uses: Sequence[Use], edition: str) -> None:
        self.uses = [(one, command(edition, one.command)) for one in uses]

    def before(self, use: Use, keyword: str) -> bool:
        """Whether its unit has used a command with a keyword in an earlier phase of that turn."""
        return any(
            keyword in other.keywords
            and one.unit == use.unit
            and _turn(one) == _turn(use)
            and order(one.phase) < order(use.phase)
            for one, other in self.uses
        )


def _turn(use: Use) -> bool:
    return use.phase.startswith(ENEMY)


def _same(use: Use, earlier: Sequence[Use], *fields: str) -> tuple[Use, ...]:
    """The earlier use that agrees in some fields and the phase, and this one; empty where there is none."""
    names = (*fields, "phase")
    found = [one for one in earlier if all(getattr(one, name) == getattr(use, name) for name in names)]
    return (found[0], use) if found else ()


# --- the fourth edition --------------------------------------------------------------------------------------------


def _fourth(use: Use, one: Command, earlier: Sequence[Use], facts: Asked, turn: _Turn) -> Iterator[Break]:
    if use.phase not in one.phases and use.phase not in one.through:
        yield Break("phase", (use,))
    if "not_in_combat" in one.needs and among(facts["in_combat"], use.unit):
        yield Break("in_combat", (use,))
    if _ran(use, one, facts, turn):
        yield Break("run", (use,))
    if "charged" in one.needs and not _charged(use, facts, turn):
        yield Break("charged", (use,))
    if "lower_health" in one.needs:
        own, other = number_of(facts["health"], use.unit), number_of(facts["target_health"], use.unit)
        if own is not None and other is not None and other >= own:
            yield Break("health", (use,))
    if "wizard_or_priest" in one.needs and not _is(use.unit, facts, "wizard", "priest"):
        yield Break("wizard_or_priest", (use,))
    pair = _same(use, earlier, "unit")
    if pair or use.phase in one.through:
        yield Break("unit", pair or (use,))
    if pair := _same(use, earlier, "command"):
        yield Break("army", pair)


def _ran(use: Use, one: Command, facts: Asked, turn: _Turn) -> bool:
    """Whether a RUN ability of this turn bars it."""
    barred = "no_run" in one.needs
    if facts["run_bars"] == "shoot_and_charge":
        shoots = "ATTACK" in one.keywords and order(use.phase) == PHASES.index("shooting")
        barred = barred or shoots or "CHARGE" in one.keywords
    return barred and _has_run(use, facts, turn)


def _has_run(use: Use, facts: Asked, turn: _Turn) -> bool:
    return among(facts["ran"], use.unit) or turn.before(use, "RUN")


def _charged(use: Use, facts: Asked, turn: _Turn) -> bool:
    """Whether its unit has charged this turn: as is said, by a command of the plan, or else in its own turn."""
    if turn.before(use, "CHARGE") or among(facts["charged"], use.unit):
        return True
    barred = facts["run_bars"] == "shoot_and_charge" and _has_run(use, facts, turn)
    return "charged" not in facts.given and not _turn(use) and not barred


def _is(unit: str, facts: Asked, *inputs: str) -> bool:
    """Whether a unit is one of several kinds; where nothing is said of any of them, it is taken to be."""
    told = [facts[name] for name in inputs if name in facts.given]
    return not told or any(among(some, unit) for some in told)


# --- the third edition ---------------------------------------------------------------------------------------------


def _third(use: Use, one: Command, earlier: Sequence[Use], facts: Asked, turn: _Turn) -> Iterator[Break]:
    if use.phase not in one.phases:
        yield Break("phase", (use,))
    if "not_in_combat" in one.needs and among(facts["in_combat"], use.unit):
        yield Break("near", (use,))
    for need in ("wizard_or_priest", "wizard", "priest"):
        if need in one.needs and not _is(use.unit, facts, *need.split("_or_")):
            yield Break(need, (use,))
    if one.cost:
        yield from _issued(use, earlier, facts)
    if "HEROIC ACTION" in one.keywords:
        yield from _heroic(use, one, earlier, facts)
    if one.uses:
        yield from _magic(use, one, earlier, facts)


def _issued(use: Use, earlier: Sequence[Use], facts: Asked) -> Iterator[Break]:
    """A command that is issued by one unit and received by another, or by itself."""
    issuer = use.issuer or use.unit
    roles = [name for name in ("general", "totem", "hero") if among(facts[name], issuer)]
    far = number_of(facts["distance"], f"{issuer}>{use.unit}")
    if issuer != use.unit:
        if not roles and not facts.given.isdisjoint(("general", "totem", "hero")):
            yield Break("issuer", (use,))
        reach = 18 if {"general", "totem"} & set(roles) else 12
        if far is not None and far > reach:
            yield Break("range", (use,))
    for rule, same in (
        ("issued", [one for one in earlier if one.phase == use.phase and (one.issuer or one.unit) == issuer]),
        ("received", [one for one in earlier if one.phase == use.phase and one.unit == use.unit]),
        ("once", [one for one in earlier if one.phase == use.phase and one.command == use.command]),
    ):
        commands_only = [one for one in same if _costs(one)]
        if commands_only:
            yield Break(rule, (commands_only[0], use))


def _costs(use: Use) -> bool:
    return command("3e", use.command).cost > 0


def _heroic(use: Use, one: Command, earlier: Sequence[Use], facts: Asked) -> Iterator[Break]:
    if not _is(use.unit, facts, "hero", "general"):
        yield Break("hero", (use,))
    if "no_wizard" in one.needs and among(facts["wizard"], use.unit):
        yield Break("no_wizard", (use,))
    before = [other for other in earlier if "HEROIC ACTION" in command("3e", other.command).keywords]
    if same := [other for other in before if other.phase == use.phase]:
        yield Break("one_action", (same[0], use))
    if use.command == "finest_hour":
        again = [other for other in before if (other.unit, other.command) == (use.unit, use.command)]
        if again or among(facts["had_finest_hour"], use.unit):
            yield Break("finest_hour", (*again[:1], use))


#: What a use of each action may not do again in a phase: by the same unit, and with the same spell or prayer.
_AGAIN = {
    "dispel": ("dispels", "same_dispel"),
    "banish": ("banishes", "same_banish"),
    "cast": ("", "same_cast"),
    "unbind": ("", "same_unbind"),
    "chant": ("", "same_chant"),
    "summon_endless": ("summons", "same_cast"),
    "summon_invocation": ("summons", "same_chant"),
}


def _magic(use: Use, one: Command, earlier: Sequence[Use], facts: Asked) -> Iterator[Break]:
    """Casting, chanting, and what uses up a cast or a chant."""
    by_unit, by_name = _AGAIN[use.command]
    if by_unit and (pair := _same(use, earlier, "unit", "command")):
        yield Break(by_unit, pair)
    if use.what and (pair := _same(use, earlier, "what", "command")):
        yield Break(by_name, pair)
    chants = "WIZARD" not in one.uses or (
        facts["priest"] is not None and among(facts["priest"], use.unit) and not among(facts["wizard"], use.unit)
    )
    kind = "PRIEST" if chants else "WIZARD"
    same = [
        other
        for other in earlier
        if other.unit == use.unit and other.phase == use.phase and kind in command("3e", other.command).uses
    ]
    most = 1 if chants else number_of(facts["casts"], use.unit) or 1
    if len(same) >= most:
        yield Break("chants" if chants else "casts", (*same, use))
