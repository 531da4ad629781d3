"""When the service itself was out: nobody's time runs then."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class Pulse(models.Model):
    """One row: when some process was last seen at work."""

    at = models.DateTimeField()

    class Meta:
        """Names for the admin."""

        verbose_name = _("pulse")
        verbose_name_plural = _("pulses")

    def __str__(self) -> str:
        """Return the moment."""
        return self.at.isoformat()


class Outage(models.Model):
    """A stretch of time in which no process was at work, found by the first one after it."""

    began = models.DateTimeField(unique=True)
    ended = models.DateTimeField()

    class Meta:
        """Whoever looks asks for those that ended after some moment."""

        verbose_name = _("outage")
        verbose_name_plural = _("outages")
        indexes: ClassVar = [models.Index(fields=["ended"], name="outage_ended")]

    def __str__(self) -> str:
        """Return when it was."""
        return f"{self.began.isoformat()}-{self.ended.isoformat()}"
