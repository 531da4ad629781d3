"""What the rating model is worth: the goals G1-G9, measured."""
