"""``manage.py verify_matches``: fold all logs and compare the results with the summaries."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.log.verify import differences
from games.models import Match


class Command(BaseCommand):
    help = (
        "Replay the log of every match and compare it with the stored hands and results. "
        "The exit status is 1 if anything differs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ids", nargs="*", metavar="ID", help="only these matches")

    def handle(self, *, ids: list[str], **options: Any) -> None:
        matches = Match.objects.order_by("pk")
        if ids:
            matches = matches.filter(public_id__in=ids)
            missing = set(ids) - set(matches.values_list("public_id", flat=True))
            if missing:
                raise CommandError(f"no such match: {', '.join(sorted(missing))}", returncode=2)
        folded = wrong = 0
        for match in matches.iterator(chunk_size=500):
            folded += 1
            found = list(differences(match))
            wrong += bool(found)
            for sentence in found:
                self.stderr.write(f"{match.public_id}: {sentence}")
        self.stdout.write(f"{folded} matches checked, {wrong} differ from their summaries")
        if wrong:
            raise CommandError("some summaries do not match their logs", returncode=1)
