"""Configuration of the Django app."""

from datetime import time, timedelta
from functools import partial

from django.apps import AppConfig
from django.db import transaction
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    """The app of matches, players and live tables."""

    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        """Register hooks, schedules and system checks."""
        from django.core.checks import Tags, register

        from games import doctor, hooks
        from games.correspondence import push
        from games.pages.previews import previews
        from games.people import browser_sessions, log_out, security_mails
        from games.text import length_errors

        length_errors.use()
        register(doctor.check_settings, Tags.security, deploy=True)
        hooks.on_finished(_measure)
        hooks.on_finished(_file_public)
        hooks.on_finished(_review_exam)
        hooks.on_erasing(_check_public)
        hooks.on_renamed(_check_public)
        hooks.on_merging(_check_merged)
        hooks.on_merging(_leave_shared)
        push.listen()
        log_out.listen()
        browser_sessions.listen()
        security_mails.listen()
        previews.register()
        _schedule()


def _schedule() -> None:
    """Register the jobs that repeat; those of the night are spread over it, in UTC."""
    from games.jobs.schedules import daily, every, scheduled

    hour = timedelta(hours=1)
    scheduled("games.archive.measuring.measure_missed", after=every(hour))
    scheduled("games.jobs.cleaning.delete_old_jobs", after=every(hour))
    scheduled("games.live.idle_computers.move_idle_computers", after=every(timedelta(minutes=5)))
    scheduled("games.correspondence.deadline_notices.remind_of_deadlines", after=every(hour))
    scheduled("games.people.nightly.lift_ended_bans", after=every(hour))
    scheduled("games.archive.explorer.filing.check_all", after=daily(time(3, 30)))
    scheduled("games.archive.explorer.disputed.choose_disputed", after=daily(time(5, 0)))
    scheduled("games.archive.open_data.write_due", after=daily(time(5, 10)))
    scheduled("games.tables.seeks.expire_seeks", after=daily(time(4, 5)))
    scheduled("games.learn.insights.field.sum_up_field", after=daily(time(3, 50)))
    scheduled("games.learn.puzzle_loading.load_puzzles", after=daily(time(4, 5)))
    scheduled("games.people.nightly.delete_old_sessions", after=daily(time(4, 10)))
    scheduled("games.people.nightly.delete_old_chat", after=daily(time(4, 15)))
    scheduled("games.people.nightly.delete_old_mails", after=daily(time(4, 20)))


def _measure(match: int) -> None:
    """Measure a match; the import is here so that Numba and tables load only when one ends."""
    from games.archive.measuring import measure

    measure(match=match)


def _file_public(match: int) -> None:
    """Have a match filed for the explorer, if everyone may see it."""
    from games.archive.explorer.filing import file_match

    file_match.enqueue(match)


def _review_exam(match: int) -> None:
    """Have an exam of a course reviewed, which marks it."""
    from games.learn.courses.exams import is_exam
    from games.learn.review_jobs import request_review

    if is_exam(match=match):
        request_review(match)


def _check_public(player: int) -> None:
    """Have a player's public matches checked, as published files may hold the old name."""
    from games.archive.explorer.filing import check_player

    check_player.enqueue(player)


def _check_merged(guest: int, _account: int) -> None:
    """Have a guest's public matches checked, since the account may not show them."""
    from games.archive.explorer.filing import check_merged

    check_merged(guest)


def _leave_shared(guest: int, _account: int) -> None:
    """After the commit, let a computer take the guest's seats at tables where the account sits."""
    from games.safety.erasure import hand_over_left

    transaction.on_commit(partial(hand_over_left, guest), robust=True)
