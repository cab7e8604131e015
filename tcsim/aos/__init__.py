"""Age of Sigmar, the second ruleset: hero phase of the third edition, commands and end of turn of the fourth.

Its questions are asked as those of Trench Crusade are, and share dice, intervals, tables and reference pages with them,
but no rules. A module per topic holds the rule of each edition, the exact answer and the rolling of it; it is imported
when one of its questions is asked. The edition is always given: there is no default.
"""

from __future__ import annotations

from typing import Any

from tcsim.base.lang import mark
from tcsim.questions.asking import How, Reply
from tcsim.questions.asking import ask as _ask
from tcsim.questions.ruleset import Entry, Ruleset

AOS = Ruleset(
    system="Age of Sigmar",
    command="tcsim aos ask",
    editions=("4e", "4e_late", "3e", "3e_launch"),
    edition_needed=True,
    heads={
        "command_points": mark("Command points, plans of commands"),
        "heroic_action": mark("Heroic actions, spells, prayers"),
        "charge": mark("Charges, runs, Rally"),
        "attack": mark("Attacks, and the commands around them"),
        "objective": mark("Objectives, victory points"),
    },
    entries=(
        Entry("command_points", "tcsim.aos.plans.points", mark("Command points of a battle round")),
        Entry(
            "command_legality",
            "tcsim.aos.plans.legality",
            mark("Is a plan of commands legal, and which rule forbids it?"),
        ),
        Entry(
            "command_budget",
            "tcsim.aos.plans.budget",
            mark("Which commands are the best for a number of command points?"),
        ),
        Entry("heroic_action", "tcsim.aos.magic.heroic", mark("The heroic actions beside each other: which one?")),
        Entry("heroic_leadership", "tcsim.aos.magic.heroic", mark("Heroic Leadership: is the command point gained?")),
        Entry(
            "heroic_willpower",
            "tcsim.aos.magic.heroic",
            mark("Heroic Willpower: what does an unbind or dispel more stop?"),
        ),
        Entry("heroic_recovery", "tcsim.aos.magic.heroic", mark("Heroic Recovery: how much is healed?")),
        Entry("finest_hour", "tcsim.aos.magic.shields", mark("Finest Hour: what are +1 to wound and to save worth?")),
        Entry("cast", "tcsim.aos.magic.casts", mark("Is a spell cast?")),
        Entry("miscast", "tcsim.aos.magic.casts", mark("Miscasts, and what they cost the caster")),
        Entry("unbind", "tcsim.aos.magic.unbinding", mark("Is a spell cast, and not unbound?")),
        Entry("arcane_bolt", "tcsim.aos.magic.unbinding", mark("Arcane Bolt: how many mortal wounds?")),
        Entry("mystic_shield", "tcsim.aos.magic.shields", mark("Mystic Shield: how much damage does it prevent?")),
        Entry(
            "magical_intervention", "tcsim.aos.magic.unbinding", mark("Magical Intervention: a spell or prayer at -1")
        ),
        Entry("prayer", "tcsim.aos.magic.prayers", mark("Is a prayer answered?")),
        Entry(
            "prayer_ritual", "tcsim.aos.magic.prayers", mark("A prayer with ritual points: answered within some turns?")
        ),
        Entry("bless", "tcsim.aos.magic.shields", mark("Bless: how much damage does its ward prevent?")),
        Entry("smite", "tcsim.aos.magic.prayers", mark("Smite: how many mortal wounds?")),
        Entry("dispel", "tcsim.aos.magic.manifestations", mark("Is an endless spell dispelled?")),
        Entry("banish_invocation", "tcsim.aos.magic.manifestations", mark("Is an invocation banished?")),
        Entry("banish_manifestation", "tcsim.aos.magic.manifestations", mark("Is a manifestation banished?")),
        Entry(
            "summon_endless", "tcsim.aos.magic.manifestations", mark("Is an endless spell summoned, and does it stay?")
        ),
        Entry(
            "summon_invocation", "tcsim.aos.magic.manifestations", mark("Is an invocation summoned, and does it stay?")
        ),
        Entry(
            "predatory",
            "tcsim.aos.magic.predatory",
            mark("Predatory endless spells: who controls them, who moves when?"),
        ),
        Entry("simultaneous", "tcsim.aos.magic.predatory", mark("Actions at the same moment: in which order?")),
        Entry("charge", "tcsim.aos.moves.charges", mark("Does a charge reach its target?")),
        Entry(
            "forward_to_victory",
            "tcsim.aos.moves.charges",
            mark("Forward to Victory: what is the reroll of a charge worth?"),
        ),
        Entry(
            "counter_charge",
            "tcsim.aos.moves.charges",
            mark("Counter-charge: does it reach, and is it worth two points?"),
        ),
        Entry("redeploy", "tcsim.aos.moves.runs", mark("Redeploy: how far, and what becomes of the enemy's charge?")),
        Entry("at_the_double", "tcsim.aos.moves.runs", mark("At the Double: what are 6 inches worth beside a roll?")),
        Entry("rally", "tcsim.aos.moves.rally", mark("Rally: how many models come back, how much is healed?")),
        Entry("attack", "tcsim.aos.fights.attacks", mark("Attacks: damage and models slain")),
        Entry("crit", "tcsim.aos.fights.attacks", mark("Critical abilities of a weapon beside each other")),
        Entry("ward", "tcsim.aos.fights.attacks", mark("What of an amount of damage gets through a ward?")),
        Entry("all_out_attack", "tcsim.aos.fights.all_out", mark("All-out Attack: what is +1 to hit worth?")),
        Entry("all_out_defence", "tcsim.aos.fights.all_out", mark("All-out Defence: what is +1 to save worth?")),
        Entry("covering_fire", "tcsim.aos.fights.covering_fire", mark("Covering Fire: what do shots at -1 do?")),
        Entry("power_through", "tcsim.aos.fights.power_through", mark("Power Through: what do D3 mortal damage do?")),
        Entry("objective", "tcsim.aos.control.objective", mark("Who controls an objective after the check?")),
        Entry("terrain", "tcsim.aos.control.objective", mark("Who controls a terrain feature after the check?")),
        Entry(
            "contest_choice",
            "tcsim.aos.control.contest",
            mark("Units that reach several objectives: which one does each contest?"),
        ),
        Entry(
            "end_of_turn", "tcsim.aos.control.turn_end", mark("The end of a turn: abilities, then control, then points")
        ),
        Entry("victory_points", "tcsim.aos.control.victory", mark("Victory points over turns and rounds")),
        Entry("outlook", "tcsim.aos.control.outlook", mark("Is an objective held over the next control checks?")),
    ),
)


def ask(
    name: str,
    /,
    *,
    edition: str,
    method: str = "exact",
    trials: int | None = None,
    seed: int | None = None,
    **inputs: Any,
) -> Reply:
    """Ask a question about the dice of Age of Sigmar.

    Parameters
    ----------
    name : str
        The question, as ``cast``; ``tcsim aos list`` lists them.
    edition : str
        Edition of the rules: ``3e_launch``, ``3e``, ``4e`` or ``4e_late``.
    method : str, optional
        ``exact``, or ``monte-carlo`` to roll the dice.
    trials, seed : int, optional
        Of rolled answers; default 100,000 and 1.
    **inputs
        What the question has to be told, as ``cv=7``; texts as on the command line will do.

    Returns
    -------
    Reply
        Every answer the question can give: ``reply["cast"]`` is a Fraction where it is exact.

    Raises
    ------
    InputError
        For a question, edition or input that does not exist, or an input that is not allowed.

    Examples
    --------
    >>> ask("cast", edition="3e", cv=7)["cast"]
    Fraction(7, 12)
    """
    return _ask(AOS, name, inputs, edition, How(method, trials, seed))
