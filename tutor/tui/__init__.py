"""The terminal app. It holds no logic of the answer: workers run the core's generators."""
