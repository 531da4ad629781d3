"""The checks that other tests rely on find what they look for."""

import pytest

from tests.browser.conftest import OpenPage
from tests.support.accessible import faults

PAGE = """<!doctype html><html lang="en"><title>Pale</title>
<style>
.phone { display: none }
@media (max-width: 600px) { .phone { display: block } .wide { display: none } }
</style>
<main><h1>Heading</h1><p class="CLASS" style="color: #ccc; background: #fff">Pale</p></main>"""


@pytest.mark.parametrize(
    ("shown", "found"),
    [("wide", ["desktop"]), ("phone", ["phone", "dark"]), ("both", ["desktop", "dark"])],
)
def test_pale_text_is_found_once_at_whatever_size_it_is_shown(
    open_page: OpenPage, shown: str, found: list[str]
) -> None:
    page = open_page("about:blank")
    page.set_content(PAGE.replace("CLASS", shown))
    told = faults(page)
    assert all("color-contrast" in each for each in told)
    assert [each.split(", ")[1].split(":")[0] for each in told] == found
