"""Korean: labels that are accepted, and all that is printed and plotted in Korean."""

from __future__ import annotations

import ast
import json
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import korean_strings
import numpy as np
import pytest
from test_cli import run

from tcsim.analysis.kill_odds import kill_odds
from tcsim.base import labels, lang, text
from tcsim.base.errors import InputError
from tcsim.catalog import catalog
from tcsim.plots import data, page, style
from tcsim.plots.figures import agreement, armour_blood, attacks, critical_worth, heat, outcomes
from tcsim.report.kill_odds import Settings, compose
from tcsim.report.provenance import Provenance, finish
from tcsim.report.render import render_html, render_markdown
from tcsim.report.settings import Rolled
from tcsim.rules import edition, editions
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import resolve
from tcsim.scenario.written import read_attack

HANGUL = re.compile("[가-힣]")
#: Three plain English words in a row: a sentence that was not translated. Names of things have capitals.
ENGLISH = re.compile(r"(?<![\w-])[a-z]{2,} [a-z]+ [a-z]{2,}(?![\w-])")


def ways(label: str) -> list[str]:
    """A label as people type it: composed, decomposed, without spaces, with more."""
    spread = f" {label.replace(' ', '  ')} "
    return [label, unicodedata.normalize("NFD", label), label.replace(" ", ""), spread]


# --- labels ---------------------------------------------------------------------------------------------------


def test_every_keyword_and_the_armour_of_the_source_text_have_a_label() -> None:
    keywords = {word for name in editions() for word in edition(name).keywords}
    assert set(labels.table()["keywords"]) == keywords
    armour = {row.name for row in catalog("1.6.3").by_kind["armour"]}
    assert set(labels.table()["armour"]) == {"Trench Shield", "Standard Armour", "Reinforced Armour", "Machine Armour"}
    assert set(labels.table()["armour"]) <= armour


@pytest.mark.parametrize("groups", [labels.NAMES, labels.ATTACK])
def test_a_label_stands_for_one_term_however_it_is_typed(groups: tuple[str, ...]) -> None:
    terms = [(term, label) for group in groups for term, every in labels.table()[group].items() for label in every]
    assert len({label.replace(" ", "") for _, label in terms}) == len(terms)
    for term, label in terms:
        assert HANGUL.search(label)
        assert {labels.english(way, groups) for way in ways(label)} == {term}
        assert labels.english(term, groups) == term


def test_other_text_is_no_label() -> None:
    for other in ("모르는 말", "Yüzbaşı", "", "중갑 2개", "3 중갑"):
        assert labels.english(other) == other
    assert labels.english("방어구 관통 2") == labels.english("방어구관통2") == "ARMOUR PIERCING 2"
    assert labels.english("광역무기(3)") == "BLAST (3)"
    assert labels.english_words("화염 공격 grenade 모르는") == "FIRE grenade 모르는"


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_a_scenario_in_korean_is_the_same_question(turn: int) -> None:
    def asked(armour: list[str], target: str, attacker: str, attack: list[str]) -> Any:
        table = {"kind": "melee", "fear": True, "keywords": attack}
        given = {"armour": armour, "keywords": [target]}
        return resolve(
            from_mapping({"target": given, "attacker": {"keywords": [attacker]}, "attacks": [table]})
        ).problem

    worn, tough, afraid = ["중갑", "참호 방패"], "강인함", "공포 유발 무효"
    cuts, way = ["치명적인 무기", "화염 공격", "방어구 관통 2"], lambda label: ways(label)[turn]
    korean = asked([way(one) for one in worn], way(tough), way(afraid), [way(one).strip() for one in cuts])
    english = asked(
        ["Reinforced Armour", "Trench Shield"], "TOUGH", "NEGATE FEAR", ["CRITICAL", "FIRE", "ARMOUR PIERCING 2"]
    )
    assert korean == english


@pytest.mark.parametrize(
    ("korean", "english"),
    [
        ("원거리,엄폐,장거리,고지대", "ranged,cover,long_range,elevated"),
        ("근거리 공격,보조 무기,엄폐물,공포 유발", "melee,off_hand,defended_obstacle,fear"),
        ("근접,times=2,돌격", "melee,times=2,charging"),
        ("원거리공격,엄폐=false", "ranged,cover=false"),
        ("기상", "stand"),
        ("조작", "activation"),
        ("대상 조작", "target_activation"),
        ("Bolt-Action Rifle,엄폐", "Bolt-Action Rifle,cover"),
    ],
)
def test_an_attack_text_may_be_korean(korean: str, english: str) -> None:
    for way in (korean, unicodedata.normalize("NFD", korean)):
        assert read_attack(way, "--attack 1") == read_attack(english, "--attack 1")


