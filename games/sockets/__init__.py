"""Websocket connections, from accepting to closing."""
