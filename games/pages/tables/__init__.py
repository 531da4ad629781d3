"""Pages for starting, finding and playing matches."""
