"""A mail as it is read on phones."""

from django.template.loader import render_to_string

from games.people.account_mails import Letter
from tests.browser.conftest import OpenPage
from tests.support.accessible import overflow, resize


def test_a_mail_fits_the_phones_that_it_is_read_on(open_page: OpenPage) -> None:
    letter = Letter(
        subject="Bestätige deine E-Mail-Adresse",
        lines=("Bestätige diese Adresse, um sie deinem Konto hinzuzufügen, Ann.",),
        button="Adresse bestätigen",
        url="https://example.org/accounts/confirm-email/made-up-key/",
        note="Das warst nicht du? Ignoriere diese E-Mail.",
    )
    page = open_page("about:blank")
    page.set_content(
        render_to_string("mail/letter.html", {"letter": letter, "site": "https://example.org"})
    )
    for width in (360, 390, 412, 440, 480, 600):
        resize(page, width, 800)
        assert overflow(page) == 0, f"{width} pixels"
