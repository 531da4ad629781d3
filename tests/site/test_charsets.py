"""Forms that name another charset than UTF-8, on a real server: they are read as UTF-8."""

from __future__ import annotations

from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.support.servers import Site, StartSite

CHARSETS = ("utf-7", "latin-1", "rot13", "undefined", "utf-16", "idna", "zlib", "UTF8")
"""Other charsets, codecs that are none, and another name of UTF-8."""


def status(site: Site, path: str, charset: str) -> int:
    """Return the status of the answer to a form."""
    kind = f"application/x-www-form-urlencoded; Charset={charset}"
    form = Request(f"{site.url}{path}", data=b"name=Zo%C3%AB", headers={"Content-Type": kind})
    try:
        with urlopen(form) as answer:
            return int(answer.status)
    except HTTPError as refused:
        refused.close()
        return refused.code


def test_a_form_is_read_whatever_charset_it_names(start_site: StartSite) -> None:
    """Without the token of a page it is refused, and where no page is it finds none."""
    site = start_site()
    for charset in CHARSETS:
        assert status(site, "/nowhere/", charset) == 404, charset
        assert status(site, "/name/", charset) == 403, charset
