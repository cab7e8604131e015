"""The dice around a fight in Trench Crusade, as questions: this is their table of contents.

A small module per topic holds the rule of each edition, the exact answer and the rolling of it; a module is imported
when one of its questions is asked. Some lie in the rooms above, so the table names them and nothing here imports them.
"""

from __future__ import annotations

from typing import Any

from tcsim.base.lang import mark
from tcsim.questions.asking import How, Reply
from tcsim.questions.asking import ask as _ask
from tcsim.questions.ruleset import Entry, Ruleset

ASK = Ruleset(
    system="Trench Crusade",
    command="tcsim ask",
    editions=("1.6.3", "1.0.2"),
    entries=(
        Entry("risky", "tcsim.situations.risky", mark("A chain of risky actions: how far does it get?"), short=True),
        Entry("dash", "tcsim.situations.moving", mark("Move and Dash: does it get so far?")),
        Entry("climb", "tcsim.situations.moving", mark("Does a climb succeed?")),
        Entry("jump", "tcsim.situations.moving", mark("Does a jump over a gap succeed?")),
        Entry("charge", "tcsim.situations.charge", mark("Does a charge reach its target?"), short=True),
        Entry("fireteam", "tcsim.situations.fireteam", mark("Does a FIRETEAM hold together?")),
        Entry("scatter", "tcsim.situations.scatter", mark("How far off does a missed shot land?"), short=True),
        Entry("shoot_into_melee", "tcsim.situations.melee_shots", mark("Shooting into melee: whom does it take out?")),
        Entry("blast", "tcsim.situations.blasts", mark("BLAST on a group: how many go out of action?"), short=True),
        Entry(
            "retreat", "tcsim.situations.blows", mark("A retreat from melee: is the model still in action?"), short=True
        ),
        Entry("two_weapons", "tcsim.situations.blows", mark("Two melee weapons: which one off-hand?")),
        Entry("obstacle", "tcsim.situations.blows", mark("A defended obstacle: across it, or after a move past it?")),
        Entry("fall", "tcsim.situations.mishaps", mark("A fall: what becomes of the model?"), short=True),
        Entry("ledge", "tcsim.situations.mishaps", mark("Down at a ledge: does the model fall?")),
        Entry("dangerous_terrain", "tcsim.situations.mishaps", mark("Dangerous terrain: what becomes of the model?")),
        Entry("mine", "tcsim.situations.mishaps", mark("A mine: what becomes of the model?")),
        Entry("morale", "tcsim.situations.morale", mark("Does a warband hold at the end of a turn?"), short=True),
        Entry("shaken", "tcsim.situations.morale", mark("What does a Shaken model get done?")),
        Entry("initiative", "tcsim.situations.setup", mark("Who has the initiative?")),
        Entry("deployment", "tcsim.situations.setup", mark("Who places INFILTRATORS first, and last?")),
        Entry("survival", "tcsim.situations.survival", mark("Which troops survive the battle?")),
        Entry("trauma", "tcsim.situations.survival", mark("What happens to an ELITE model that went out of action?")),
        Entry("promotion", "tcsim.situations.promotion", mark("Is a troop promoted?")),
        Entry("exploration", "tcsim.situations.exploration", mark("What do exploration dice come to?")),
        Entry("campaign", "tcsim.situations.campaign", mark("Campaign dice at a glance")),
        Entry(
            "activation",
            "tcsim.situations.activation_question",
            mark("A whole activation: how far does it get?"),
        ),
        Entry("duel", "tcsim.duels.question", mark("Two models until one is out of action: who wins?")),
        Entry(
            "firefight", "tcsim.skirmish.questions", mark("Many attackers on many targets: how many go out of action?")
        ),
        Entry("turn", "tcsim.skirmish.questions", mark("A turn or a game of two warbands: who holds, who wins?")),
    ),
)


def ask(
    name: str,
    /,
    *,
    edition: str | None = None,
    method: str = "exact",
    trials: int | None = None,
    seed: int | None = None,
    **inputs: Any,
) -> Reply:
    """Ask a question about the dice around a fight.

    Parameters
    ----------
    name : str
        The question, as ``charge``; ``tcsim ask`` lists them.
    edition : str, optional
        Edition of the rules; default 1.6.3.
    method : str, optional
        ``exact``, or ``monte-carlo`` to roll the dice.
    trials, seed : int, optional
        Of rolled answers; default 100,000 and 1.
    **inputs
        What the question has to be told, as ``move=6``; texts as on the command line will do.

    Returns
    -------
    Reply
        Every answer the question can give: ``reply["reaches"]`` is a Fraction where it is exact.

    Raises
    ------
    InputError
        For a question, edition or input that does not exist, or an input that is not allowed.

    Examples
    --------
    >>> ask("charge", move=6, distance=9)["reaches"]
    Fraction(2, 3)
    """
    return _ask(ASK, name, inputs, edition, How(method, trials, seed))
