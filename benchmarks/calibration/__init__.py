"""Whether the losses that reviews name are what the better choices really gain."""
