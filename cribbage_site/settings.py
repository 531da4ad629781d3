"""Django settings; those that may differ between sites are read from the environment.

SITE_MODE=local (the default) serves this machine, and its network if BIND allows it: without HTTPS,
with a database file, and with a secret key that is created on first use and kept.
SITE_MODE=production takes secrets and host names only from the environment, and is strict.
docs/deployment.md lists all variables.

More than 400 lines: operators and Django read the settings in one place, and a test compares the
variables that are read here with the documented ones.
"""

from datetime import timedelta
from pathlib import Path
from typing import Any

import django_stubs_ext
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from cribbage_site import env, local, logs, sentry

django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent
LOCAL_DIR = BASE_DIR / ".local"

SITE_MODE = env.text("SITE_MODE", "local")
if SITE_MODE not in {"local", "production"}:
    raise ImproperlyConfigured(f"SITE_MODE={SITE_MODE!r}: it must be local or production.")
PRODUCTION = SITE_MODE == "production"
DEBUG = env.flag("DEBUG", default=False)
if DEBUG and PRODUCTION:
    raise ImproperlyConfigured("DEBUG is not allowed in production: it shows internals to anyone.")

SECRET_KEY = env.text("SECRET_KEY")
if not SECRET_KEY:
    if PRODUCTION:
        raise ImproperlyConfigured("SECRET_KEY is not set; production requires it.")
    SECRET_KEY = env.secret_key_file(LOCAL_DIR / "secret_key")
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS")

ALLOWED_HOSTS = env.words("ALLOWED_HOSTS")
if not ALLOWED_HOSTS:
    if PRODUCTION:
        raise ImproperlyConfigured("ALLOWED_HOSTS is not set; list the site's host names.")
    ALLOWED_HOSTS = local.allowed_hosts(env.text("BIND", "127.0.0.1"))
# Origins other than the site's own that may post forms and open sockets.
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "games.apps.GamesConfig",
    "ratings.apps.RatingsConfig",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "django_tasks",
    "django_tasks_db",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "cribbage_site.browser_features.PermissionsPolicy",
    "cribbage_site.private_answers.PrivateAnswers",
    "cribbage_site.session_cookie.KeptSessionCookie",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "games.pages.site.rate_limits.TooOftenPage",
    "games.pages.site.null_characters.NoNullCharacters",
    "cribbage_site.faults.WrongMethods",
    "cribbage_site.api_head_requests.ApiHeadRequests",
]

ROOT_URLCONF = "cribbage_site.urls"
ASGI_APPLICATION = "cribbage_site.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["games.templatetags.dates"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]
FORM_RENDERER = "cribbage_site.form_renderer.FormRenderer"

# --- storage ---------------------------------------------------------------------------

# Database connections of a process; 0 for no pool. Page requests use three fifths of them at most.
DATABASE_POOL = env.number("DATABASE_POOL", 20)
DATABASES: dict[str, dict[str, Any]] = {
    "default": env.database(
        env.text("DATABASE_URL", "sqlite:///db.sqlite3"), base=BASE_DIR, pool_size=DATABASE_POOL
    )
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Several processes notify each other of moves through Redis; a single process needs none.
REDIS_URL = env.address("REDIS_URL", ("redis", "rediss", "unix"))

# --- jobs ------------------------------------------------------------------------------

TASKS = {
    "default": {
        "BACKEND": "games.jobs.backend.JobBackend",
        "QUEUES": ["prompt", "mail", "review", "batch"],
    }
}
# Whether a process of the site also starts a worker: as a process beside it, or as threads.
SQLITE = DATABASES["default"]["ENGINE"].endswith("sqlite3")
EMBEDDED_WORKER = env.text("EMBEDDED_WORKER", "process" if SQLITE else "none")
if EMBEDDED_WORKER not in {"process", "thread", "none"}:
    raise ImproperlyConfigured(
        f"EMBEDDED_WORKER={EMBEDDED_WORKER!r}: it must be process, thread or none."
    )
# Seconds without a sign of life after which a worker's jobs are given to others.
JOB_LEASE = env.number("JOB_LEASE_SECONDS", 30, range(1, 86_401))

CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        # The default of 300 entries, a third of which are culled, would lose rate limits' counters.
        "OPTIONS": {"MAX_ENTRIES": 50_000},
    }
}
if REDIS_URL:
    CACHES["default"] = {
        "BACKEND": "cribbage_site.cache.TolerantRedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "cribbage",
    }

