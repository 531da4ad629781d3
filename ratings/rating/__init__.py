"""Ratings: update after each play, full refit, feed and standings."""
