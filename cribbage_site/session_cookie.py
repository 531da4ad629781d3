"""Django's sessions, with a cookie that only a log-out deletes."""

from __future__ import annotations

from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers


class KeptSessionCookie(SessionMiddleware):
    """Session middleware that keeps the cookie of a session that it doesn't know.

    A login ends the visitor's session, and a request of another tab may be on its way with the old
    cookie. Its answer can arrive after the login's and would delete the new cookie.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Store the session, and set or delete its cookie; an unknown one stays as it is."""
        session = getattr(request, "session", None)
        if session is None or session.modified or not session.is_empty():
            return super().process_response(request, response)
        if session.accessed:
            patch_vary_headers(response, ("Cookie",))
        return response
