"""The API object: its routers, error handlers and documentation page."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase

from games.rest import faults, matches, players, tools

_VERBS = ("get", "post", "put", "patch", "delete")


class OwnPage(DocsBase):
    """Documentation page in the site's own design; ninja's load scripts from other hosts."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        """Show each endpoint with its parameters, and the schemas of the responses."""
        described = api.get_openapi_schema(path_params=kwargs)
        context = {
            "questions": list(_endpoints(described)),
            "shapes": [
                {"name": name, "about": shape.get("description", ""), "fields": _fields(shape)}
                for name, shape in sorted(described["components"]["schemas"].items())
            ],
            "schema": self.get_openapi_url(api, kwargs),
            "host": f"{request.scheme}://{request.get_host()}",
        }
        return render(request, "games/site/api.html", context)


def _endpoints(described: dict[str, Any]) -> Any:
    for path, verbs in described["paths"].items():
        for verb in _VERBS:
            if verb in verbs:
                operation = verbs[verb]
                yield {
                    "id": operation["operationId"],
                    "verb": verb.upper(),
                    "path": path,
                    "title": operation.get("summary", ""),
                    "about": operation.get("description", ""),
                    "takes": [_parameter(each) for each in operation.get("parameters", ())],
                    "gives": _response_type(operation["responses"]),
                    "log_in": "security" in operation,
                }


def _parameter(parameter: dict[str, Any]) -> dict[str, Any]:
    shape = parameter["schema"]
    return {
        "name": parameter["name"],
        "type": _type(shape).removesuffix(" or null"),
        "required": parameter.get("required", False),
        "usual": shape.get("default"),
        "about": parameter.get("description") or shape.get("description", ""),
    }


def _fields(shape: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"name": name, "type": _type(field), "about": field.get("description", "")}
        for name, field in shape.get("properties", {}).items()
    ]


def _response_type(responses: dict[Any, Any]) -> str:
    success = responses.get(200) or responses.get("200") or {}
    content = success.get("content", {}).get("application/json", {})
    return _type(content.get("schema", {}))


def _type(shape: dict[str, Any]) -> str:
    """Return a JSON schema's type as short text."""
    if "$ref" in shape:
        return str(shape["$ref"]).rpartition("/")[2]
    if "anyOf" in shape:
        return " or ".join(_type(each) for each in shape["anyOf"])
    if "enum" in shape:
        return " or ".join(str(value) for value in shape["enum"])
    kind = str(shape.get("type", "object"))
    if kind == "array":
        return f"list of {_type(shape.get('items', {}))}"
    return f"{kind} ({shape['format']})" if "format" in shape else kind


api = NinjaAPI(
    title="Cribbage",
    version="1",
    description="Read-only access to matches, players and tools, for programs.",
    urls_namespace="api-v1",
    docs=OwnPage(),
    docs_url="/",
)
api.add_router("/matches", matches.router)
api.add_router("", players.router)
api.add_router("/tools", tools.router)
faults.register(api)
