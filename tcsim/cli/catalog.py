"""``tcsim catalog``: search, show and list weapons, armour and units."""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any

import click

from tcsim.base.errors import InputError
from tcsim.base.errors import show as quoted
from tcsim.base.lang import label, listed, mark, retold, tr
from tcsim.base.text import percent, signed
from tcsim.catalog import Armour, Catalog, Row, Unit, Weapon, as_record
from tcsim.catalog import catalog as open_catalog
from tcsim.cli import HelpfulGroup, lang_option
from tcsim.cli.abilities import abilities
from tcsim.cli.inputs import catalog_option, complete
from tcsim.cli.loadouts import check, warbands
from tcsim.rules import DEFAULT_EDITION
from tcsim.rules.mechanisms import TARGETS, Place, is_counted

_KINDS = ("weapon", "armour", "unit")


@click.group(
    cls=HelpfulGroup,
    no_args_is_help=False,
    epilog="""\b
Examples:
  tcsim catalog search grenade
  tcsim catalog show "Sniper Rifle"
  tcsim catalog list weapon --unmodelled
  tcsim catalog diff 1.6.3 1.0.2 "Heavy Shotgun"
  tcsim catalog abilities skill --edition 1.0.2
  tcsim catalog check na-line
""",
)
def catalog() -> None:
    """Search, show, list and compare weapons, armour and units; check loadouts."""


catalog.add_command(abilities)
catalog.add_command(check)
catalog.add_command(warbands)


_third_party = click.option("--third-party", is_flag=True, help="Also rows that are not in the official books.")


def _common_options(command: Any) -> Any:
    """What every subcommand of the catalogue takes: edition, users' own catalogues, language and JSON."""
    command = catalog_option(command)
    command = lang_option(click.option("--json", "as_json", is_flag=True, help="Print as JSON.")(command))
    return click.option("--edition", metavar="ID", default=DEFAULT_EDITION, help="Rules edition; default 1.6.3.")(
        command
    )


@catalog.command(
    epilog="""\b
Example:
  tcsim catalog search shotgun
""",
)
@click.argument("words", nargs=-1, required=True)
@_third_party
@_common_options
def search(words: tuple[str, ...], edition: str, catalogs: tuple[str, ...], third_party: bool, as_json: bool) -> None:
    """Find rows whose name, keywords or factions contain all WORDS."""
    rows = open_catalog(edition, catalogs)
    found = list(rows.search(" ".join(words), third_party))
    if not found:
        raise InputError(f"nothing in the catalogue of {edition} has {quoted(' '.join(words))}")
    _print_rows(found, as_json, rows)


@catalog.command(
    epilog="""\b
Examples:
  tcsim catalog show "Sniper Rifle"
  tcsim catalog show "Machine Armour" --edition 1.0.2
""",
)
@click.argument("name", shell_complete=complete("name"))
@_common_options
def show(name: str, edition: str, catalogs: tuple[str, ...], as_json: bool) -> None:
    """Show every weapon, armour and unit that NAME finds, with numbers, prices and sources."""
    opened = open_catalog(edition, catalogs)
    rows = opened.named(name)
    if as_json:
        _print_rows(rows, as_json, opened)
        return
    from tcsim.cli.terminal import say

    for number, row in enumerate(rows):
        if number:
            say()
        _print_row(row, opened)


@catalog.command(
    "list",
    epilog="""\b
Examples:
  tcsim catalog list armour
  tcsim catalog list unit --unmodelled
""",
)
@click.argument("kind", type=click.Choice(_KINDS), required=False)
@_third_party
@click.option("--unmodelled", is_flag=True, help="Only rows that leave something out, or ask for it.")
@_common_options
def list_(
    kind: str | None, unmodelled: bool, edition: str, catalogs: tuple[str, ...], third_party: bool, as_json: bool
) -> None:
    """List the rows of one KIND (weapon, armour or unit), or of all."""
    opened = open_catalog(edition, catalogs)
    rows = [row for name in _KINDS if kind in (None, name) for row in opened.by_kind[name]]
    rows = [row for row in rows if (third_party or not row.third_party) and (row.status != "whole" or not unmodelled)]
    if unmodelled and not as_json:
        _print_unmodelled(rows)
    else:
        _print_rows(rows, as_json, opened)


