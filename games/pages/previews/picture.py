"""The picture of a preview: felt, card backs and a few words, drawn with Pillow.

It is a function of the words alone, so that it can show no card and is drawn once for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from django.contrib.staticfiles import finders
from PIL import Image, ImageDraw, ImageFilter, ImageFont

SIZE = (1200, 630)
"""Pixels, as Open Graph and Twitter want them."""

KEPT = 64
"""Number of pictures that a process keeps; each has about 80 KB."""

FELT, FELT_DEEP = (31, 95, 73), (15, 51, 39)
INK, INK_SOFT = (246, 240, 223), (207, 220, 202)
BRASS, WOOD, PAPER, BACK = (232, 184, 74), (78, 46, 24), (255, 253, 247), (142, 43, 38)
LEFT, RIGHT, TOP = 76, 694, 70
"""The column of words: its left and right end, and where the sign begins."""

ROOM = 150, 590
"""Top and bottom of the space between the sign and the wood, in which the words are centred."""

MOST_LINES = 3
BIG, GAP, LEADING = 138, 22, 1.22
"""Heights of the big line and of the space above the text, and of a line by its letters' size."""
BIG_SIZE, BIG_LEAST = 132, 60
"""Sizes of the letters of the big line: the usual one, and the smallest for long ones."""
CARD = (190, 266)
FAN = ((-26, 766, 208), (-13, 818, 172), (0, 872, 160), (13, 922, 176), (26, 956, 216))
"""The card backs: rotation in degrees, and position."""

QUALITY = 86
"""Of JPEG, 0 to 100."""

Font = ImageFont.FreeTypeFont


@dataclass(frozen=True, slots=True)
class _Words:
    """Lines of a text in a font, each ``step`` pixels below the one before."""

    lines: tuple[str, ...]
    face: Font
    step: float

    @property
    def height(self) -> float:
        """The height of all lines."""
        return len(self.lines) * self.step


@lru_cache(maxsize=KEPT)
def drawn(title: str, text: str, big: str = "") -> bytes:
    """Return a preview's picture as JPEG."""
    picture = _ground()
    draw = ImageDraw.Draw(picture)
    _sign(picture, draw)
    heading = _set(title, size=68 if not big else 50, font="fraunces")
    below = _set(text, size=33, font="figtree")
    height = (BIG if big else 0) + heading.height + GAP + below.height
    y = sum(ROOM) / 2 - height / 2
    if big:
        _write_big(draw, big, y)
        y += BIG
    y = _write(draw, heading, y, INK)
    _write(draw, below, y + GAP, INK_SOFT)
    out = BytesIO()
    picture.save(out, "JPEG", quality=QUALITY)
    return out.getvalue()


def can_write(text: str) -> bool:
    """Return whether the fonts have every letter of a text; they have the Latin ones."""
    font = _font("fraunces", 40, 600)
    missing = bytes(font.getmask("\uffff"))
    return all(sign.isspace() or bytes(font.getmask(sign)) != missing for sign in text)


