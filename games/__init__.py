"""The cribbage application: rules, computer players, storage, live tables and pages."""
