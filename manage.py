#!/usr/bin/env python
"""Django's command line, with the project's settings."""

import os
import sys


def main() -> None:
    """Run the command named in the arguments.

    A wrong setting and a database that cannot be used end it with one line, unless the arguments
    include --traceback.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    try:
        execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, OperationalError) as error:
        if "--traceback" in sys.argv:
            raise
        if isinstance(error, OperationalError):
            sys.exit(f"manage.py: the database: {str(error).strip()}; manage.py doctor says more")
        sys.exit(f"manage.py: {error}")


if __name__ == "__main__":
    main()
