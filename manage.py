#!/usr/bin/env python
"""Django's command line, with the project's settings."""

import os
import sys


def main() -> None:
    """Run the command named in the arguments; a wrong setting ends it with one line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"manage.py: {error}")


if __name__ == "__main__":
    main()
