"""The JSON API: what pages tell, for programs. It reads, and changes nothing."""
