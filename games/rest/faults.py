"""Error responses of the API: always ``{"error": code, "detail": sentence}``."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from games.people.limits import TooOften


class BadInput(Exception):
    """Invalid input; the message says what is wrong and what is allowed."""


def register(api: NinjaAPI) -> None:
    """Register the exception handlers of ``api``."""

    def answer(request: HttpRequest, status: int, code: str, detail: str) -> HttpResponse:
        return api.create_response(request, {"error": code, "detail": detail}, status=status)

    @api.exception_handler(TooOften)
    def too_often(request: HttpRequest, refusal: TooOften) -> HttpResponse:
        response = answer(request, 429, "too_often", refusal.message)
        response["Retry-After"] = str(refusal.wait)
        return response

    @api.exception_handler(AuthenticationError)
    def unauthenticated(request: HttpRequest, refusal: AuthenticationError) -> HttpResponse:
        known = refusal.message != "Unauthorized"
        detail = refusal.message if known else _("Send a data token, or log in.")
        response = answer(request, 401, "bad_token" if known else "no_token", detail)
        response["WWW-Authenticate"] = 'Bearer realm="cribbage"'
        return response

    @api.exception_handler(Http404)
    def nothing(request: HttpRequest, _missing: Http404) -> HttpResponse:
        return answer(request, 404, "not_found", _("This doesn't exist, or you can't see it."))

    @api.exception_handler(HttpError)
    def refused(request: HttpRequest, refusal: HttpError) -> HttpResponse:
        code = "forbidden" if refusal.status_code == 403 else "refused"
        return answer(request, refusal.status_code, code, refusal.message)

    @api.exception_handler(BadInput)
    def bad_input(request: HttpRequest, fault: BadInput) -> HttpResponse:
        return answer(request, 422, "bad_input", str(fault))

    @api.exception_handler(ValidationError)
    def malformed(request: HttpRequest, fault: ValidationError) -> HttpResponse:
        errors = [f"{error['loc'][-1]}: {error['msg']}" for error in fault.errors]
        return answer(request, 422, "bad_input", "; ".join(errors))