# --- at the table ----------------------------------------------------------------------

# Usual seconds that a computer takes to play a card (`games.live.pace`); at most 1.5.
COMPUTER_PAUSE = min(1500, env.number("COMPUTER_PAUSE_MS", 700)) / 1000
# Whether the strongest computers are compiled at start rather than on first use.
COMPUTERS_WARM = env.flag("COMPUTERS_WARM", default=True)
# Whether the strongest computer decides in a process of its own (`games.live.search_process`).
COMPUTER_PROCESS = env.flag("COMPUTER_PROCESS", default=False)
# Seconds that a connected program may take over a decision.
PROGRAM_SECONDS = env.number("PROGRAM_SECONDS", 10, range(1, 3601))
# Seconds of absence after which the others may act for a player.
ABSENCE_GRACE = float(env.number("ABSENCE_GRACE_SECONDS", 30))
# Seconds without an action after which they may, in a match without a time limit.
IDLE_LIMIT = float(env.number("IDLE_LIMIT_SECONDS", 300, range(1, 86_401)))
# Seconds for each decision of a ranked game, stored as a small integer; then the computer plays on.
RANKED_CLOCK = env.number("RANKED_CLOCK_SECONDS", 60, range(1, 32_768))
# Open standard games from which a ranked game is drawn, at least.
RANKED_POOL_DEPTH = env.number("RANKED_POOL_DEPTH", 8)
# Messages per second that a socket may send, with bursts of twice as many.
SOCKET_RATE = env.number("SOCKET_RATE", 20, range(1, 1_000_001))
# Sockets that one player, and one network address, may have open in one process; 0: no limit.
SOCKETS_PER_PLAYER = env.number("SOCKETS_PER_PLAYER", 40)
SOCKETS_PER_ADDRESS = env.number("SOCKETS_PER_ADDRESS", 1000)

# --- rate limits -------------------------------------------------------------------------

# Name -> number of actions of an address or a player, and the window in seconds; 0 is no limit.
LIMITS: dict[str, tuple[int, int]] = {
    "guests": (env.number("GUESTS_PER_HOUR", 60), 3600),
    "matches": (env.number("MATCHES_PER_HOUR", 120), 3600),
    "api": (env.number("API_PER_MINUTE", 120), 60),
    "api_visitors": (env.number("API_PER_MINUTE_VISITORS", 30), 60),
    "bad_tokens": (20, 60),
    "exports": (10, 3600),
    "deletions": (5, 900),
    "entries": (1500, 3600),
    "imports": (20, 3600),
    "friends": (20, 24 * 3600),
    "reports": (10, 24 * 3600),
    "chat": (15, 60),
    "invitations": (30, 3600),
    "seeks": (20, 24 * 3600),
    "analyses": (60, 60),
}
# Number of our own proxies in front of the site, which determines the visitor in X-Forwarded-For.
BEHIND_PROXY = env.flag("BEHIND_PROXY", default=False)
ALLAUTH_TRUSTED_PROXY_COUNT = env.number("TRUSTED_PROXIES", 1 if BEHIND_PROXY else 0)

# --- accounts --------------------------------------------------------------------------

