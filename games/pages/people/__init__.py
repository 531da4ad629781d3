"""Pages of accounts, friends, notifications, programs and reports."""
