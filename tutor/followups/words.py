"""The words of a question: what they say by themselves, and what only with something before them.

All lists are compared without accents and in lower case, as people type.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

Language: TypeAlias = Literal["es", "en"]


def words(text: str) -> frozenset[str]:
    """The words of `text` as a set."""
    return frozenset(text.split())


INTERROGATIVES = words(
    "que cual cuales como cuando cuanto cuanta cuantos cuantas donde quien quienes what which how"
    " when where who whom whose why"
    " what's who's how's where's"
)
ARTICLES = words("el la los las un una unos unas the a an")
CLITICS = words("se me te nos le les lo la los las")
CONJUNCTIONS = words("y e o u ni and or")
PREPOSITIONS = words(
    "a con de del al desde durante en entre hacia hasta para por segun sin sobre bajo ante"
    " tras frente respecto"
    " of in on for with without from to by at as about between during under over when if si"
)
STOP_WORDS = (
    INTERROGATIVES
    | ARTICLES
    | CLITICS
    | CONJUNCTIONS
    | PREPOSITIONS
    | words(
        "pero entonces pues mas menos muy tan ya no si tambien tampoco solo ahora luego despues"
        " antes siempre nunca asi aqui ahi alli aun todavia porque aunque mientras cada todo toda"
        " todos todas mismo misma mismos mismas tal algo alguien nada nadie algun alguno alguna"
        " algunos algunas ningun ninguno ninguna otro otra otros otras mi mis tu tus su sus"
        " suyo suya suyos suyas nuestro nuestra yo el ella ellos ellas ello usted ustedes eso"
        " esto aquello ese esa esos esas este esta estos estas aquel aquella aquellos aquellas"
        " ambos ambas dos uno primero primera primer segundo segunda tercero tercera tercer ultimo"
        " ultima cuarto cuarta quinto quinta anterior demas favor hola oye ok vale"
        " gracias bueno bien mal mejor peor casi cualquier ha han he hemos haber habia"
        " sido cuyo cuya vs versus"
        " but so then also too very more less most least much many some any no not yes please"
        " well just only again still yet always never ever now here there i you we he she it they"
        " me him us them my your his her hers its our their theirs this that these those one ones"
        " other others another both former latter first second third fourth fifth last previous"
        " same each all every such than because into out up down off hi hello thanks"
        " thank okay better worse best"
        " worst else d s t m ll re ve don doesn isn aren can't let lets it's that's"
    )
)
ORDINALS = words(
    "primero primera primer segundo segunda tercero tercera tercer cuarto cuarta quinto quinta"
    " ultimo ultima first second third fourth fifth last"
)
COPULAS = words(
    "es son era eran fue fueron sea sean ser seria serian esta estan estaba estuvo estar is are"
    " was were be been being am"
)
LIGHT_VERBS = COPULAS | words(
    "darme ponerme mostrarme "
    "tiene tienen tener tenia tuvo hay hubo usa usan usar uso utiliza utilizan utilizar emplea"
    " sirve sirven servir funciona funcionan funcionar calcula calculan calcular calculo"
    " calculamos define definen definir significa significan quiere decir consiste consisten hace"
    " hacen hacer hago hizo puede pueden puedes puedo podemos podria podrias debe deben deberia"
    " explica explicame explicar explicas expliques explicarme explicanos dame das dar da danos"
    " di dime diga pon ponme poner muestra muestrame mostrar ensename resume resumir resumeme"
    " resumen compara comparar entiendo entender entiende quiero quieres quiso querian"
    " quisiera saber sabe"
    " sabes necesito necesita necesitan necesitamos ocurre ocurren ocurrio pasa pasan sucede"
    " aplica aplican aplicar obtiene obtener resuelve resuelven resolver elige eligen elegir"
    " implementa implementar demuestra demostrar interpreta interpretar evita evitar relaciona"
    " relacionan llama llaman conoce representa representan mide miden medir continua sigue"
    " amplia profundiza repite aclara desarrolla detalla describe describir enumera existe"
    " existen dice dices decirme hablame habla hablar trata tratan cuenta cuentame va vas ir"
    " vamos ver creo permite permiten depende dependen diferencia diferencian distingue compare"
    " comparamos encuentra encuentro hallar halla propuso invento descubrio creo escribio murio"
    " nacio empezo termino sirvio do does did done doing has have had can could should would will"
    " may might must use used uses using work works worked mean means meant give gives tell show"
    " explain explains describe define defines compute computed calculate calculated apply"
    " applied happen happens happened make makes need needs want know understand say says said"
    " solve solves choose chosen pick differ differs get gets go goes see help try continue"
    " elaborate expand clarify repeat summarize summarise compare called measure measures depend"
    " depends prove derive implement interpret avoid find take takes come comes look like"
)
VERBS = words(
    "manda mandan sufre sufren acepta aceptan tolera soporta soportan supera aguanta admite "
    "converge convergen aprende aprenden produce producen reduce reducen aumenta aumentan crece"
    " crecen decrece garantiza garantizan minimiza minimizan maximiza maximizan entrena entrenan"
    " genera generan requiere requieren devuelve devuelven termina empieza ocupa cambia cambian"
    " evalua evaluan estima estiman selecciona ajusta ajustan provoca provoco establece afirma"
    " supone suponen combina combinan asigna busca buscan explora divide dividen parte poda acaba"
    " mejora mejoran penaliza decide deciden actualiza actualizan propaga detecta detectan falla"
    " produjo causo establecio gano perdio fundo firmo aprobo gobierna regula prohibe exige"
    " produce produces start starts begin begins end ends cause causes caused state states"
    " converge converges learn learns improve improves require requires minimize minimizes reduce"
    " reduces train trains propose proposed exist exists contain contains occur occurs occurred"
    " become becomes represent represents perform performs behave behaves handle handles deal"
    " deals guarantee guarantees stop stops decide decides split splits estimate estimates"
    " increase decrease fail fails detect detects update updates return returns grow grows"
    " invented"
)
"""Frequent verbs: no noun phrase goes on over one."""
ATTRIBUTES_ES = words(
    "contrario opuesto inverso opposite inverse ejemplo ejemplos formula formulas ecuacion"
    " ecuaciones ventaja ventajas desventaja"
    " desventajas inconveniente inconvenientes diferencia diferencias definicion definiciones"
    " significado demostracion complejidad coste costo costes pasos etapas fases tipos clases"
    " caracteristica caracteristicas propiedad propiedades aplicacion aplicaciones uso usos"
    " utilidad objetivo objetivos finalidad limitacion limitaciones idea intuicion resumen"
    " detalle detalles consecuencia consecuencias causa causas origen autor autores inventor"
    " fecha importancia requisito requisitos condiciones supuestos interpretacion pseudocodigo"
    " codigo implementacion variante variantes alternativa alternativas ejercicio ejercicios"
    " explicacion razon razones motivo velocidad rendimiento comparacion duracion elementos"
    " componentes partes nombre unidades rango historia relacion semejanzas similitudes"
    " estructura funcionamiento calculo valor notacion grafica contraejemplo contraejemplos"
    " parametros hiperparametros"
)
ATTRIBUTES_EN = words(
    "example examples formula formulas equation equations advantage advantages disadvantage"
    " disadvantages drawback drawbacks difference differences definition meaning proof complexity"
    " cost costs steps stages phases types kinds features properties property application"
    " applications uses purpose goal goals limitation limitations idea intuition summary detail"
    " details consequences cause causes origin author authors inventor date importance"
    " requirements conditions assumptions interpretation pseudocode code implementation variant"
    " variants alternative alternatives exercise exercises explanation reason reasons speed"
    " performance comparison duration elements components parts name range relation relationship"
    " similarities structure value notation counterexample parameters hyperparameters pros cons"
    " benefits effects effect result results use usage"
)
ATTRIBUTES = ATTRIBUTES_ES | ATTRIBUTES_EN
"""Nouns that ask something of a topic: `the formula` is the formula of what was spoken of."""
CLASSES = words(
    "algoritmo algoritmos metodo metodos tecnica tecnicas modelo modelos concepto conceptos"
    " termino terminos teorema teoremas tema temas problema problemas ley leyes regla reglas"
    " funcion funciones proceso procesos enfoque enfoques estrategia estrategias medida medidas"
    " procedimiento sistema sistemas cosa cosas caso casos opcion opciones tipo clase version"
    " parte fase etapa elemento componente punto frase respuesta pregunta cuestion apartado"
    " algorithm algorithms method methods technique techniques model models concept concepts term"
    " terms theorem theorems topic problem problems law laws rule rules function functions"
    " process approach approaches strategy strategies measure procedure system systems thing"
    " things case cases option options type kind version part phase stage step element component"
    " point sentence answer question way ways"
)
"""Nouns that name what was spoken of by its kind: `that algorithm` is the topic itself."""
GENERIC_MODIFIERS = words(
    "gran mayor mayores menor buen verdadero verdadera unico unica biggest greatest only "
    "sencillo sencilla sencillos simple simples claro clara claramente breve brevemente despacio"
    " facil dificil rapido rapida rapidos rapidas lento lenta exactamente nuevo nueva vez veces"
    " palabras eficiente eficientes corto corta largo larga grande pequeno util utiles importante"
    " importantes principal principales general generales practica practico practicos real reales"
    " concreto concreta concretos temporal espacial tiempo espacio memoria numerico numericos"
    " numeros resuelto resueltos paso detallado detallada conviene preferible adecuado"
    " recomendable matematica matematico matematicamente razonable poco informacion ayuda simpler"
    " simply clear clearly brief briefly slowly easy easier hard harder fast faster slow slower"
    " exactly new time times words efficient short shorter long longer big small useful important"
    " main general practical real concrete numerical numbers step detail space memory worked"
    " preferable suitable bit further information plain"
)
SOCIAL = words(
    "gracias hola adios vale ok okay bien perfecto genial muchas buenas buenos dias tardes noches"
    " entendido claro si no de acuerdo listo excelente muy thanks thank you very much hi hello"
    " bye great perfect yes no fine understood good got it"
)
DEICTIC_HEADS = words(
    "semana curso asignatura materia semestre apuntes clase ano examen documento documentos week"
    " course semester notes class year exam document documents subject"
)
"""`This week` points at the calendar and not at the conversation."""
_SPANISH_ONLY = words(
    "el la los las un una unos unas de del al que cual cuales como cuando donde quien y pero"
    " entonces por para con sin sobre su sus eso esto ese esa este esta es son lo se dame explica"
    " explicame explicalo ejemplo formula mas otro otra segundo primero ventajas dos caso en si"
    " sirve funciona calcula diferencia hay tiene porque mejor ambos"
)
_ENGLISH_ONLY = words(
    "the an of and but what which how when where who why is are was were do does did it its this"
    " that these those they them their about example second first one other advantages for with"
    " from to in on can could should give me explain then so between two by if not more"
)
_TOKEN = re.compile(r"[^\W_]+(?:[-'’./][^\W_]+)*[*+#]*")
_ACUTE = {ord("\u0301"): None}


def fold(text: str) -> str:
    """Lower case, without accents."""
    apart = unicodedata.normalize("NFD", text.casefold())
    return unicodedata.normalize("NFC", "".join(c for c in apart if not unicodedata.combining(c)))


def without_acute(text: str) -> str:
    """The text without acute accents; `ñ` and `ü` stay."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).translate(_ACUTE))


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question: `question[start:end] == text`; `key` is its folded form."""

    text: str
    key: str
    start: int
    end: int
    acronym: bool = False

    @property
    def is_name(self) -> bool:
        """Whether it is written as only names, acronyms and symbols are."""
        return any(not c.islower() for c in self.text if c.isalnum()) or self.text[-1] in "*+#"

    @property
    def is_specific(self) -> bool:
        """Whether it says by itself what a question is about."""
        return self.acronym or self.key not in VAGUE

    @property
    def is_content(self) -> bool:
        """Whether it is more than grammar: a specific word, an attribute, a kind."""
        return self.acronym or self.key not in GRAMMAR


GRAMMAR = STOP_WORDS | LIGHT_VERBS
VAGUE = GRAMMAR | ATTRIBUTES | CLASSES | GENERIC_MODIFIERS


def split_words(text: str) -> list[Word]:
    """The words of a text in order. `A*`, `C++`, `k-means` and `what's` are one word each."""
    shouted = text.isupper()
    found = []
    for match in _TOKEN.finditer(text):
        key = fold(match[0]).replace("’", "'")
        # `MAS` may be a name where `más` is a word, unless all is written in capitals.
        acronym = len(key) > 1 and match[0].isupper() and not shouted
        acronym = acronym and key not in INTERROGATIVES
        found.append(Word(match[0], key, match.start(), match.end(), acronym))
    return found


def language_of(text: str, otherwise: Language = "es") -> Language:
    """The language of a short question by its function words; `otherwise` when they tell"
    " nothing.
    """
    if "¿" in text or "¡" in text:
        return "es"
    keys = [word.key for word in split_words(text)]
    spanish = sum(key in _SPANISH_ONLY for key in keys)
    english = sum(key in _ENGLISH_ONLY or key.endswith("'s") for key in keys)
    if spanish == english:
        return otherwise
    return "es" if spanish > english else "en"


def specific(items: Sequence[Word]) -> list[Word]:
    """Those that say by themselves what a question is about."""
    return [word for word in items if word.is_specific]
