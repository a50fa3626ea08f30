"""What the models of `tests.ollama_double` answer, and the records that carry it.

The records have the shape of those of a real server (Ollama 0.33), recorded from it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

ANSWER = "Una red neuronal es un modelo formado por capas [1]. Aprende ajustando pesos [2][9]."
CHARS_PER_TOKEN = 3
TRAINED_CONTEXT = 32768
NANOSECONDS_PER_TOKEN = 5_000_000
DIED = "an error was encountered while running the model: unexpected EOF"
TEMPLATE_OVERFLOW = (
    "the prompt is longer than the context length currently available to the model; shorten the "
    "prompt, adjust the context length in settings, or use a model with a longer context length"
)
LAYER = "sha256:ccda000984c743c2d99fadea9785068ab9158ee62a419d7ffa7b7f5281db3390"
NOT_IN_LIBRARY = "pull model manifest: file does not exist"
UNREACHABLE = (
    'pull model manifest: Get "https://registry.example/v2/library/offline/manifests/latest": '
    "dial tcp: connect: network is unreachable"
)


@dataclass(frozen=True, slots=True)
class Reply:
    """How a chat request is answered. Times are in seconds.

    `end` is `stop`, `error` (a last line that tells an error), `hang up`, `silence` (nothing more
    comes, the connection stays) or `endless` (the text again and again). `status` other than 200
    refuses the request with `text` as the error. `raw` replaces the whole body.
    """

    text: str = ANSWER
    thinking: str = ""
    end: str = "stop"
    reading_s: float = 0.0
    token_s: float = 0.0
    status: int = 200
    raw: bytes = b""


@dataclass(frozen=True, slots=True)
class Model:
    """A model on the server. `template` tells the two kinds of overflow apart."""

    reply: Reply = field(default_factory=Reply)
    capabilities: tuple[str, ...] = ("completion", "tools")
    context: int = TRAINED_CONTEXT
    template: bool = False
    load_s: float = 0.0
    size: int = 397_821_319


MODELS = {
    "good": Model(),
    "template": Model(template=True),
    "small": Model(context=2048),
    "cut": Model(Reply(text="palabra " * 5000)),
    "slow": Model(Reply(token_s=0.05)),
    "empty": Model(Reply(text="")),
    "endless": Model(Reply(end="endless", token_s=0.01)),
    "dies": Model(Reply(end="error")),
    "hangs-up": Model(Reply(end="hang up")),
    "goes-silent": Model(Reply(end="silence")),
    "reads-forever": Model(Reply(reading_s=3600.0)),
    "loads-forever": Model(load_s=3600.0),
    "fails": Model(Reply(status=500, text="unexpected EOF")),
    "garbage": Model(Reply(raw=b"<html>\x1b[31mnot Ollama</html>\n")),
    "half-a-record": Model(Reply(raw=b'{"message":{"content":"Una')),
    "thinks": Model(Reply(thinking="Pienso un rato."), ("completion", "thinking")),
    "thinks-aloud": Model(Reply(text=f"<think>\nPienso un rato.</think>\n\n{ANSWER}")),
    "embeds": Model(capabilities=("embedding",), context=512),
}


def tokens(text: str) -> int:
    """Length in tokens: a fixed number of characters each."""
    return math.ceil(len(text) / CHARS_PER_TOKEN)


def prompt_text(messages: list[dict[str, Any]]) -> str:
    """The prompt that a template makes of messages."""
    return "".join(f"<{m['role']}>\n{m['content']}\n" for m in messages)


def shared_tokens(text: str, before: str) -> int:
    """How much of a prompt the model has read already: its beginning that has not changed."""
    pairs = zip(text, before, strict=False)
    same = next((n for n, (one, other) in enumerate(pairs) if one != other), None)
    return (min(len(text), len(before)) if same is None else same) // CHARS_PER_TOKEN


def pull_records(name: str) -> Iterator[dict[str, Any]]:
    """What fetching a model tells: `nowhere` is in no library, `huge` never ends."""
    yield {"status": "pulling manifest"}
    kind = name.partition(":")[0]
    if kind in {"nowhere", "offline"}:
        yield {"error": NOT_IN_LIBRARY if kind == "nowhere" else UNREACHABLE}
        return
    parts = 10**9 if kind == "huge" else 4
    layer = {"status": f"pulling {LAYER[7:19]}", "digest": LAYER, "total": 491_400_064}
    for part in range(1, parts + 1):
        yield {**layer, "completed": 491_400_064 * part // parts}
    for status in ("verifying sha256 digest", "writing manifest", "success"):
        yield {"status": status}


def overflow(model: Model, prompt: int, num_ctx: int) -> str:
    """The error for a prompt that is too long, as this kind of model words it."""
    if model.template:
        return TEMPLATE_OVERFLOW
    said = f"request ({prompt} tokens) exceeds the available context size ({num_ctx} tokens), "
    error = {"code": 400, "message": f"{said}try increasing it"}
    lengths = {"n_prompt_tokens": prompt, "n_ctx": num_ctx}
    kind = {"type": "exceed_context_size_error"}
    return json.dumps({"error": {**error, **kind, **lengths}})


def line(record: dict[str, Any]) -> bytes:
    """A record as a line of a stream."""
    return json.dumps(record, ensure_ascii=False).encode() + b"\n"


def message(model: str, content: str, **more: Any) -> dict[str, Any]:
    """One record of a chat."""
    done = {"done": False, **more.pop("end", {})}
    said = {"role": "assistant", "content": content, **more}
    created = "2026-01-01T00:00:00.000000001Z"
    return {"model": model, "created_at": created, "message": said, **done}


def pieces(text: str) -> list[str]:
    """Text cut into tokens: words with the blank before them."""
    words = text.split(" ")
    return [word if n == 0 else f" {word}" for n, word in enumerate(words)] if text else []


def obeying(schema: dict[str, Any]) -> Any:
    """The simplest value that a JSON schema allows."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object":
        return {name: obeying(below) for name, below in schema.get("properties", {}).items()}
    simplest = {"array": [], "integer": 0, "number": 0.5, "boolean": False, "null": None}
    return simplest.get(str(kind), "texto")


def listed(name: str, model: Model) -> dict[str, Any]:
    """A model as `/api/tags` lists it."""
    return {
        "name": name,
        "model": name,
        "modified_at": "2026-11-21T03:03:36.02635753Z",
        "size": model.size,
        "digest": "ef0e9ff0a0ffc1497b40ccbb2d0c7256b4bbe5387814e89b77c5f0aa25807cba",
        "details": _details(),
    }


def in_memory(name: str, model: Model, num_ctx: int) -> dict[str, Any]:
    """A model as `/api/ps` lists it."""
    return {
        **listed(name, model),
        "size": model.size * 2,
        "expires_at": "2026-11-21T03:09:19.132085254Z",
        "size_vram": 0,
        "context_length": num_ctx,
    }


def shown(model: Model) -> dict[str, Any]:
    """A model as `/api/show` tells it."""
    return {
        "template": "{{ .Prompt }}",
        "details": _details(),
        "model_info": {
            "general.architecture": "qwen2",
            "general.parameter_count": 630167424,
            "qwen2.context_length": model.context,
        },
        "capabilities": list(model.capabilities),
        "modified_at": "2026-11-21T03:03:36.02635753Z",
    }


def _details() -> dict[str, Any]:
    return {
        "parent_model": "",
        "format": "gguf",
        "family": "qwen2",
        "families": ["qwen2"],
        "parameter_size": "630.17M",
        "quantization_level": "Q4_K_M",
    }