@catalog.command(
    epilog="""\b
Examples:
  tcsim catalog diff 1.6.3 1.0.2
  tcsim catalog diff 1.6.3 1.0.2 "Heavy Shotgun"
""",
)
@click.argument("old", metavar="EDITION", shell_complete=complete("edition"))
@click.argument("new", metavar="EDITION", shell_complete=complete("edition"))
@click.argument("name", required=False, shell_complete=complete("name"))
@catalog_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@lang_option
def diff(old: str, new: str, name: str | None, catalogs: tuple[str, ...], as_json: bool) -> None:
    """Show what changed from one EDITION to another, in dice and in kill odds: of what NAME finds, or of all rows."""
    from tcsim.analysis.whole.changes import ARMOUR, changes
    from tcsim.cli.terminal import paragraph, say, table

    found = changes(old, new, name, catalogs)
    if as_json:
        rows = [
            {
                "row": change.kind,
                "id": change.id,
                "name": change.name,
                "fields": {field: list(values) for field, values in change.fields.items()},
                "armour": list(ARMOUR) if change.odds else None,
                "odds": [list(pair) for pair in change.odds] if change.odds else None,
                "left_out": list(change.left_out),
            }
            for change in found
        ]
        sys.stdout.write(json.dumps({"old": old, "new": new, "changes": rows}) + "\n")
        return
    for change in found:
        paragraph("", f"{label(change.name)}   ({tr(change.kind)})", 0)
        if not change.fields:
            paragraph("", tr("the same in both"), 2)
        for field in change.fields:
            if field == "row":
                paragraph("", tr("only in {edition}", edition=old if change.fields[field][0] else new), 2)
                continue
            before, after = change.told(field)
            words = tr(_FIELD_WORDS.get(field, field.replace("_", " ")))
            paragraph(f"  {words}", _change(before, after), 22)
        if change.odds and any(abs(a - b) > 5e-4 for a, b in change.odds):
            pairs = [f"{percent(a)} → {percent(b)}" for a, b in change.odds]
            heads = (tr("out of action"), *(tr("armour {n}", n=signed(armour)) for armour in ARMOUR))
            table(heads, [["", *pairs]], "lrrrr")
            for text in change.left_out:
                paragraph(f"  {tr('without')}", text, 22)
        elif change.odds:
            paragraph(f"  {tr('out of action')}", tr("the same in both"), 22)
        say()
    if name is None:
        told = mark("{n} rows differ between {old} and {new}, other than in price")
        say(tr(told, n=len(found), old=old, new=new))
    if any(change.odds for change in found):
        say(tr("Out of action: by one action at short range, without other help."))


_FIELD_WORDS = {
    "range_in": mark("range"),
    "action_dice": mark("DICE"),
    "ranged_dice": mark("ranged"),
    "melee_dice": mark("melee"),
}
_FIELD_WORDS |= {"effects": mark("rules")}


def _change(before: Any, after: Any) -> str:
    """What a field was and is; of a list only what is gone (−) or new (+) where nothing takes its place."""
    if isinstance(before, list) and not (before and after):
        return f"− {_value(before)}" if before else f"+ {_value(after)}"
    return f"{_value(before)} → {_value(after)}"


def _value(value: Any) -> str:
    """A cell of a row in words."""
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if value in (None, "", []):
        return tr("none")
    if isinstance(value, list):
        return ", ".join(_value(item) for item in value)
    if isinstance(value, dict):
        return f"{value['amount']} {tr(value['currency'])}" + (f" ({value['faction']})" if value["faction"] else "")
    return label(str(value))


