"""The course in pegging: which card to lead, and which to answer with."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.learn.courses.course import Course, Drawn, Theme

FROM_A_PAIR = _("Lead a four: if they pair it, your other four scores 6.")
OFTEN_A_PAIR = _("Players like to lead from a pair. Pair it and they may score 6.")

THEMES = (
    Theme(
        _("Points on the table"),
        _("Look for points first: fifteen, 31, pairs and runs."),
        (
            Drawn(
                "p 30-28 3D3S8STC 6CJC 3H6H9HTH QHKC QS 3D3H",
                "3S",
                _("A third three: pair royal for 6."),
            ),
            Drawn(
                "d 61-61 3H6S7C7D QCKD 5D8HJSQD 3S9D 9C 8H",
                "7C",
                _("Seven on their eight: fifteen for 2."),
            ),
            Drawn(
                "d 13-17 AC8CTCJC 6DJS 3S5DJDKH AS6C KC 3STCJD",
                "8C",
                _("The count is 23: the eight makes 31 for 2."),
            ),
            Drawn(
                "p 25-27 5C6C7C9C 8SQH 2H3D4C4D 9SJH KD 6C4C5C3D",
                "7C",
                _("Three to seven, in any order: a run of five for 5."),
            ),
            Drawn(
                "p 0-0 AD4S7DTD 3H6H AS5DJDJS 3C3D 4H TD5D7DAS",
                "AD",
                _("Pair their ace for 2. At 24, only a seven makes 31."),
            ),
        ),
    ),
    Theme(
        _("Don't lead a five"),
        _("Sixteen cards count ten, and each makes fifteen on your five."),
        (
            Drawn(
                "d 28-30 2H5STHKD 6C9H 2S3DJHQC 8H9D 7S 3DTH2S2HJH",
                "KD",
                _("Lead the king and keep the five: it may make fifteen later."),
            ),
            Drawn(
                "p 20-6 5S7C7D7H 4DQS 5H9HTDJC 6D6H 4H",
                "7C",
                _("Lead a seven: if they pair it, you make a pair royal."),
            ),
            Drawn(
                "p 20-16 5H6D6S9D 3SJH AD3C4CKH 8H9H 4S 6DKH9D4CAD",
                "6S",
                _("Lead the six: only a nine makes fifteen on it."),
            ),
            Drawn(
                "d 67-62 2H5DJCQD 7S8H AC4H6S8C QSKS 3S 4HJCACQD6S",
                "2H",
                _("The two is safe: no card makes fifteen on it."),
            ),
        ),
    ),
    Theme(
        _("The lead"),
        _("No card makes fifteen on a lead below five. A low pair is best."),
        (
            Drawn(
                "p 44-40 3H3S5D7D 6HQH 8C8S9STC 4CKS 4D",
                "3H",
                _("No card makes fifteen on a three. If they pair it, your other three scores 6."),
            ),
            Drawn("p 44-44 4C4S7HQD 2DKC AS2S3DQS 5C7C KH", "4C", FROM_A_PAIR),
            Drawn("p 27-36 4D4H7HJS 9CKD 6C9HTCQS AD2S QC", "4D", FROM_A_PAIR),
            Drawn(
                "p 30-17 2H3C3HJS 5D8D 5H9DTHQD 7D7H KC",
                "3C",
                _("Lead a three. Save the lone two for the last card."),
            ),
        ),
    ),
    Theme(
        _("Beware of 21"),
        _("At 5 and at 21, any ten-card scores. Add up before you play."),
        (
            Drawn(
                "p 47-50 3C3D8D8S JSQC AH2HQSKH 9STD 9H 3CQS",
                "3D",
                _("The eight would make 21. Play the three and stay below."),
            ),
            Drawn(
                "p 28-31 AS4D4HKC 2C5S 7H7STDTS 6DQD 3D KCTD",
                "4D",
                _("An ace would leave 21 for any ten-card. The four goes past it."),
            ),
            Drawn(
                "p 21-7 2D3D3H9S 6CKS 3STCJCJH 7C8D 5C 3D3S3HJC",
                "9S",
                _("Jump over 21: at 28, only a three makes 31."),
            ),
            Drawn(
                "p 13-5 4D4H7C7S AD5D TDTSJDQS 8DKH 9H 4DTD",
                "4H",
                _("The seven would make 21. The four makes 18, where ten-cards don't score."),
            ),
        ),
    ),
    Theme(
        _("Runs in the play"),
        _("A run scores in any order, so don't play next to their card."),
        (
            Drawn(
                "p 17-19 3S6D6H9C JHKD 2C7H7S8S 4H5C 3C 9C8S",
                "3S",
                _("The six would let a seven make a run of four."),
            ),
            Drawn(
                "d 11-15 3C6C6STD JCJD 3D3H5H5S ACKD 7S 3D3C3H6C5H",
                "TD",
                _("A six next to the five invites a run. The ten makes 30: only an ace fits."),
            ),
            Drawn(
                "d 0-0 2CTDTHTS 6HKD AC4HQSKH 2DJH 8D QS",
                "2C",
                _("A ten on their queen lets a jack make a run. The two is too far away."),
            ),
            Drawn(
                "p 61-49 2C8D8HJS 2H4H AH4S7DTH 3C3H 4C 8D7D",
                "2C",
                _("Another eight would let a six make a run. The two is too far away."),
            ),
        ),
    ),
    Theme(
        _("Pairs in the play"),
        _("A pair scores 2, a third card 6. Think about what they may still hold."),
        (
            Drawn("d 11-16 6D9DTHJS 7HKH 3C4S5CTS AC9S 4D TS", "6D", OFTEN_A_PAIR),
            Drawn(
                "d 26-24 3S4D8C8H 6HTH 2H6D7SQC ADKD AH QC8C7S",
                "4D",
                _("A three would make 28, where another three scores 4: a pair and 31."),
            ),
            Drawn("d 39-34 3HTCJHQH 7C8S 5CTSJDJS 8DKS QD JD", "3H", OFTEN_A_PAIR),
        ),
    ),
    Theme(
        _("The last card"),
        _("Low cards fit when nothing else does. Save them for the end of a count."),
        (
            Drawn(
                "p 69-66 2C2S4C4D TDKS ADAS2HQS 7D9C TS 4C2H2CQS",
                "4D",
                _("Play the four and save the two: it may be all that still fits."),
            ),
            Drawn(
                "p 51-56 2C3H4S8S 6STS AD2SQCKC 7D9H JS 8SKC",
                "4S",
                _("Play the four first. Two and three still fit after it."),
            ),
            Drawn(
                "p 43-38 3D4SJCJH 7CKC 2H2S3H4D 5SKH 3S 3D3HJC4D",
                "JH",
                _("The jack makes 30: only an ace still fits, so the go is probably yours."),
            ),
        ),
    ),
    Theme(
        _("Near the end"),
        _("See what each of you needs. Then go for points, or give none away."),
        (
            Drawn(
                "p 111-104 5HJDJHKD 2C6C ADAS5C8S 3H3S 8D JD5C",
                "5H",
                _("Take the pair: this late, 2 points are worth the risk."),
            ),
            Drawn(
                "p 113-118 3H5S7C7S AH8H 2D6D7D8S 5CQD 9H 3H8S",
                "5S",
                _("They need 3. A seven next to the eight lets a six or a nine make a run."),
            ),
            Drawn(
                "d 110-116 AD5S9C9H 5DTC AC4C8SQH 8CKS JC 4C",
                "9C",
                _("They need 5. An ace makes the count 5, and any ten-card makes fifteen."),
            ),
        ),
    ),
)

PEGGING = Course(
    key="pegging",
    title=pgettext_lazy("course", "Pegging"),
    text=_("Which card to lead, which to answer with, and which to save."),
    action="play",
    themes=THEMES,
    target=121,
    unit="points",
    limit=3.5,
)
