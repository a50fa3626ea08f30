"""Settings: defaults, then `tutor.toml`, then `TUTOR_*` variables, then the command line.

The result is frozen; a key that is not known or a value that makes no sense is refused
with a `ConfigError` that names it. Environment variables are the setting's path in capitals:
`ollama.model` is `TUTOR_OLLAMA_MODEL`.
"""

from tutor.config.loading import config_file, current_folder, find_root, load_config
from tutor.config.settings import (
    ChromaConfig,
    Config,
    EmbedderConfig,
    OllamaConfig,
    ReadingConfig,
    RoutingConfig,
    WebConfig,
    setting_names,
)
