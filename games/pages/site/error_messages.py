"""Errors of services as messages on the next page."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest


def show_errors(request: HttpRequest, error: ValidationError) -> None:
    """Show each text of an error as a message of its own."""
    for text in error.messages:
        messages.error(request, text)
