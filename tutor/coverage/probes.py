"""Questions in two languages with their answers, to learn how an embedder's cosines behave.

They tell nothing of a course: only how much lower its cosines are when question and passage are
in different languages, and, for a course too small to tell, where cosines lie at all.
"""

from __future__ import annotations

PROBES: tuple[tuple[str, str, str], ...] = (
    (
        "¿Qué gas respiran las plantas durante la fotosíntesis?",
        "Which gas do plants take in during photosynthesis?",
        "En la fotosíntesis la planta toma dióxido de carbono del aire y libera oxígeno.",
    ),
    (
        "¿Cómo se calcula el área de un círculo?",
        "How is the area of a circle computed?",
        "El área del círculo es el producto de pi por el cuadrado del radio.",
    ),
    (
        "¿Por qué cayó el Imperio romano de Occidente?",
        "Why did the Western Roman Empire fall?",
        "La crisis económica y las invasiones llevaron al fin del Imperio de Occidente en 476.",
    ),
    (
        "¿Qué diferencia hay entre clima y tiempo atmosférico?",
        "What is the difference between climate and weather?",
        "El tiempo es el estado del aire en un momento; el clima, su promedio de muchos años.",
    ),
    (
        "¿Para qué sirve un índice en una base de datos?",
        "What is an index in a database good for?",
        "Un índice permite hallar las filas de una tabla sin recorrerla entera.",
    ),
    (
        "¿Quién propuso la tectónica de placas?",
        "Who proposed continental drift?",
        "Alfred Wegener sostuvo en 1912 que los continentes se desplazan.",
    ),
    (
        "¿Qué es la inflación en economía?",
        "What is inflation in economics?",
        "La inflación es el aumento general y sostenido de los precios.",
    ),
    (
        "¿Cuántos huesos tiene un adulto?",
        "How many bones does an adult have?",
        "El esqueleto de una persona adulta consta de 206 huesos.",
    ),
    (
        "¿Cuándo conviene usar una lista enlazada en vez de un arreglo?",
        "When should I use a linked list instead of an array?",
        "La lista enlazada es mejor si se insertan y borran elementos a menudo en cualquier lugar.",
    ),
    (
        "¿Qué dice la segunda ley de Newton?",
        "What does Newton's second law say?",
        "La fuerza neta sobre un cuerpo es igual a su masa por su aceleración.",
    ),
    (
        "¿Cómo combate el cuerpo una infección?",
        "How does the body fight an infection?",
        "Los glóbulos blancos reconocen al invasor y producen anticuerpos contra él.",
    ),
    (
        "¿Qué ventajas tiene la energía solar?",
        "What are the advantages of solar power?",
        "Los paneles solares no emiten gases y su fuente de energía es inagotable.",
    ),
)
"""Question in Spanish, the same in English, and a Spanish sentence that answers it."""
