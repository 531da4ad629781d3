"""`manage.py forget_networks`: deletes old hashes of networks."""

from typing import Any

from django.core.management.base import BaseCommand

from ratings.matchmaking import networks


class Command(BaseCommand):
    """Deletes the hashes of networks that were not used for thirty days; run it every night."""

    help = "Delete the hashes of networks that were not used for thirty days."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Delete them and print how many."""
        self.stdout.write(f"{networks.delete_old()} network hashes deleted")
