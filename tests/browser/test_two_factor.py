"""Passkeys, with Chromium's virtual authenticator, and two-step login by an app."""

import base64
import hashlib
import hmac
import re
import struct
import time

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.support.accessible import faults
from tests.support.servers import Site

PASSWORD = "fifteen-two-4"
STEP = 30  # seconds for which a code of an app holds


def code_of(secret: str) -> str:
    """Return the present code of an authenticator app, as of RFC 6238."""
    key = base64.b32decode(secret)
    digest = hmac.digest(key, struct.pack(">Q", int(time.time()) // STEP), hashlib.sha1)
    number = struct.unpack(">I", digest[digest[-1] & 15 :][:4])[0] & 0x7FFFFFFF
    return f"{number % 10**6:06}"


def signed_up(page: Page, site: str, name: str) -> None:
    page.goto(f"{site}/accounts/signup/")
    page.get_by_label("Name", exact=False).first.fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.locator(".who")).to_contain_text(name)


def logged_out(page: Page, site: str) -> None:
    page.goto(f"{site}/accounts/logout/")
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("banner").get_by_role("link", name="Log in")).to_be_visible()


def confirmed(page: Page) -> None:
    """Confirm with the password that it is still the same person, as settings of logins ask."""
    expect(page.get_by_role("heading", name="Confirm it's you")).to_be_visible()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()


def password_given(page: Page, site: str, name: str) -> None:
    page.goto(f"{site}/accounts/login/")
    page.get_by_label("Name or email").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()


def give_authenticator(page: Page) -> None:
    """Give a page a virtual device that makes passkeys, and whose owner always agrees."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    device = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": device})


def test_a_person_adds_a_passkey_and_logs_in_with_it(live_site: Site, open_page: OpenPage) -> None:
    # Browsers make passkeys for names of hosts, not for their numbers.
    site = live_site.url.replace("127.0.0.1", "localhost")
    page = open_page("about:blank")
    give_authenticator(page)
    signed_up(page, site, "Pat Passkey")
    page.goto(f"{site}/accounts/2fa/")
    page.get_by_role("link", name="Add a passkey").click()
    confirmed(page)
    page.get_by_label("Name of this device").fill("My laptop")
    assert faults(page) == []
    page.get_by_role("button", name="Add passkey").click()
    expect(page.locator(".messages")).to_contain_text("Passkey added.")
    page.goto(f"{site}/accounts/2fa/")
    expect(page.locator(".program")).to_contain_text("My laptop")
    assert faults(page) == []

    logged_out(page, site)
    page.goto(f"{site}/accounts/login/")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.locator(".who")).to_contain_text("Pat Passkey")

    logged_out(page, site)
    password_given(page, site, "Pat Passkey")
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.locator(".who")).to_contain_text("Pat Passkey")


def test_a_refused_passkey_is_explained(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{live_site.url.replace('127.0.0.1', 'localhost')}/accounts/login/")
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")  # without a device, each request is refused
    device = {"protocol": "ctap2", "transport": "internal", "hasUserVerification": True}
    session.send(
        "WebAuthn.addVirtualAuthenticator",
        {"options": device | {"isUserVerified": False, "automaticPresenceSimulation": True}},
    )
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_text("That didn't work. Try again, or use another device.")).to_be_visible()


def test_two_step_login_by_an_app_and_by_a_recovery_code(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page("about:blank")
    signed_up(page, live_site.url, "Toby Two Step")
    page.goto(f"{live_site.url}/accounts/2fa/totp/activate/")
    confirmed(page)
    expect(page.get_by_role("heading", name="Set up an app")).to_be_visible()
    assert faults(page) == []
    secret = page.locator("code.token").inner_text()
    page.get_by_label("Code from the app").fill("000000")
    page.get_by_role("button", name="Turn on").click()
    expect(page.get_by_text("Wrong code. Try again.")).to_be_visible()
    page.get_by_label("Code from the app").fill(code_of(secret))
    page.get_by_role("button", name="Turn on").click()
    expect(page.locator(".messages")).to_contain_text("Authenticator app turned on.")
    page.goto(f"{live_site.url}/accounts/2fa/recovery-codes/")
    codes = page.locator(".recovery-codes code").all_inner_texts()
    assert len(set(codes)) == 10 and all(re.fullmatch(r"\d{8}", code) for code in codes)
    assert faults(page) == []

    logged_out(page, live_site.url)
    password_given(page, live_site.url, "Toby Two Step")
    page.get_by_label("Code").fill(codes[0])
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page.locator(".who")).to_contain_text("Toby Two Step")
    page.goto(f"{live_site.url}/accounts/2fa/")
    expect(page.get_by_text("You have 9 codes left.")).to_be_visible()
