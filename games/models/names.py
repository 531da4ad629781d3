"""Validation of players' names: pure checks, without a database.

A name is what other players see. It is stored in NFKC form with plain apostrophes, so that
different encodings of the same letters are one name. Names that look alike have the same *skeleton*
(Unicode Technical Standard 39, ignoring case, accents, separators and the difference between i, l
and 1), and skeletons are unique among people.
"""

import functools
import unicodedata
from collections.abc import Iterator

SHORTEST, LONGEST = 2, 20
"""Minimum and maximum number of characters in a name, in NFKC form."""

SEPARATORS = frozenset(" -_'.")
APOSTROPHES = str.maketrans("‘’´`ꞌ", "'" * 5)
"""Typographic apostrophes, which phones put in place of the plain one, and what people and letters
of other alphabets have that looks like it."""
_COMBINING = (
    (0x0300, 0x036F),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20FF),
    (0xFE20, 0xFE2F),
)
ACCENTS = frozenset(chr(code) for first, last in _COMBINING for code in range(first, last + 1))
INVISIBLE = frozenset(
    map(
        chr,
        (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10),
         *range(0xE0100, 0xE01F0)),
    )
)  # fmt: skip
"""Invisible letters and marks: fillers, and selectors for variants of the character before."""
MOST_MARKS = 2
"""Maximum number of combining marks in a row; more would overlap adjacent lines."""

ERASED = "Deleted player"
"""The stored name of deleted players, which is reserved; readers see it in their language."""

# Reserved at the start or the end of a name, since they suggest staff or guests.
RESERVED_ENDS = ("admin", "administrator", "moderator", "official", "guest", "deletedplayer")
# Reserved as whole names, ignoring separators.
RESERVED_NAMES = (
    "mod", "root", "system", "staff", "server", "site", "computer", "bot", "house",
    "housecomputer", "dealer", "pone", "nobody", "anonymous", "player", "you", "me", "null",
    "undefined", "help", "team", "webmaster", "security", "owner", "support", "cribbage",
)  # fmt: skip

# Scripts that are commonly mixed in one word, and the voicing marks of kana.
EAST_ASIAN = frozenset(
    {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO", "COMBINING"}
)


def guest_marks(ident: str) -> list[str]:
    """Return what may tell a guest's generated name apart, from the public id; best first."""
    return [ident[:length].upper() for length in range(4, len(ident) + 1)]


class NameRefused(ValueError):
    """A name that is not allowed; `code` is the reason in one word, the message a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def check_name(text: str) -> str:
    """Return `text` in its stored form: NFKC, with single spaces and none at the ends.

    Raises:
        NameRefused: with the code length, characters, start, script or reserved.
    """
    name = clean(text)
    if not SHORTEST <= len(name) <= LONGEST:
        raise NameRefused("length", f"A name must have {SHORTEST} to {LONGEST} characters.")
    for character in name:
        if not _allowed(character):
            raise NameRefused(
                "characters",
                "A name can only have letters, digits, spaces and - _ ' . ; "
                f"{unicodedata.name(character, 'a control character').lower()} is not allowed.",
            )
    if not name[0].isalnum():
        raise NameRefused("start", "A name must start with a letter or digit.")
    if _marks_in_a_row(name) > MOST_MARKS:
        raise NameRefused("characters", "A letter can have at most two accents.")
    if _mixes_scripts(name):
        raise NameRefused("script", "A name must use one alphabet.")
    if is_reserved(name):
        raise NameRefused("reserved", "This name is reserved.")
    return name


def clean(text: str) -> str:
    """Return `text` in NFKC form with normalized spaces and plain apostrophes, unchecked."""
    # Apostrophes first: NFKC makes a space and an accent of the acute accent that stands alone.
    plain = unicodedata.normalize("NFKC", text.translate(APOSTROPHES))
    # Split at spaces only: line breaks and tabs are refused rather than turned into spaces.
    return " ".join(word for word in plain.split(" ") if word)


def is_reserved(name: str) -> bool:
    """Return whether `name` could be mistaken for the site, its staff or its computers."""
    look = skeleton(name)
    ends = _reserved_ends()
    return look in _reserved_names() or look.startswith(ends) or look.endswith(ends)


def skeleton(name: str) -> str:
    """Return the skeleton of `name`, which is equal for names that look alike."""
    # Before the case, too: that of the Greek iota below a letter is an iota beside it.
    bare = _without_accents(_without_accents(clean(name)).casefold())
    kept = [c for c in bare if c not in SEPARATORS]
    look = "".join(map(_prototype, kept)).casefold()
    # i, l and 1 look the same in some typefaces, regardless of the standard's choice.
    return unicodedata.normalize("NFC", look).replace("i", "l").replace("1", "l").replace("0", "o")


def folded(text: str) -> str:
    """Return `text` without case and accents, to find names by a part of them."""
    return _without_accents(clean(text).casefold())


def _without_accents(text: str) -> str:
    apart = unicodedata.normalize("NFD", text)
    return "".join(character for character in apart if character not in ACCENTS)


@functools.cache
def _reserved_names() -> frozenset[str]:
    return frozenset(skeleton(name) for name in RESERVED_NAMES)


@functools.cache
def _reserved_ends() -> tuple[str, ...]:
    return tuple(skeleton(part) for part in RESERVED_ENDS)


def _allowed(character: str) -> bool:
    if character in INVISIBLE:
        return False
    category = unicodedata.category(character)
    return category[0] == "L" or category in {"Nd", "Mn", "Mc"} or character in SEPARATORS


def _marks_in_a_row(name: str) -> int:
    longest = run = 0
    for character in name:
        run = run + 1 if unicodedata.category(character)[0] == "M" else 0
        longest = max(longest, run)
    return longest


def _scripts(name: str) -> Iterator[str]:
    """Yield the scripts of letters and of their marks; accents belong to all scripts."""
    for character in name:
        if unicodedata.category(character)[0] in "LM" and character not in ACCENTS:
            yield unicodedata.name(character, "UNKNOWN").partition(" ")[0]


def _mixes_scripts(name: str) -> bool:
    scripts = set(_scripts(name))
    return len(scripts) > 1 and not scripts <= EAST_ASIAN


@functools.cache
def _prototype(character: str) -> str:
    """Return the plain Latin letters that `character` looks like, or itself."""
    if character.isascii() and character != "m":
        return character
    # Imported on first use: the tables are large, and most processes check no names.
    from confusable_homoglyphs import confusables

    looks = [entry["c"] for entry in confusables.confusables_data.get(character, [])]
    return next((look for look in looks if look.isascii() and look.isalnum()), character)
