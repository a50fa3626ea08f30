"""Texts to vectors, behind the protocol `tutor.embedding.embedder.Embedder`.

Importing this package costs numpy and nothing else: every engine is imported when it is loaded.
"""

from tutor.embedding.bundled import BundledEmbedder
from tutor.embedding.checkpoint import DirectoryEmbedder
from tutor.embedding.choice import choose_embedder
from tutor.embedding.onnx import OnnxEmbedder
from tutor.embedding.transformer import SentenceTransformerEmbedder
