"""The tutor's courses after counting: throwing and pegging, with exercises and an exam each."""
