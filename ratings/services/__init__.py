"""The write side: standard games made and handed out, plays collected, ratings moved."""