def test_the_catalogue_is_searched_and_shown_by_label() -> None:
    assert run("catalog", "search", "화염", "공격", "수류탄").out == run("catalog", "search", "FIRE", "GRENADE").out
    assert run("catalog", "show", "중갑").out == run("catalog", "show", "Reinforced Armour").out


# --- strings --------------------------------------------------------------------------------------------------


def names_in(string: str) -> set[str]:
    return set(re.findall(r"\{(\w*)\}", string))


def told(string: str) -> str:
    with lang.speaking("ko"):
        return lang.tr(string)


def test_the_walk_finds_strings_wherever_they_are_passed() -> None:
    source = 'tr("a" if x else "b"); lang.mark("c" "d"); plural(2, "e"); tell.things(n, "f", "g"); tr(name); rich("h")'
    nouns = {"{n} e", "{n} es", "no es", "{n} f", "{n} g", "no g"}
    assert set(korean_strings.of_source(source)) == {"a", "b", "cd", "h", *nouns}


def test_every_string_has_a_korean_one() -> None:
    for string in korean_strings.of_code() | korean_strings.of_data():
        left = re.sub(r"\{\w*\}|%p", "", told(string))
        done = HANGUL.search(left) or (told(string) != string and not re.search("[a-z]", left))  # or signs alone
        assert done, f"no Korean for {string!r} in tcsim/base/korean"


def test_no_string_is_left_over_and_values_are_those_of_the_english_one() -> None:
    passed = korean_strings.of_code() | korean_strings.of_data()
    assert [string for string in lang.table_of(*lang.FILES) if string not in passed] == []
    for english, korean in lang.strings().items():
        assert names_in(korean) <= names_in(english), english
        assert korean.count("**") == english.count("**"), english
        assert unicodedata.is_normalized("NFC", korean)


