"""The models of outages of the service, during which players' time does not run."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class Pulse(models.Model):
    """The time of the last heartbeat of any process, in a single row."""

    at = models.DateTimeField()
    deaf_at = models.DateTimeField(
        null=True, help_text="When a process last reported that it couldn't hear the others."
    )

    class Meta:
        """Names for the admin."""

        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")

    def __str__(self) -> str:
        """Return the time."""
        return self.at.isoformat()


class Outage(models.Model):
    """A period in which no process was running, recorded by the first one after it.

    In a partial one a process was running, but could not hear the others.
    """

    began = models.DateTimeField(unique=True)
    ended = models.DateTimeField()
    partial = models.BooleanField(
        default=False, help_text="A process was running but couldn't hear the others."
    )

    class Meta:
        """Index for queries by the end of an outage."""

        verbose_name = _("outage")
        verbose_name_plural = _("outages")
        indexes: ClassVar = [models.Index(fields=["ended"], name="outage_ended")]

    def __str__(self) -> str:
        """Return its start and end."""
        return f"{self.began.isoformat()}-{self.ended.isoformat()}"
