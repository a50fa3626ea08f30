"""A neural network written down as ONNX, byte by byte: the few messages of it that are needed.

ONNX models are protocol buffers (https://onnx.ai/onnx/repo-docs/IR.html). The package `onnx`, which
also writes them, is not a dependency; onnxruntime reads them.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Attribute: TypeAlias = "int | float"
TensorInfo: TypeAlias = "tuple[str, Sequence[int | str]]"
"""A float32 tensor that goes in or out: its name, and its axes as lengths or as names."""

MICROSOFT = "com.microsoft"
"""The domain of the operators that onnxruntime has beyond the standard."""

_IR_VERSION = 8
_OPSET = 18
_TYPES = {"float32": 1, "int64": 7, "int8": 3, "uint8": 2}
_FLOAT, _INT = 1, 2
"""The values of an attribute's type."""
_EXTERNAL = 1
"""The value of a tensor's `data_location` that says: not in this file."""


class OnnxGraph:
    """A graph under construction. Values are known by the names that the methods return."""

    def __init__(self) -> None:
        self.weights: dict[str, NDArray[Any]] = {}
        """The tensors that the model only names: a session needs them as external initialisers."""
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []
        self._names = 0

    def constant(self, values: NDArray[Any]) -> str:
        """A small tensor, written into the model."""
        return self._tensor(values, _field(9, np.ascontiguousarray(values).tobytes()))

    def integers(self, *values: int) -> str:
        """A constant of int64, shape (n,)."""
        return self.constant(np.array(values, np.int64))

    def weight(self, values: NDArray[Any]) -> str:
        """A large tensor, kept in `weights` and shared with the session instead of copied."""
        where = {"location": "memory", "offset": "0", "length": str(values.nbytes)}
        entries = (_field(1, key) + _field(2, value) for key, value in where.items())
        external = b"".join(_field(13, entry) for entry in entries) + _field(14, _EXTERNAL)
        name = self._tensor(values, external)
        self.weights[name] = np.ascontiguousarray(values)
        return name

    def node(self, operator: str, *inputs: str, domain: str = "", **attributes: Attribute) -> str:
        """The output of one operator."""
        return self.nodes(operator, inputs, 1, domain, attributes)[0]

    def nodes(
        self,
        operator: str,
        inputs: Sequence[str],
        outputs: int,
        domain: str = "",
        attributes: Mapping[str, Attribute] | None = None,
    ) -> list[str]:
        """All outputs of one operator."""
        names = [self._new_name() for _output in range(outputs)]
        message = b"".join(_field(1, name) for name in inputs)
        message += b"".join(_field(2, name) for name in names) + _field(4, operator)
        message += b"".join(_field(5, _attribute(*item)) for item in (attributes or {}).items())
        self._nodes.append(message + (_field(7, domain) if domain else b""))
        return names

    def model(self, entry: TensorInfo, result: TensorInfo) -> bytes:
        """The whole model, with one input and one output."""
        graph = b"".join(_field(1, node) for node in self._nodes) + _field(2, "graph")
        graph += b"".join(_field(5, constant) for constant in self._constants)
        graph += _field(11, _tensor_info(entry)) + _field(12, _tensor_info(result))
        opsets = (("", _OPSET), (MICROSOFT, 1))
        imports = (_field(8, _field(1, domain) + _field(2, number)) for domain, number in opsets)
        return _field(1, _IR_VERSION) + _field(7, graph) + b"".join(imports)

    def _tensor(self, values: NDArray[Any], data: bytes) -> str:
        name = self._new_name()
        shape = b"".join(_field(1, length) for length in values.shape)
        self._constants.append(
            shape + _field(2, _TYPES[values.dtype.name]) + _field(8, name) + data
        )
        return name

    def _new_name(self) -> str:
        self._names += 1
        return f"v{self._names}"


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, float):
        return _field(1, name) + _tag(2, 5) + struct.pack("<f", value) + _field(20, _FLOAT)
    return _field(1, name) + _field(3, value) + _field(20, _INT)


def _tensor_info(info: TensorInfo) -> bytes:
    name, axes = info
    shape = b"".join(
        _field(1, _field(1, axis) if isinstance(axis, int) else _field(2, axis)) for axis in axes
    )
    tensor = _field(1, _TYPES["float32"]) + _field(2, shape)
    return _field(1, name) + _field(2, _field(1, tensor))


def _field(number: int, value: bytes | str | int) -> bytes:
    """A field of a protocol buffer: a varint, or bytes with their length in front."""
    if isinstance(value, int):
        return _tag(number, 0) + _varint(value)
    content = value.encode() if isinstance(value, str) else value
    return _tag(number, 2) + _varint(len(content)) + content


def _tag(number: int, wire_type: Literal[0, 2, 5]) -> bytes:
    return _varint(number << 3 | wire_type)


def _varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first; negative numbers as 64 bits in two's complement."""
    value &= (1 << 64) - 1
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)