def sentences_of_scenarios() -> Iterator[str]:
    """Sentences that the code of scenarios makes for people, with 1 in the place of every value."""
    for path in sorted((korean_strings.PACKAGE / "scenario").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = ast.unparse(node.func)
            said = {"note": 1, "Line": 2}.get(name, 0 if re.search(r"\b(notes|assumed)\.append$", name) else None)
            if said is None or len(node.args) <= said:
                continue
            match node.args[said]:
                case ast.Constant(value=str(sentence)):
                    yield sentence
                case ast.JoinedStr(values=parts):
                    yield "".join(str(part.value) if isinstance(part, ast.Constant) else "1" for part in parts)


def test_notes_assumptions_and_reasons_have_korean() -> None:
    from tcsim.scenario.asked import ASKED

    found = {sentence for sentence in sentences_of_scenarios() if re.search("[a-z]{3}", sentence)}
    found |= set(ASKED.values())
    assert "Not counted yet: 1: 1." in found
    keys = {"action_dice", "injury_dice", "injury_modifier"}  # of the scenario, which are written as they are
    with lang.speaking("ko"):
        missing = [sentence for sentence in found - keys if not HANGUL.search(lang.retold(sentence))]
    assert missing == []


def test_finished_sentences_are_retold_with_their_values() -> None:
    with lang.speaking("ko"):
        assert lang.retold("Changes no dice here: GAS, STRONG.") == "여기서는 주사위에 영향이 없음: 가스, 강력함."
        assert lang.retold("Out of nowhere.") == "Out of nowhere."
        assert lang.retold("Aura: GAS") == "Aura: 가스"  # whose rule it is stays, what it does is told
        assert lang.retold("Aura: nowhere") == "Aura: nowhere"
        assert lang.tr("Out of nowhere {n}", n=1) == "Out of nowhere 1"
    assert lang.retold("Changes no dice here: GAS.") == "Changes no dice here: GAS."


# --- the command line -----------------------------------------------------------------------------------------

ODDS = ["odds", "--attack", "Submachine Gun,distance=12,cover", "--attack", "기상", "--attack", "근접,times=2"]
TARGET = ["--armour", "중갑", "--target-blood", "3", "--spend", "greedy", "--tough"]
PRINTED = {
    "odds": [*ODDS, *TARGET],
    "rolled": [*ODDS[:-2], *TARGET, "--method", "monte-carlo", "--trials", "2000", "--traces", "5"],
    "explain": ["explain", *ODDS[1:], *TARGET, "--unit", "Heretic Trooper"],
    "pool": ["pool", "--net", "-2", "--modifier", "1"],
    "show": ["catalog", "show", "기갑"],
    "weapons": ["catalog", "list", "weapon"],
    "armour": ["catalog", "list", "armour"],
    "units": ["catalog", "list", "unit"],
    "diff": ["catalog", "diff", "1.6.3", "1.0.2", "Heavy Shotgun"],
    "options": ["options"],
    "older": ["options", "--edition", "1.0.2"],
    "editions": ["editions"],
}


@pytest.mark.parametrize("name", PRINTED)
def test_what_is_printed_is_korean_and_fits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said = run(*PRINTED[name], "--lang", "ko")
    assert (said.status, said.err) == (0, "")
    lines = said.out.splitlines()
    assert len([line for line in lines if HANGUL.search(line)]) > len(lines) / 3 or name == "pool"
    assert max(map(text.columns, lines)) <= 80
    quoted = re.sub(
        r"\[(text|faq|json|book|web): [^\]]*\]|(출처|source) .*|이견.*(\n .*)*|tcsim [a-z ]+ --", "", said.out
    )
    assert ENGLISH.findall(quoted) == []
    monkeypatch.setenv("TCSIM_LANG", "ko")
    assert run(*PRINTED[name]).out == said.out
    plain = run(*PRINTED[name], "--lang", "en")
    assert not HANGUL.search(plain.out)
    monkeypatch.delenv("TCSIM_LANG")
    assert run(*PRINTED[name]).out == plain.out


@pytest.mark.parametrize("name", ["pool", "odds", "explain"])
def test_right_hand_columns_end_in_one_column(name: str) -> None:
    lines = run(*PRINTED[name], "--lang", "ko").out.splitlines()
    rules = [i for i, line in enumerate(lines) if re.fullmatch(r"  -+", line)]
    assert rules
    for i in rules:
        below = [line for line in lines[i - 1 : i + 6] if re.search(r"[%\d]$", line) and not re.search(r"[.:]$", line)]
        assert {text.columns(line) for line in below} == {len(lines[i])}


def test_json_and_errors_stay_english() -> None:
    for argv in (PRINTED["odds"], PRINTED["explain"], PRINTED["pool"], PRINTED["options"], PRINTED["show"]):
        plain, korean = run(*argv, "--json"), run(*argv, "--json", "--lang", "ko")
        assert json.loads(korean.out) == json.loads(plain.out)
    assert run("odds", "--attack", "Riffle", "--lang", "ko").err == run("odds", "--attack", "Riffle").err


def test_the_language_is_chosen_before_or_after_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("--lang", "ko", "pool").out == run("pool", "--lang", "KO").out != run("pool").out
    assert lang.current() == "en"
    monkeypatch.setenv("TCSIM_LANG", "kr")
    said = run("pool")
    assert (said.status, said.out) == (2, "")
    assert said.err == 'tcsim: --lang or TCSIM_LANG: there is no language "kr"; there is en, ko\n'
    monkeypatch.setenv("TCSIM_LANG", "")
    assert run("pool").status == 0
    assert run("pool", "--lang", "fr").err.startswith('tcsim: --lang: there is no language "fr"')


@pytest.mark.parametrize("encoding", ["ascii", "cp949", "utf-8"])
def test_any_encoding_will_do(encoding: str) -> None:
    said = run(*PRINTED["odds"], "--lang", "ko", encoding=encoding)
    assert (said.status, said.err) == (0, "")
    assert ("전투불가" in said.out) == (encoding != "ascii")


def test_columns_of_a_terminal() -> None:
    assert [text.columns(one) for one in ("", "Down", "중상", unicodedata.normalize("NFD", "중상"), "−2")] == [
        *(0, 4, 4, 4, 2)
    ]
    assert text.padded("중상", 6) == "중상  "
    assert text.wrapped("전투불가 상태로 끝남", 8) == ["전투불가", "상태로", "끝남"]
    assert text.wrapped("가나다라", 5) == ["가나", "다라"]


# --- figures and the report -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def frame() -> Any:
    weapons = ["Bolt-Action Rifle", "Submachine Gun", "Sword / Axe", "Anti-Materiel Rifle", "Malebranche Sword"]
    return kill_odds(weapons, "1.6.3", (0, 3, 6), (1, 2), "greedy", 2000, 1)


PROVENANCE = Provenance((catalog("1.6.3"),), ("tcsim", "report", "kill-odds", "--lang", "ko"), Rolled(2000, 1))


SETTINGS = Settings(catalog("1.6.3"), ("Sword / Axe",), "greedy", 2000, 1)


def no_fonts(monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...] = ()) -> None:
    """Let matplotlib know these families only, and the machine have no other."""
    from matplotlib.font_manager import FontEntry

    entries = [FontEntry(fname="/nowhere", name=name) for name in ("DejaVu Sans", *names)]
    monkeypatch.setattr(style.fontManager, "ttflist", entries)
    monkeypatch.setattr(style, "findSystemFonts", list)
    monkeypatch.setattr(style, "korean_font", style.korean_font.__wrapped__)


