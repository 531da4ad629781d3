"""Game notations of other programs: readers that turn their files into game records."""
