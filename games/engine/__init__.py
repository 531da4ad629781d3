"""The rules of cribbage as pure values: no clock, no random numbers, no input or output."""