@lru_cache(maxsize=1)
def _table() -> Image.Image:
    """Return the table without words: felt, wood, and a fan of card backs."""
    width, height = SIZE
    glow = Image.new("L", (width // 4, height // 4), 0)
    ImageDraw.Draw(glow).ellipse((0, -60, width // 4, height // 5), fill=255)
    glow = glow.filter(ImageFilter.GaussianBlur(50)).resize(SIZE)
    picture = Image.composite(Image.new("RGB", SIZE, FELT), Image.new("RGB", SIZE, FELT_DEEP), glow)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, height - 26, width, height), fill=WOOD)
    draw.rectangle((0, height - 30, width, height - 27), fill=BRASS)
    back = _card_back()
    for angle, x, y in FAN:
        turned = back.rotate(-angle, expand=True, resample=Image.Resampling.BICUBIC)
        shade = Image.new("RGBA", turned.size, (0, 0, 0, 110))
        shade.putalpha(turned.getchannel("A").point(lambda value: value * 110 // 255))
        shade = shade.filter(ImageFilter.GaussianBlur(8))
        middle = x + CARD[0] // 2 - turned.width // 2, y + CARD[1] // 2 - turned.height // 2
        picture.paste(shade, (middle[0] + 4, middle[1] + 10), shade)
        picture.paste(turned, middle, turned)
    return picture


def _ground() -> Image.Image:
    return _table().copy()


def _card_back() -> Image.Image:
    width, height = CARD
    card = Image.new("RGBA", (2 * width, 2 * height), (0, 0, 0, 0))
    draw = ImageDraw.Draw(card)
    draw.rounded_rectangle((0, 0, 2 * width - 1, 2 * height - 1), radius=28, fill=PAPER)
    draw.rounded_rectangle((18, 18, 2 * width - 19, 2 * height - 19), radius=16, fill=BACK)
    draw.rounded_rectangle(
        (34, 34, 2 * width - 35, 2 * height - 35), radius=10, outline=BRASS, width=4
    )
    middle = (width, height)
    draw.circle(middle, 86, outline=BRASS, width=4)
    for row in (-1, 0, 1):
        for column in (-1, 0, 1):
            draw.circle((middle[0] + 36 * column, middle[1] + 36 * row), 9, fill=BRASS)
    return card.resize(CARD, Image.Resampling.LANCZOS)


def _sign(picture: Image.Image, draw: ImageDraw.ImageDraw) -> None:
    icon = Image.open(_file("img/icons/icon-192.png")).convert("RGBA").resize((64, 64))
    picture.paste(icon, (LEFT, TOP), icon)
    draw.text((LEFT + 84, TOP + 4), "Cribbage", font=_font("fraunces", 44, 600), fill=INK)


def _write_big(draw: ImageDraw.ImageDraw, text: str, y: float) -> None:
    """Write the big line, in smaller letters on the same base line if it is long."""
    sizes = range(BIG_SIZE, BIG_LEAST - 1, -4)
    faces = (_font("fraunces", size, 600) for size in sizes)
    face = next((each for each in faces if _fits(text, each)), _font("fraunces", BIG_LEAST, 600))
    lower = _font("fraunces", BIG_SIZE, 600).getmetrics()[0] - face.getmetrics()[0]
    draw.text((LEFT, y - 34 + lower), text, font=face, fill=BRASS)


def _set(text: str, *, size: int, font: str) -> _Words:
    """Break a text into at most three lines, in smaller letters if it is long."""
    while True:
        face = _font(font, size, 600 if font == "fraunces" else 500)
        lines = _lines(text, face)
        if size <= 26 or (len(lines) <= MOST_LINES and all(_fits(line, face) for line in lines)):
            return _Words(tuple(lines[:MOST_LINES]), face, size * LEADING)
        size -= 4


def _write(draw: ImageDraw.ImageDraw, words: _Words, y: float, fill: tuple[int, int, int]) -> float:
    """Write lines from a height on; return where they end."""
    for line in words.lines:
        draw.text((LEFT, y), line, font=words.face, fill=fill)
        y += words.step
    return y


def _lines(text: str, face: Font) -> list[str]:
    lines = [""]
    for word in text.split(" "):  # a no-break space holds its words together
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and not _fits(longer, face):
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _fits(line: str, face: Font) -> bool:
    return face.getlength(line) <= RIGHT - LEFT


@lru_cache(maxsize=32)
def _font(name: str, size: int, weight: int) -> Font:
    face = ImageFont.truetype(_file(f"vendor/fonts/{name}-latin-wght-normal.woff2"), size)
    face.set_variation_by_axes([weight])
    return face


def _file(name: str) -> Path:
    found = finders.find(name)
    if found is None:
        raise FileNotFoundError(f"{name} is not among the static files.")
    return Path(found)
