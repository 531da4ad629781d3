"""The state machine of club nights and tournaments: rows that jobs advance step by step."""
