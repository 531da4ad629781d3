"""The texts in the site's sources, for the check of their words and the page that shows them."""
