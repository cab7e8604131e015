"""Korean labels of game terms: accepted wherever the English name is, and what is printed in Korean.

The table is data: ``korean/terms.toml``. It tells which labels
the Korean source text has and which are plain translations.
"""

from __future__ import annotations

import re
from functools import cache
from unicodedata import normalize

#: The groups of the table whose terms are names: they stand for themselves anywhere.
NAMES = ("terms", "armour", "keywords")
#: The group of what an attack text on the command line may say beside names.
ATTACK = ("attack",)


@cache
def table() -> dict[str, dict[str, tuple[str, ...]]]:
    """Read the table of labels.

    Returns
    -------
    dict
        Group (``terms``, ``armour``, ``keywords``, ``attack``) to English term to its Korean labels, the printed one
        first.

    Examples
    --------
    >>> len(table()["armour"])
    4
    """
    import tomllib
    from importlib.resources import files

    read = tomllib.loads((files("tcsim.base") / "korean" / "terms.toml").read_text(encoding="utf-8"))
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for part in (read["source"], read["plain"]):
        for group, terms in part.items():
            own = found.setdefault(group, {})
            for term, labels in terms.items():
                own[term] = (*own.get(term, ()), *labels)
    return found


@cache
def _english(groups: tuple[str, ...]) -> dict[str, str]:
    return {_squeeze(label): term for group in groups for term, labels in table()[group].items() for label in labels}


def _squeeze(text: str) -> str:
    return "".join(normalize("NFC", text).split())


_NUMBERED = re.compile(r"(.*[^\s\d(])\s*(\(\d{1,2}\)|\d{1,2})\s*")


def english(text: str, groups: tuple[str, ...] = NAMES) -> str:
    """Give the English term for a Korean label; any other text comes back as it is.

    Spaces inside a label do not matter, nor whether its syllables are composed or written as single letters.

    Parameters
    ----------
    text : str
        A name as the user wrote it; a number may follow it.
    groups : tuple of str, optional
        Which groups of the table to look in; default: the names.

    Returns
    -------
    str
        The English term, or ``text``.

    Examples
    --------
    >>> english("중갑"), english("화염공격"), english("광역무기 (3)"), english("Sniper Rifle")
    ('Reinforced Armour', 'FIRE', 'BLAST (3)', 'Sniper Rifle')
    """
    if text.isascii():
        return text
    known = _english(groups)
    numbered = _NUMBERED.fullmatch(text)
    if numbered is not None and _squeeze(numbered[1]) in known:
        return f"{known[_squeeze(numbered[1])]} {numbered[2]}"
    return known.get(_squeeze(text), text)


def english_words(text: str) -> str:
    """Put the English term in the place of each Korean label that stands in a text.

    Parameters
    ----------
    text : str
        Words to be searched for.

    Returns
    -------
    str
        The same with English terms; the longest label that fits is taken first.

    Examples
    --------
    >>> english_words("화염 공격 grenade")
    'FIRE grenade'
    """
    if text.isascii():
        return text
    words, found = text.split(), []
    while words:
        length = next((n for n in range(len(words), 0, -1) if _squeeze("".join(words[:n])) in _english(NAMES)), 1)
        found.append(english("".join(words[:length])))
        words = words[length:]
    return " ".join(found)
