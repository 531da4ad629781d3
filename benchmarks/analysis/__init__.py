"""Speed of the analysis and the computer players: ``python -m benchmarks.analysis``."""