def _print_rows(rows: list[Row], as_json: bool, opened: Catalog) -> None:
    own = {(row.kind_of_row, row.id): opened.origin(row.kind_of_row, row.id) for row in rows if opened.own is not None}
    places = {key: place for key, place in own.items() if place is not None}
    if as_json:
        records = [as_record(row) for row in rows]
        for record in records:
            place = places.get((record["row"], record["id"]))
            if place is not None:
                record["from"] = place._asdict()
        sys.stdout.write(json.dumps(records) + "\n")
        return
    from tcsim.cli.terminal import paragraph, say, table

    first = True
    for kind, heads, align, cells in (
        (Weapon, _WEAPON_HEADS, "wrrrrwr", _weapon_cells),
        (Armour, _ARMOUR_HEADS, "wlrwr", _armour_cells),
        (Unit, _UNIT_HEADS, "wrrrwr", _unit_cells),
    ):
        some = [row for row in rows if isinstance(row, kind)]
        if not some:
            continue
        if not first:
            say()
        first = False
        table([tr(head) for head in heads], [cells(row) for row in some], align)
    if any(row.status != "whole" for row in rows):
        say()
        say(f"  {tr('* leaves out or asks for something; see tcsim catalog list --unmodelled')}")
    for file in dict.fromkeys(place.file for place in places.values()):
        names = [label(row.name) for row in rows if (p := places.get((row.kind_of_row, row.id))) and p.file == file]
        say()
        paragraph("", tr("From {file}: {names}", file=file, names=", ".join(names)), 2)


_WEAPON_HEADS = (
    *(mark("weapon"), mark("range"), mark("shots"), mark("DICE")),
    *(mark("injury"), mark("keywords"), mark("cost")),
)
_ARMOUR_HEADS = (mark("armour"), mark("slot"), mark("modifier"), mark("grants"), mark("cost"))
_UNIT_HEADS = (mark("unit"), mark("ranged"), mark("melee"), mark("armour"), mark("keywords"), mark("cost"))


def _print_unmodelled(rows: list[Row]) -> None:
    from tcsim.cli.terminal import paragraph, say

    for row in rows:
        paragraph(tr(row.kind_of_row), label(row.label), 8)
        for text in row.unmodelled:
            paragraph("", tr("board: {text}" if row.status == "board" else "left out: {text}", text=retold(text)), 10)
        for text in row.asks:
            paragraph("", tr("asks for {text}", text=retold(text)), 10)
    say()
    counts = Counter(row.status for row in rows)
    told = mark("partial: {n} rows answer with a named input, or leave something out as said")
    say(tr(told, n=counts["partial"]))
    say(tr("board: {n} rows have nothing that an attack on one target can show", n=counts["board"]))


def _star(row: Row) -> str:
    return label(row.label) if row.status == "whole" else f"{label(row.label)} *"


def _cost(row: Row) -> str:
    ducats, glory = row.cheapest("ducats"), row.cheapest("glory")
    parts = [f"{ducats}" if ducats is not None else "", tr("{n} glory", n=glory) if glory is not None else ""]
    return " + ".join(part for part in parts if part) or "-"


def _injury(weapon: Weapon) -> str:
    """Injury dice and modifier in one cell, as ``+1 dice``, ``+2`` or ``3D6``."""
    parts = [f"{weapon.injury_keep}D6"] if weapon.injury_keep not in (0, 2) else []
    parts += [tr("{change} dice", change=signed(weapon.injury_dice))] if weapon.injury_dice else []
    parts += [signed(weapon.injury_modifier)] if weapon.injury_modifier else []
    return ", ".join(parts) or (tr("none") if weapon.injury_keep == 0 else "0")


def _weapon_cells(row: Row) -> list[str]:
    assert isinstance(row, Weapon)
    reach = f'{row.range_in}"' if row.range_in else tr(row.kind)
    dice = tr("auto") if row.auto_hit else signed(row.action_dice)
    keywords = [label(word) for word in row.keywords]
    if row.ignore_armour != "none" and "IGNORE ARMOUR" not in row.keywords:
        keywords.append(tr(_IGNORES[row.ignore_armour]))
    return [_star(row), reach, str(row.shots), dice, _injury(row), ", ".join(keywords), _cost(row)]


