"""Numbers and months written as words, in Spanish and English."""

from __future__ import annotations

SPELLED = {
    word: str(value)
    for words in (
        ("cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
        " dieciseis diecisiete dieciocho diecinueve veinte"),
        ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
        " fifteen sixteen seventeen eighteen nineteen twenty"),
    )
    for value, word in enumerate(words.split())
} | {
    "treinta": "30", "cuarenta": "40", "cincuenta": "50", "sesenta": "60", "setenta": "70",
    "ochenta": "80", "noventa": "90", "cien": "100", "mil": "1000", "thirty": "30",
    "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80",
    "ninety": "90", "hundred": "100", "thousand": "1000",
}  # fmt: skip
"""Digits by folded word; `uno` and `one` are more often pronouns."""
ONE_TO_TWELVE = {word: int(digits) for word, digits in SPELLED.items() if 1 <= int(digits) <= 12}
ROMAN = {
    numeral: str(value)
    for value, numeral in enumerate("i ii iii iv v vi vii viii ix x xi xii".split(), start=1)
}
"""Digits by Roman numeral, folded."""
ORDINALS = {
    word: str(value)
    for words in (
        "primer segundo tercer cuarto quinto",
        "primera segunda tercera cuarta quinta",
        "first second third fourth fifth",
    )
    for value, word in enumerate(words.split(), start=1)
}
"""Digits by folded word, as it stands before a noun."""
MONTHS = {
    name: month
    for names in (
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "january february march april may june july august september october november december",
    )
    for month, name in enumerate(names.split(), start=1)
} | {"setiembre": 9}
"""The number of a month by its whole name."""
