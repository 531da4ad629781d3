"""The models beside the library's table of jobs: who works, and how the jobs have ended."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class Worker(models.Model):
    """A running worker; if it has not been seen for a while, its jobs are given to others."""

    name = models.CharField(max_length=64, unique=True, help_text=_("Host, process, random text."))
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField(db_index=True)

    class Meta:
        """Names for the admin."""

        verbose_name = _("worker")
        verbose_name_plural = _("workers")

    def __str__(self) -> str:
        """Return the name."""
        return self.name


class JobCount(models.Model):
    """The number of runs of a job by how they ended, counted in the transaction that ends them."""

    job = models.CharField(max_length=120, unique=True, help_text=_("The function's path."))
    done = models.PositiveBigIntegerField(default=0)
    retried = models.PositiveBigIntegerField(
        default=0, help_text=_("Failed runs that will be repeated.")
    )
    failed = models.PositiveBigIntegerField(default=0, help_text=_("Given up after the last try."))
    lost = models.PositiveBigIntegerField(
        default=0, help_text=_("Runs whose worker died; repeated or counted as failed.")
    )

    class Meta:
        """Names for the admin; the order of the list."""

        verbose_name = _("job count")
        verbose_name_plural = _("job counts")
        ordering: ClassVar = ["job"]

    def __str__(self) -> str:
        """Return the path of the function."""
        return self.job