_IGNORES = {
    "all": mark("ignores armour"),
    "shield": mark("ignores shields"),
    "on_critical": mark("ignores armour on a critical"),
    "target_down": mark("ignores armour of a Down target"),
    "direct": mark("ignores armour of the model hit directly"),
    "not_in_cover": mark("ignores armour out of cover"),
    "optional": mark("may ignore armour"),
}


def _armour_cells(row: Row) -> list[str]:
    assert isinstance(row, Armour)
    grants = [label(word) for word in (*row.grants, *(["IMPERVIOUS"] if row.impervious else []))]
    return [_star(row), tr(row.slot), signed(row.injury_modifier), ", ".join(grants), _cost(row)]


def _unit_cells(row: Row) -> list[str]:
    assert isinstance(row, Unit)
    ranged, melee = ("-" if dice is None else signed(dice) for dice in (row.ranged_dice, row.melee_dice))
    return [_star(row), ranged, melee, signed(row.injury_modifier), listed(", ".join(row.keywords)), _cost(row)]


def _print_row(row: Row, opened: Catalog) -> None:
    from tcsim.cli.terminal import paragraph

    paragraph("", f"{label(row.label)}   ({tr(row.kind_of_row)}, {row.edition}, id {row.id})", 0)
    facts: dict[str, str] = {}
    if isinstance(row, Weapon):
        _, reach, shots, dice, injury, keywords, _ = _weapon_cells(row)
        facts = {
            mark("kind"): tr(row.kind),
            mark("range"): reach,
            mark("shots"): shots,
            mark("DICE"): dice,
            mark("injury"): injury,
        }
        facts |= {
            mark("hands"): str(row.hands) if row.hands else "",
            mark("blast"): f'{row.blast_in}"' if row.blast_in else "",
        }
        facts |= {mark("keywords"): keywords, mark("factions"): ", ".join(row.factions)}
    elif isinstance(row, Armour):
        _, slot, modifier, grants, _ = _armour_cells(row)
        facts = {mark("slot"): slot, mark("modifier"): modifier, mark("grants"): grants}
        facts |= {
            mark("shield"): ""
            if row.stacks_with_shield or row.slot != "body"
            else tr("cannot be combined with a shield")
        }
        facts |= {mark("factions"): ", ".join(row.factions)}
    elif isinstance(row, Unit):
        _, ranged, melee, modifier, keywords, _ = _unit_cells(row)
        facts = {
            mark("ranged"): ranged,
            mark("melee"): melee,
            mark("armour"): modifier,
            mark("wears"): listed(row.armour_included),
        }
        facts |= {mark("moves"): f'{row.movement_in}"' if row.movement_in else "", mark("base"): f"{row.base_mm} mm"}
        facts |= {mark("keywords"): keywords}
    if isinstance(row, (Weapon, Armour)):
        facts[mark("rules")] = "; ".join(effect.text for effect in row.effects if is_counted(effect))
        beside = [TARGETS[effect.target] for effect in row.effects]
        facts[mark("no dice")] = "; ".join(tr(target.words) for target in beside if target.place is Place.BESIDE)
    if isinstance(row, Weapon):
        facts[mark("besides")] = row.besides
    if isinstance(row, Unit):
        facts[mark("abilities")] = "; ".join(ability.text for ability in row.abilities)
    prices = [
        f"{price.amount} {tr(price.currency)}" + (f" ({price.faction})" if price.faction else "")
        for price in row.prices
    ]
    facts |= {mark("cost"): ", ".join(prices), mark("sources"): ", ".join(row.sources), mark("conflict"): row.conflict}
    place = opened.origin(row.kind_of_row, row.id)
    if place is not None:
        facts |= {mark("from"): str(place), mark("sources"): ", ".join(s for s in row.sources if s != str(place))}
    facts |= {mark("official"): tr("no, third-party") if row.third_party else ""}
    for name, text in facts.items():
        if text:
            paragraph(f"  {tr(name)}", text, 13)
    for text in row.unmodelled:
        paragraph(f"  {tr('left out')}", text, 13)
    for text in row.asks:
        paragraph(f"  {tr('asks for')}", retold(text), 13)
