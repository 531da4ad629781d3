"""An adversary with unlimited guests who plays ranked games ahead, and what they learn from it."""