def test_without_a_korean_font_one_sentence_names_a_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, frame: Any
) -> None:
    no_fonts(monkeypatch)
    with pytest.raises(InputError, match=r"fonts-noto-cjk or fonts-nanum"):
        heat.heat(frame, lang="ko")
    said = run("report", "kill-odds", "--demo", "--lang", "ko", "--out", str(tmp_path / "out"))
    assert (said.status, said.out) == (2, "")
    assert said.err.count("\n") == 1
    assert "no Korean font is installed" in said.err
    assert not (tmp_path / "out" / "index.html").exists()


@pytest.mark.parametrize(
    ("there", "chosen"),
    [
        (("UnDotum", "NanumGothic"), "NanumGothic"),
        (("NanumGothic", "Noto Sans CJK KR"), "Noto Sans CJK KR"),
        (("Noto Sans CJK JP",), "Noto Sans CJK JP"),
        (("Malgun Gothic",), "Malgun Gothic"),
    ],
)
def test_the_first_font_of_the_list_that_is_installed(
    there: tuple[str, ...], chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_fonts(monkeypatch, there)
    assert style.families() == ("DejaVu Sans",)
    with lang.speaking("ko"):
        assert style.families() == (chosen, "DejaVu Sans")


def test_a_font_that_was_installed_since_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from matplotlib.font_manager import FontEntry

    no_fonts(monkeypatch)
    monkeypatch.setattr(style, "findSystemFonts", lambda: ["/broken.ttf", "/new.ttf"])

    def add(path: str) -> None:
        if path == "/broken.ttf":
            raise RuntimeError("no font")
        style.fontManager.ttflist.append(FontEntry(fname=path, name="NanumGothic"))

    monkeypatch.setattr(style.fontManager, "addfont", add)
    with lang.speaking("ko"):
        assert style.families()[0] == "NanumGothic"


FIGURES = (
    (heat.heat, heat.heat_words),
    (armour_blood.armour_blood, armour_blood.armour_blood_words),
    (attacks.attacks, attacks.attacks_words),
    (critical_worth.critical_worth, critical_worth.critical_worth_words),
    (outcomes.outcomes, outcomes.outcomes_words),
    (agreement.agreement, agreement.agreement_words),
)


def test_the_report_is_korean(frame: Any) -> None:
    with lang.speaking("ko"):
        written = render_markdown(finish(compose(frame, SETTINGS), PROVENANCE))
    assert lang.current() == "en"
    assert ENGLISH.findall(written) == []
    heads = [line for line in written.splitlines() if line.startswith("#")]
    assert len(heads) > 8
    assert [
        line for line in heads if not HANGUL.search(line) and line.strip("# ") not in frame["weapon"].tolist()
    ] == []
    english = render_markdown(finish(compose(frame, SETTINGS), PROVENANCE))
    assert not HANGUL.search(english)
    number = re.compile(r"\d+(?:\.\d+)?%")
    tables = ["".join(line for line in text_.splitlines() if line.startswith("|")) for text_ in (written, english)]
    assert len(number.findall(tables[0])) > 500
    assert number.findall(tables[0]) == number.findall(tables[1])


@pytest.mark.verification
def test_figures_have_all_their_letters(frame: Any) -> None:
    """Needs a font with Korean letters, and fails without one; a glyph that it lacks is a warning, so an error."""
    described = data.described(frame, "1.6.3")
    for draw, _ in FIGURES:
        axes: np.ndarray = draw(described, lang="ko")
        assert page.png(axes).startswith(b"\x89PNG")
        written = "".join(part.get_text() for part in page.figure_of(axes).findobj(page.Text))
        assert HANGUL.search(written)
        assert ENGLISH.findall(written) == []
    with lang.speaking("ko"):
        html = render_html(finish(compose(frame, SETTINGS), PROVENANCE))
    assert '<html lang="ko">' in html
    assert ENGLISH.findall(re.sub(r"<style>.*?</style>|<script>.*?</script>|<[^>]*>", "", html, flags=re.S)) == []
