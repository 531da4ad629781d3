"""Previews: what a link to a page looks like in a chat or a feed, as tags and as a picture."""
