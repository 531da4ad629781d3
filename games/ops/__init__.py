"""Operations: metrics, and the context of log lines."""
