"""Operations: metrics, the context of log lines, and regular jobs."""
