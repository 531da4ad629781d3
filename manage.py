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
    from django.db import OperationalError, ProgrammingError

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"manage.py: {error}")
    except (OperationalError, ProgrammingError) as error:  # the latter for a table of PostgreSQL
        if "--traceback" in sys.argv:
            raise
        first = str(error).partition("\n")[0]  # PostgreSQL quotes the statement after it
        sys.exit(f"manage.py: the database: {first}; manage.py doctor says more")


if __name__ == "__main__":
    main()
