"""Words too frequent to tell one passage from another, without accents and in lower case."""

from __future__ import annotations

from typing import Literal, TypeAlias

Language: TypeAlias = Literal["es", "en"]

STOP_WORDS: dict[Language, frozenset[str]] = {
    "es": frozenset(
        """a al algo alguna algunas alguno algunos ambos ante antes aquel aquella aquellas aquello
        aquellos aqui asi aun aunque bajo bien cada como con contra cual cuales cualquier cuando
        cuanta cuantas cuanto cuantos cuya cuyas cuyo cuyos de debe deben del desde donde dos
        durante e el ella ellas ello ellos en entonces entre era eran eres es esa esas ese eso esos
        esta estaba estaban estado estan estar estas este esto estos estoy fue fueron ha haber
        habia habian hace hacen hacer hacia han has hasta hay he la las le les lo los mas me mi
        mientras mis mismo misma mucha muchas mucho muchos muy nada ni no nos nosotros nuestra
        nuestro o os otra otras otro otros para pero poca poco por porque pues que quien quienes se
        sea sean segun ser si sido sin sino so sobre solo son soy su sus suya suyo tal tambien
        tampoco tan tanto te tener tenia tiene tienen ti toda todas todo todos tu tus u un una unas
        uno unos usted ustedes vosotros y ya yo
        cuentame define defineme describe dime explica explicame sirve""".split()
    ),
    "en": frozenset(
        """a about above after again all also am an and any are as at be because been before being
        below between both but by can could did do does doing down during each few for from further
        had has have having he her here hers him his how i if in into is it its itself just me more
        most my no nor not now of off on once only or other our out over own same she should so
        some such than that the their theirs them then there these they this those through to too
        under until up upon us very was we were what when where whether which while who whom whose
        why will with would you your yours
        define describe explain tell""".split()
    ),
}
