"""A comparison of the losses that reviews name with what the better choices really gain."""
