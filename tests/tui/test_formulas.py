r"""Formulas of a course, in one line: every pair was read by a person, `ab/cd` would be wrong."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.text.tex import readable_formula
from tutor.tui.answer_markdown import answer_parser
from tutor.tui.wrapping import divided, with_formulas_whole

READ = {
    r"\frac{1}{1+e^{-z}}": "1/(1+e⁻ᶻ)",
    r"\frac{\partial L}{\partial w}": "∂L/∂w",
    r"x^{\frac{1}{2}}": "x^(1/2)",
    r"\frac{ab}{cd}": "ab/(cd)",
    r"\frac{2}{3x}": "2/(3x)",
    r"\frac{(a)+(b)}{d}": "((a)+(b))/d",
    r"a\frac{b}{c}d": "a(b/c)d",
    r"\frac{a}{b}^2": "(a/b)²",
    r"1/\frac{a}{b}": "1/(a/b)",
    r"\frac{\frac{a}{b}}{c}": "(a/b)/c",
    r"\frac{a}{\frac{b}{c}}": "a/(b/c)",
    r"e^{-\frac{(x-\mu)^2}{2\sigma^2}}": "e^(-(x-μ)²/(2σ²))",
    r"\sqrt[3]{x+1}": "∛(x+1)",
    r"\frac{1}{\sqrt{2\pi\sigma^2}}": "1/√(2πσ²)",
    r"\hat{y} = \sigma(Wx + b)": "ŷ = σ(Wx + b)",
    r"P(A\mid B) = \frac{P(B\mid A)P(A)}{P(B)}": "P(A|B) = P(B|A)P(A)/P(B)",
    r"H(S) = -\sum_{i} p_i \log_2 p_i": "H(S) = -∑ᵢ pᵢ log₂ pᵢ",
    r"\theta_{t+1} = \theta_t - \eta \nabla J(\theta)": "θₜ₊₁ = θₜ - η∇J(θ)",
    r"\|x\|_2 = \sqrt{\sum_i x_i^2}": "‖x‖₂ = √(∑ᵢ xᵢ²)",
    r"\arg\max_{a} Q(s,a)": "arg maxₐ Q(s,a)",
    r"f(x)=\begin{cases} x & x>0 \\ 0 & x\le 0\end{cases}": "f(x)= { x, x>0; 0, x≤0}",
    r"\binom{n}{k}": "C(n, k)",
    r"w_{ij}^{(l)}": "wᵢⱼ⁽ˡ⁾",
    r"x_\text{max}": "xₘₐₓ",
    r"y = \frac{1}{n} \sum_{i=1}^n (y_i - \hat{y}_i)^2": "y = (1/n) ∑ᵢ₌₁ⁿ(yᵢ - ŷᵢ)²",
    r"\mathrm{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V": "softmax(QKᵀ/√(dₖ))V",
    r"\frac{n!}{k!(n-k)!}": "n!/(k!(n-k)!)",
    r"\lim_{x\to 0}\frac{\sin x}{x}": "lim_(x→0)((sin x)/x)",
    r"w \leftarrow w - \alpha \frac{\partial J}{\partial w}": "w ← w - α(∂J/∂w)",
    r"\left.\frac{a}{b}\right|_{x=0}": "(a/b)|ₓ₌₀",
    r"\overline{AB}": "A̅B̅",
    r"A^\top A": "AᵀA",
}


@pytest.mark.parametrize(("tex", "text"), READ.items())
def test_formulas_of_a_course(tex: str, text: str) -> None:
    assert readable_formula(tex) == text


@pytest.mark.parametrize("tex", [r"\frac{1}{", r"\unknown{a} b", r"}{", "x" * 5000, r"\begin{x}"])
def test_what_cannot_be_read_stays_as_it_is(tex: str) -> None:
    assert readable_formula(tex) == tex


@given(st.text(st.sampled_from(r"\{}^_$&abfracsqrt[]()|12+ "), max_size=60))
def test_no_formula_is_too_strange(tex: str) -> None:
    text = readable_formula(tex)
    assert bool(text) is bool(tex)
    assert not any("\ue000" <= c <= "\uf8ff" for c in text)


def inline(markdown: str) -> str:
    tokens = answer_parser(str).parse(markdown)
    return "\n".join(
        "".join(child.content for child in token.children or [])
        for token in tokens
        if token.type == "inline"
    )


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("La pérdida $x^2$ baja.", "La pérdida x² baja."),
        (r"La pérdida \(x^2\) baja.", "La pérdida x² baja."),
        ("$$\nx^2\n+ 1\n$$", "x² + 1"),
        ("\\[\nx^2\n\\]", "x²"),
        ("- uno $x^2$\n- dos\n\n  $$\n  y_1\n  $$", "uno x²\ndos\ny₁"),
        ("cuesta $5 y $10", "cuesta $5 y $10"),
        ("resulta θ =\n(0.291, 0.927).", "resulta θ = (0.291, 0.927)."),
        ("`$x^2$`", "$x^2$"),
        ("| a | b |\n|---|---|\n| $x^2$ | 2 |", "a\nb\nx²\n2"),
    ],
)
def test_formulas_within_an_answer(markdown: str, text: str) -> None:
    assert inline(markdown) == text


SAID = "h es admisible si nunca sobreestima: 0 ≤ h(n) ≤ h*(n) para todo n; H(p, q) = − ∑ log q."
BROKEN = {
    40: [
        "h es admisible si nunca sobreestima:",
        "0 ≤ h(n) ≤ h*(n) para todo n;",
        "H(p, q) = − ∑ log q.",
    ],
    20: [  # a longer one is broken where its parts are related
        "h es admisible si",
        "nunca sobreestima: 0",
        "≤ h(n) ≤ h*(n) para",
        "todo n; H(p, q)",
        "= − ∑ log q.",
    ],
}


@pytest.mark.parametrize("width", BROKEN)
def test_a_short_formula_stays_on_one_line_of_answers_and_pages(width: int) -> None:
    cuts = [0, *divided(SAID, width), len(SAID)]
    assert [SAID[a:b].rstrip() for a, b in itertools.pairwise(cuts)] == BROKEN[width]


@pytest.mark.parametrize(
    ("said", "width", "broken"),
    [
        (
            "θ ≔ θ − α∇J(θ), es decir, θⱼ ≔ θⱼ − α/m ∑ᵢ₌₁ᵐ(h_(θ)(x⁽ⁱ⁾) − y⁽ⁱ⁾)xⱼ⁽ⁱ⁾.",
            58,
            ["θ ≔ θ − α∇J(θ), es decir, θⱼ ≔ θⱼ − α/m", "∑ᵢ₌₁ᵐ(h_(θ)(x⁽ⁱ⁾) − y⁽ⁱ⁾)xⱼ⁽ⁱ⁾."],
        ),
        (
            "recall R: F₁ = 2PR/(P + R) = (2 VP)/(2 VP + FP + FN). Para F₁ = 90/(90 + 5 + 15).",
            42,
            [
                "recall R: F₁ = 2PR/(P + R)",
                "= (2 VP)/(2 VP + FP + FN). Para F₁",
                "= 90/(90 + 5 + 15).",
            ],
        ),
        ("un vector z = (z₁, …, z_(K)), y más", 28, ["un vector z", "= (z₁, …, z_(K)), y más"]),
        ("− ∑ₖ pₖ log qₖ, D_(KL)(p ‖ q) ≥ 0", 24, ["− ∑ₖ pₖ log qₖ,", "D_(KL)(p ‖ q) ≥ 0"]),
        ("con 64 canales, 2 ⋅ 9 ⋅ 64² pesos", 24, ["con 64 canales,", "2 ⋅ 9 ⋅ 64² pesos"]),
    ],
)
def test_a_long_formula_is_broken_at_its_signs_and_not_within_parentheses(
    said: str, width: int, broken: list[str]
) -> None:
    cuts = [0, *divided(said, width), len(said)]
    assert [said[a:b].rstrip() for a, b in itertools.pairwise(cuts)] == broken


@given(st.text(st.sampled_from("a1 =−(),‖|⋅"), max_size=60), st.integers(1, 40))
def test_joining_what_belongs_together_changes_no_offset(text: str, width: int) -> None:
    whole = with_formulas_whole(text, width)
    assert [
        (a, b) for a, b in zip(text, whole, strict=True) if a != b and (a, b) != (" ", "_")
    ] == []


@pytest.mark.parametrize(
    ("said", "broken"),
    [
        ("entre 6 y 51 % de todas", ["entre 6 y", "51 % de", "todas"]),
        ("los grupos, p. 3", ["los grupos,", "p. 3"]),
        ("unos son (1, 2) y (3, 4)", ["unos son", "(1, 2) y", "(3, 4)"]),
        ("uno (de tres, o más)", ["uno (de", "tres, o más)"]),
    ],
)
def test_what_is_read_as_one_stays_together(said: str, broken: list[str]) -> None:
    cuts = [0, *divided(said, 12), len(said)]
    assert [said[a:b].rstrip() for a, b in itertools.pairwise(cuts)] == broken
