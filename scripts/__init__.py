"""What make needs besides the site itself."""
