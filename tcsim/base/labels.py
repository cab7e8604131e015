"""Korean labels of game terms, from the Korean source text: accepted wherever the English name is."""

from __future__ import annotations

from functools import cache
from unicodedata import normalize

#: English term (as in the rules and the catalogue) to its Korean label.
KOREAN: dict[str, str] = {
    "blood marker": "유혈 표식",
    "blessing marker": "축복 표식",
    "no effect": "피해 없음",
    "minor hit": "경상",
    "down": "중상",
    "out of action": "전투불가",
    "Bloodbath": "유혈낭자",
    "critical success": "대성공",
    "action roll": "행동성공판정표",
    "injury roll": "부상판정표",
    "Trench Shield": "참호 방패",
    "Standard Armour": "평갑",
    "Reinforced Armour": "중갑",
    "Machine Armour": "기갑",
    "ASSAULT": "돌격무기",
    "BLAST": "광역무기",
    "CONSUMABLE": "소모품",
    "CRITICAL": "치명적인 무기",
    "CUMBERSOME": "다루기 어려움",
    "ELITE": "정예병",
    "FEAR": "공포 유발",
    "FIRE": "화염 공격",
    "FIRETEAM": "사격반",
    "GAS": "가스",
    "GRENADE": "수류탄",
    "HEAVY": "중장비",
    "INFILTRATOR": "침투자",
    "NEW ANTIOCH": "신 안디옥",
    "RISKY": "위험한 행동",
    "SHRAPNEL": "파편 공격",
    "SKIRMISHER": "척후병",
    "STRONG": "강력함",
    "TOUGH": "강인함",
}


@cache
def _english() -> dict[str, str]:
    return {_squeeze(korean): english for english, korean in KOREAN.items()}


def _squeeze(text: str) -> str:
    return "".join(normalize("NFC", text).split())


def english(text: str) -> str:
    """Give the English term for a Korean label; any other text comes back as it is.

    Spaces inside a label do not matter, nor whether its syllables are composed or written as single letters.

    Parameters
    ----------
    text : str
        A name as the user wrote it.

    Returns
    -------
    str
        The English term, or ``text``.

    Examples
    --------
    >>> english("중갑"), english("화염공격"), english("Sniper Rifle")
    ('Reinforced Armour', 'FIRE', 'Sniper Rifle')
    """
    if text.isascii():
        return text
    return _english().get(_squeeze(text), text)