AUTH_USER_MODEL = "games.Player"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_REDIRECT_URL = "/"
LOGIN_URL = "account_login"
ACCOUNT_ADAPTER = "games.people.accounts.AccountAdapter"
_FORMS = "games.pages.people.account_forms"
ACCOUNT_FORMS = {
    "add_email": f"{_FORMS}.AddEmailForm",
    "change_password": f"{_FORMS}.ChangePasswordForm",
    "login": f"{_FORMS}.LoginForm",
    "reauthenticate": f"{_FORMS}.PasswordAgainForm",
    "reset_password": f"{_FORMS}.ResetPasswordForm",
    "reset_password_from_key": f"{_FORMS}.ResetPasswordKeyForm",
    "set_password": f"{_FORMS}.SetPasswordForm",
    "signup": f"{_FORMS}.SignupForm",
}
# Guests are logged in and still need these forms: see games.pages.people.account_views.
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_UNIQUE_EMAIL = True
# Sign-up accepts any address, so it does not reveal which ones have accounts; only one
# account can have it confirmed.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
# Players hear of a new password, main address, passkey or app: someone else may have set it.
ACCOUNT_EMAIL_NOTIFICATIONS = True
# Without it, anyone at a browser left open could take the account over by adding their address.
ACCOUNT_REAUTHENTICATION_REQUIRED = True

MFA_ADAPTER = "games.people.two_factor.TwoFactorAdapter"
MFA_SUPPORTED_TYPES = ["recovery_codes", "totp", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
# Browsers make passkeys only for HTTPS and for one's own machine.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not PRODUCTION
MFA_TOTP_ISSUER = "Cribbage"
# A phone's clock may be half a minute off.
MFA_TOTP_TOLERANCE = 1
_TWO_FACTOR_FORMS = "games.pages.people.two_factor_forms"
MFA_FORMS = {
    "activate_totp": f"{_TWO_FACTOR_FORMS}.ActivateAppForm",
    "add_webauthn": f"{_TWO_FACTOR_FORMS}.AddPasskeyForm",
    "authenticate": f"{_TWO_FACTOR_FORMS}.CodeForm",
    "authenticate_webauthn": f"{_TWO_FACTOR_FORMS}.PasskeyForm",
    "edit_webauthn": f"{_TWO_FACTOR_FORMS}.EditPasskeyForm",
    "login_webauthn": f"{_TWO_FACTOR_FORMS}.PasskeyLoginForm",
    "reauthenticate": f"{_TWO_FACTOR_FORMS}.CodeAgainForm",
    "reauthenticate_webauthn": f"{_TWO_FACTOR_FORMS}.PasskeyAgainForm",
}

EMAIL_BACKEND = env.text("EMAIL_BACKEND", "django.core.mail.backends.console.EmailBackend")
EMAIL_HOST = env.text("EMAIL_HOST", "localhost")
EMAIL_PORT = env.number("EMAIL_PORT", 25, range(1, 65_536))
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS", default=False)
EMAIL_USE_SSL = env.flag("EMAIL_USE_SSL", default=False)
if EMAIL_USE_TLS and EMAIL_USE_SSL:
    raise ImproperlyConfigured("EMAIL_USE_TLS and EMAIL_USE_SSL exclude each other: set one.")
# Servers may check a mail for some time before they accept it, and one that is given up too early
# is sent again. Only the worker's queue of mails waits.
EMAIL_TIMEOUT = env.number("EMAIL_TIMEOUT", 60, range(1, 3601))
DEFAULT_FROM_EMAIL = env.sender("DEFAULT_FROM_EMAIL", "cribbage@localhost")

# --- messages to players who are away ----------------------------------------------------

# Where links in mails lead: scheme and host, without a path.
SITE_URL = env.address("SITE_URL", ("https", "http")).rstrip("/") or local.site_url(
    ALLOWED_HOSTS, env.text("PORT", "8000"), secure=PRODUCTION
)
# Delay of mails; it is repeated if the player is online by then.
MAIL_AFTER = timedelta(minutes=env.number("MAIL_AFTER_MINUTES", 5))
# Web push is not offered without a key.
VAPID_PRIVATE_KEY = env.text("VAPID_PRIVATE_KEY")
VAPID_SUBJECT = env.text("VAPID_SUBJECT", f"mailto:{DEFAULT_FROM_EMAIL}")
# Push services other than those of the known browsers.
PUSH_HOSTS = env.words("PUSH_HOSTS")
# Origins of push services in tests, without HTTPS; no variable sets this.
PUSH_TRIED_AT: list[str] = []

# Guests are identified only by their session: they keep it, and their games, for a year.
SESSION_ENGINE = "cribbage_site.session_store"
SESSION_COOKIE_AGE = 365 * 24 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"

# --- what the browser may do -----------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        # 'self' covers the site's own websockets too.
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"

if PRODUCTION:
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    SESSION_COOKIE_NAME = "__Host-session"
    CSRF_COOKIE_NAME = "__Host-csrf"
    SECURE_SSL_REDIRECT = env.flag("SSL_REDIRECT", default=True)
    SECURE_HSTS_SECONDS = env.number("HSTS_SECONDS", 31_536_000)
    # Both bind other hosts of the domain too and are hard to take back, so they are asked for.
    SECURE_HSTS_INCLUDE_SUBDOMAINS = env.flag("HSTS_SUBDOMAINS", default=False)
    SECURE_HSTS_PRELOAD = env.flag("HSTS_PRELOAD", default=False)
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
    if BEHIND_PROXY:
        # Only a proxy that overwrites the header may be believed.
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- static files ----------------------------------------------------------------------

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = Path(env.text("STATIC_ROOT", str(BASE_DIR / "staticfiles")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "cribbage_site.storage.HashedStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage",
    },
    # Workers write these files and site processes send them: a folder that all of them have.
    "open_data": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": env.text("OPEN_DATA", str(LOCAL_DIR / "open_data"))},
    },
}
# Whether pages load the bundles of static/dist instead of their sources.
BUNDLES = env.flag("BUNDLES", default=PRODUCTION)
# Locally, files are served from the source folders, in their current state.
WHITENOISE_USE_FINDERS = not PRODUCTION
WHITENOISE_AUTOREFRESH = not PRODUCTION
# Built files stay as they are; sources may be edited between two pages.
WHITENOISE_MAX_AGE = 60 if PRODUCTION or BUNDLES else 0

