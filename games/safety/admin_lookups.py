"""The fields by which lists in the admin can be filtered."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest


class OfferedLookups(admin.ModelAdmin[Any]):
    """Admin whose list can be filtered only by the filters that it shows.

    Django also accepts any other field of the model in the address. The number of rows would then
    tell what no page shows, such as an invitation, letter by letter.
    """

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Return whether the lookup is one of a filter or of the hierarchy of dates."""
        filters = [each[0] if isinstance(each, tuple) else each for each in self.list_filter]
        return lookup.split("__", maxsplit=1)[0] in {*filters, self.date_hierarchy}
