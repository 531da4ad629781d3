"""What the analysis and the computer players cost: ``python -m benchmarks.analysis``."""
