"""Coordination of processes: announcements, online status of players, outages of the service."""
