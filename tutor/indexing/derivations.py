"""What an index holds besides texts and vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tutor.store import Derivation


def default_derivations() -> Sequence[Derivation]:
    """Everything derived that retrieval uses."""
    return ()
