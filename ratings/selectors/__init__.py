"""The read side: comparisons, lists and feeds, and who may see what of them."""
