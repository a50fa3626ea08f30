"""The Louvain method finds what NetworkX's does, in the same order."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from tutor.map.louvain import communities_in, graph_of

NODES = 30
EDGES = st.dictionaries(
    st.tuples(st.integers(0, NODES - 1), st.integers(0, NODES - 1)).filter(lambda e: e[0] < e[1]),
    st.sampled_from((0.25, 0.5, 1.0)) | st.floats(0.01, 1.0),
    max_size=4 * NODES,
)


@given(EDGES, st.integers(0, 9))
def test_communities_are_those_of_networkx(
    weights: dict[tuple[int, int], float], seed: int
) -> None:
    edges = sorted((one, other, weight) for (one, other), weight in weights.items())
    theirs = nx.Graph()
    theirs.add_nodes_from(range(NODES))
    theirs.add_weighted_edges_from(edges)
    expected = nx.community.louvain_communities(theirs, seed=seed)
    assert communities_in(graph_of(range(NODES), edges), seed) == expected
