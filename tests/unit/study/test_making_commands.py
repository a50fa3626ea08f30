"""Cards of commands and patterns that the notes list with what each does."""

from __future__ import annotations

from tests.unit.study.material import cards
from tutor.study.card import CardKind

DOCKER = (
    "L • docker --help : Muestra la lista de comandos válidos y su sintaxis.\n"
    "• docker exec [OPCION] <contenedor> : Ejecuta un nuevo comando dentro de otro proceso.\n"
    "○ <contenedor>: El nombre del contenedor.\n"
    "• docker rm <imagen> : Elimina la imagen.\n"
    "• docker ps : Muestra los contenedores en ejecución."
)
REGEX = (
    "L • /cat|dog/ = Busca una palabra u otra\n• /freeCode/i = Ignora mayúsculas o minúsculas\n"
    "• /^Cal/ = Que comience con Cal\n• /s+/ = Busca uno o más signos repetidos\n"
    "• [0-9] = \\d\n• {2,} = 2 o más caracteres"
)
GIT = (
    "C git fetch origin             # actualiza referencias remotas\n"
    "git switch -c nueva origin/x   # crea una local desde la remota\n"
    "git switch rama                # también si es remota\n"
    "git rebase -i HEAD~3           # últimos 3 commits"
)


def test_what_a_command_does_is_asked_with_the_whole_command() -> None:
    made = cards("# Comandos de Docker", DOCKER, kind=CardKind.DEFINITION)
    assert {card.question: card.answer for card in made} == {
        "[Comandos de Docker] ¿Qué hace «docker --help»?": (
            "Muestra la lista de comandos válidos y su sintaxis."
        ),
        "[Comandos de Docker] ¿Qué hace «docker exec [OPCION] <contenedor>»?": (
            "Ejecuta un nuevo comando dentro de otro proceso."
        ),
        "[Comandos de Docker] ¿Qué hace «docker rm <imagen>»?": "Elimina la imagen.",
        "[Comandos de Docker] ¿Qué hace «docker ps»?": "Muestra los contenedores en ejecución.",
    }, "a placeholder by itself is no command"


def test_a_command_is_asked_for_by_what_it_does_and_chosen_from_its_list() -> None:
    asked = cards("# Comandos de Docker", DOCKER, kind=CardKind.CODE)
    assert "docker ps" in {card.answer for card in asked}
    assert "docker rm <imagen>" not in {card.answer for card in asked}, "two words fit others, too"
    chosen = cards("# Comandos de Docker", DOCKER, kind=CardKind.CHOICE)
    assert all(len(card.choices) == 4 and card.answer in card.choices for card in chosen)


def test_a_pattern_is_asked_for_only_among_those_of_its_list_that_do_not_fit() -> None:
    made = cards("# Expresiones regulares", REGEX)
    asked = {card.answer for card in made if card.kind is CardKind.DEFINITION}
    assert asked == {
        "Busca una palabra u otra.",
        "Ignora mayúsculas o minúsculas.",
        "Que comience con Cal.",
        "Busca uno o más signos repetidos.",
    }, "another pattern is no phrase, and a number is in the code"
    assert not any(card.kind is CardKind.CODE for card in made)
    assert not cards("# Apuntes de clase", REGEX), "nothing says that these are patterns"


def test_a_comment_behind_a_command_tells_what_it_does_if_it_has_a_verb() -> None:
    made = cards("# Ramas remotas", GIT, kind=CardKind.DEFINITION)
    assert [(card.question, card.answer) for card in made] == [
        ("[Ramas remotas] ¿Qué hace «git fetch origin»?", "Actualiza referencias remotas."),
        (
            "[Ramas remotas] ¿Qué hace «git switch -c nueva origin/x»?",
            "Crea una local desde la remota.",
        ),
    ]
    (asked, *_more) = cards("# Ramas remotas", GIT, kind=CardKind.CODE)
    assert asked.question.startswith("[git › Ramas remotas] ¿Qué comando corresponde a esto?")


def test_a_hyphen_may_stand_between_and_known_commands_need_no_others_of_their_name() -> None:
    unix = (
        "L • chmod 755 f - Cambia los permisos del archivo f\n"
        "• ls -l - Lista los archivos con todos sus datos\n• mkdir d - Crea el directorio d"
    )
    made = cards("# Terminal", unix, kind=CardKind.DEFINITION)
    assert [card.question.split("] ")[1] for card in made] == [
        "¿Qué hace «chmod 755 f»?",
        "¿Qué hace «ls -l»?",
        "¿Qué hace «mkdir d»?",
    ]
    english = (
        "L • git add f - Adds a file to the next commit\n• git log - Shows all earlier commits"
    )
    (first, _second) = cards("# Version control", english, kind=CardKind.DEFINITION)
    assert first.question == "[Version control] What does “git add f” do?"


def test_labels_that_are_words_or_symbols_are_no_commands() -> None:
    words = "L • sensor de luz: Muestra la imagen del dedo.\n• sensor de gas: Busca fugas de gas."
    assert not cards("# Sensores", words, kind=CardKind.CODE)
    symbols = "L • f_F: Es la frecuencia de la fuente en reposo.\n• f_R: Es la que se recibe aquí."
    assert not cards("# Efecto Doppler", symbols, kind=CardKind.CODE)
    cut = 'L • git commit -m "fix: borra": Guarda los cambios.\n• git push: Manda los cambios.'
    assert not [one for one in cards("# Git", cut, kind=CardKind.CODE) if "fix" in one.question]
    python = "C x = media(datos)   # calcula la media\ny = suma(datos)   # muestra la suma"
    assert not cards("# Medidas", python)


def test_where_two_commands_do_one_thing_neither_is_asked() -> None:
    both = (
        "C git fetch --prune          # elimina referencias a ramas borradas\n"
        "git remote prune origin   # alternativa"
    )
    assert not cards("# Ramas remotas", both)
