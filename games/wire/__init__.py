"""Websocket messages: commands in, game states as JSON out, and the codes of refusals."""
