"""A duel as one question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tcsim.base.lang import mark
from tcsim.duels.answer import MAX_FRACTION_ROUNDS, answer_duel, resolved_duel, rolled, tables_of
from tcsim.duels.given import MAX_ROUNDS
from tcsim.duels.resolve import ResolvedDuel
from tcsim.duels.result import DuelResult
from tcsim.questions.kinds import Number, Whole, Word
from tcsim.questions.question import Answer, Asked, Exact, Input, Question, family, once
from tcsim.questions.shares import Share, counted, worked_out
from tcsim.questions.tables import TablesFile, edition_named, laid_over, with_table
from tcsim.situations.fight import CATALOG, OPTIONS

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

FILE = Input("file", TablesFile("tcsim.duels", "example.toml"), mark("A duel, as for tcsim duel"), required=True)


@once
def _resolved(asked: Asked) -> ResolvedDuel:
    data = laid_over(asked, ("first", "rounds"))
    distance = None if asked["distance"] is None else float(asked["distance"])
    who = None if asked["who_charges"] is None else asked["who_charges"].replace("_", "-")
    data = with_table(data, "approach", {"distance": distance, "who_charges": who})
    return resolved_duel(with_table(data, "spend", {"mode": asked["spend"]}), asked["catalog"])


@once
def _tables(asked: Asked) -> Any:
    return tables_of(_resolved(asked).duel)


def _shares(result: DuelResult) -> dict[str, Share]:
    story: Any = result.fractions or result.story
    ended = [a + b for a, b in story]
    # a round is fought if none before it ended the duel
    lengths = [ended[0] * 0, *(now - before for now, before in zip(ended, [0, *ended], strict=False))]
    lengths[-1] += 1 - ended[-1]
    by_round = list(enumerate(story, 1))
    return {
        "a_wins": story[-1][0],
        "b_wins": story[-1][1],
        "neither": 1 - ended[-1] if result.fractions else result.neither,
        "length": lengths,
        **family("a_wins_by", {number: a for number, (a, _) in by_round}),
        **family("b_wins_by", {number: b for number, (_, b) in by_round}),
    }


def _exact(asked: Asked) -> Exact:
    question = _resolved(asked)
    return worked_out(_shares(answer_duel(question, question.duel.rounds <= MAX_FRACTION_ROUNDS)))


def _simulate(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    from tcsim.duels import monte_carlo

    question, seed = _resolved(asked), dice.seed()
    tally = monte_carlo.count(question.duel, trials, seed, tables=_tables(asked))
    return counted(_shares(rolled(question, tally, seed)), trials)


QUESTIONS = (
    Question(
        name="duel",
        inputs=(
            FILE,
            Input("first", Word({"a": "", "b": ""}), mark("Who is activated first, in place of the file's")),
            Input("rounds", Whole(1, MAX_ROUNDS), mark("Rounds at most, in place of the file's")),
            Input("distance", Number(1, 200), mark("They start so many inches apart, in place of the file's")),
            Input(
                "who_charges",
                Word({"a": "", "b": "", "first_able": "", "best": ""}),
                mark("Who charges where they start apart, in place of the file's"),
            ),
            Input(
                "spend",
                Word({"fixed": mark("as each table says"), "optimal": mark("as is best for each player")}),
                mark("How markers are spent, in place of the file's"),
            ),
            OPTIONS,
            CATALOG,
        ),
        answers=(
            Answer("a_wins", mark("a takes b out of action")),
            Answer("b_wins", mark("b takes a out of action")),
            Answer("neither", mark("neither is out of action in the end")),
            Answer("length", mark("rounds that are fought, on average"), mark("rounds")),
            Answer("a_wins_by", mark("a has won by the end of round"), family=True),
            Answer("b_wins_by", mark("b has won by the end of round"), family=True),
        ),
        exact=_exact,
        simulate=_simulate,
        check=_resolved,
        notes=lambda asked: _resolved(asked).notes,
        rule=mark(
            "In each round one model is activated, then the other; each makes its attacks in order, until one is out "
            "of action. Markers and Down stay on a model."
        ),
        source={"1.6.3": "source text: melee attacks, Down", "1.0.2": "book: Activation, Down"},
        examples=("file=example", "file=example first=b rounds=2 spend=optimal"),
        float64=mark("beyond 10 rounds"),
        edition_named=edition_named(FILE),
    ),
)