# --- language and time -----------------------------------------------------------------

LANGUAGE_CODE = "en"
# Each in its own language, for people who understand no other.
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("fr", "Français"), ("es", "Español")]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = PRODUCTION
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.zone("TIME_ZONE", "UTC")
# Times name their zone; scripts then show them in the reader's.
FORMAT_MODULE_PATH = ["cribbage_site.formats"]

# --- operation -------------------------------------------------------------------------

# Where to report a vulnerability, for /.well-known/security.txt: an address of mail or the web.
SECURITY_CONTACT = env.text("SECURITY_CONTACT")
if SECURITY_CONTACT and not SECURITY_CONTACT.startswith(("mailto:", "https://")):
    raise ImproperlyConfigured(
        f"SECURITY_CONTACT={SECURITY_CONTACT!r}: it must begin with mailto: or https://."
    )

# Seconds for which a process that is shutting down waits for its sockets and requests.
DRAIN_SECONDS = env.number("DRAIN_SECONDS", 10)

# Seconds that a page request waits for its turn; nginx gives up after thirty.
PAGE_WAIT_SECONDS = env.number("PAGE_WAIT_SECONDS", 15)
# Clients that may read /metrics: those in these networks, or with the token.
METRICS_ALLOW = env.networks("METRICS_ALLOW", ["127.0.0.1", "::1"])
METRICS_TOKEN = env.text("METRICS_TOKEN")

LOG_FORMAT = env.text("LOG_FORMAT", "line")
if LOG_FORMAT not in {"line", "json"}:
    raise ImproperlyConfigured(f"LOG_FORMAT={LOG_FORMAT!r}: it must be line or json.")
LOG_LEVEL = env.level("LOG_LEVEL", "WARNING")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "cribbage_site.logs.Line"},
        "json": {"()": "cribbage_site.logs.Json"},
    },
    "filters": {
        "refusals": {"()": "cribbage_site.logs.RefusalsWithoutTrace"},
        "outages": {"()": "cribbage_site.logs.OutagesBriefly"},
        "cut-offs": {"()": "cribbage_site.logs.CutOffsOnce"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["refusals", "outages", "cut-offs"],
        }
    },
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    # Django's own handler would print each line twice.
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        **logs.quiet_libraries(LOG_LEVEL),
    },
}
SENTRY_DSN = env.text("SENTRY_DSN")
if SENTRY_DSN:
    sentry.start(SENTRY_DSN, environment=SITE_MODE)
