"""What the site costs: measured, with the goals beside."""
