"""What the rating model is worth: the goals G1-G7 and G9, measured."""
