"""How sentences of notes define, name, count, date, explain, list and contrast things."""

from __future__ import annotations

import re

NUMBER_WORDS = "dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez"
LABEL = re.compile(
    r"(?:Definici[oó]n|Definition)[ \d.]*\(([^()\n]{2,60})\)[.:]\s+(?=\S)|❒ ([^–\n]{3,60}) – "
)
THEOREM = re.compile(r"(Teorema|Lema|Theorem|Lemma)[ \d.]*\(([^()\n]{3,60})\)[.:]\s+(?=\S)")
SUBJECT = r"(?P<subject>[^\W\d_][^.:;,()=\n]{2,60}?)"
ASIDE = r"(?: \([^()]{2,60}\))?"
COPULA = re.compile(
    rf"{SUBJECT}{ASIDE},? (?P<verb>es|son|is|are) "
    r"(?P<rest>(?:un[ao]?s?|el|la|los|las|aquel|aquella|an?|the) "
    r"(?!(?:mism[oa]s?|únic[oa]s?|que|de|del|same|only|one)\b).+)"
)
NAMED = re.compile(
    r"(?P<what>.{10,160}?) (?:se llaman?|se denominan?|se conocen? como|is called|are called) "
    r"(?:an? |the |una? |el |la |los |las )?(?P<name>[^\W\d_][^.,;:()=]{2,50}?)"
    rf"{ASIDE}\."
)
DEFINED = re.compile(
    rf"{SUBJECT}{ASIDE} "
    r"(?P<verb>se (?:define|calcula|obtiene|mide|estima|elige|escoge|entrena)n?) "
    r"(?:como|con|por|de|a|al|sin|mediante|dividiendo|restando|sumando)\b.{8,}"
)
COUNT = re.compile(
    rf"{SUBJECT} (?P<verb>tienen?|necesitan?|usan?|reciben?|dan?) (?:unos |unas |cerca de )?"
    rf"(?:\d[\d  .,]*|{NUMBER_WORDS}) (?P<what>(?!millones|miles)[^\W\d_]{{4,}}s)(?: [^.]*)?\."
)
LISTED = re.compile(
    rf"(?:{SUBJECT} (?P<verb>tienen?|se \w+n? (?:con|en|por|de))|(?P<there>Hay|Existen)) "
    rf"(?P<number>{NUMBER_WORDS}) (?P<what>[^\W\d_][^.:;,()=]{{3,60}}):"
)
AUTHOR = re.compile(
    r"(?P<subject>[^\W\d_][^.:;()=]{0,60}?)"
    rf"{ASIDE},? (?:fue(?:ron)? (?:publicad|propuest|inventad|introducid|presentad)\w+ por"
    r"|was (?:published|proposed|introduced) by) [A-ZÁÉÍÓÚÑ][^.;:()]{3,80}"
)
INVENTOR = re.compile(
    r"(?:[A-ZÁÉÍÓÚÑ]\w+(?:(?:,| y| e)? [A-ZÁÉÍÓÚÑ]\w+| y otros){0,4}) (?P<verb>propus(?:o|ieron)"
    r"|public(?:ó|aron)|invent(?:ó|aron)|present(?:ó|aron)|introduj(?:o|eron)|demostr(?:ó|aron)"
    r"|cre(?:ó|aron))(?: en \d{4},?)? (?P<what>[^.;:()=]{6,90})"
)
BECAUSE = re.compile(
    r"(?P<fact>[^.:;()=]{15,110}?)(?<!caracteriza)(?<!caracterizan),? (?:porque|ya que) [^=]{10,}"
)
VERB = r"(?:no|se|es|son|usan?|tienen?|pueden?|guardan?|sirven?|miden?|agregan?)"
CONTRAST = re.compile(
    rf"(?P<one>(?:El|La|Los|Las) [^.:;,()=]{{3,50}}?){ASIDE} {VERB} .{{5,120}}?"
    r"(?P<turn>[;,] (?:mientras que|en cambio,) |[;.] )"
    rf"(?P<other>(?:el|la|los|las|El|La|Los|Las) [^.:;,()=]{{3,50}}?){ASIDE} {VERB} "
)
SETTING = re.compile(r"(?:Sean?|Dad[oa]s?|Con|Given|Let|Para|Si|Llamamos|Una?)\b")
PRONOUN = re.compile(r"\w+r(?:lo|la|le|los|las|les|se)\b")
