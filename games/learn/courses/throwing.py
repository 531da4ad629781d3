"""The course in throwing: which two cards go to the crib."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.learn.courses.course import Course, Drawn, Theme

THEMES = (
    Theme(
        _("Pairs"),
        _("A pair is two sure points. Keep it together."),
        (
            Drawn("p 0-0 3H4C4D4S8SQH", "8S QH", _("Three fours score 6. Keep them together.")),
            Drawn(
                "p 0-0 2S3C7C9SJCJH",
                "7C 9S",
                _("The jacks are a pair, and each makes fifteen with the two and the three."),
            ),
            Drawn(
                "p 0-0 4C4D7C7S8DQH",
                "8D QH",
                _("Keep both pairs: the two fours make fifteen with each seven."),
            ),
            Drawn(
                "d 0-0 3C3STDQSKDKH",
                "TD QS",
                _("Even when the crib is yours, two pairs score more in your hand."),
            ),
        ),
    ),
    Theme(
        _("Runs"),
        _("Three ranks in a row score 3. With a pair in it, a run scores 8."),
        (
            Drawn(
                "p 0-0 6C7D7S8HTDKD",
                "TD KD",
                _("Six, seven, seven, eight: a double run, and two fifteens."),
            ),
            Drawn(
                "p 0-0 AH3C5D6D6S7C",
                "AH 3C",
                _("Five, six, six, seven is a double run. Throw the two loose cards."),
            ),
            Drawn(
                "d 0-0 4STHJCQDKDKH",
                "4S TH",
                _("Jack, queen and two kings are a double run: 8 points."),
            ),
            Drawn(
                "d 0-0 2D5C6C7SQCQD",
                "QC QD",
                _("Keep the run. The queens are a pair in your crib too."),
            ),
        ),
    ),
    Theme(
        _("Fives"),
        _("A five makes fifteen with any ten-card. No card is worth more."),
        (
            Drawn("d 0-0 AD5C5D5S6CTS", "AD 6C", _("Three fives and a ten are worth 14 points.")),
            Drawn("d 0-0 4H5H5S9SJCJS", "4H 9S", _("Two fives and two jacks make four fifteens.")),
            Drawn(
                "p 0-0 AS5H7H7S8CTC",
                "AS TC",
                _("Never give the dealer a five: every ten-card makes fifteen with it."),
            ),
            Drawn(
                "d 0-0 3D5C5D9DTHJC",
                "3D 9D",
                _("Each five makes fifteen with each ten-card. Keep all four."),
            ),
        ),
    ),
    Theme(
        _("Your own crib"),
        _("The crib is your second hand. Feed it pairs, fifteens and neighbours."),
        (
            Drawn(
                "d 0-0 ADAS5H6C8HJD",
                "5H JD",
                _("Five and jack make fifteen in your crib, and any ten-card makes another."),
            ),
            Drawn(
                "d 0-0 AD6H7C7DTCJS",
                "TC JS",
                _("Ten and jack are neighbours: a queen or a nine makes them a run."),
            ),
            Drawn(
                "d 0-0 4H5D5H7S8CJH",
                "7S 8C",
                _("Seven and eight are already a fifteen in your crib."),
            ),
            Drawn(
                "d 0-0 2H3H7D7H8SKS",
                "2H 3H",
                _("Two and three make fifteen with any ten-card, and a run with an ace or four."),
            ),
            Drawn(
                "d 0-0 2S3C4S8C8HJH",
                "8C 8H",
                _("Keep the run and the fifteen. The eights score in your crib."),
            ),
        ),
    ),
    Theme(
        _("Their crib"),
        _("Every point you throw is theirs. Throw cards that don't go together."),
        (
            Drawn(
                "p 0-0 AC9H9SJDJSKC",
                "AC KC",
                _("Ace and king are furthest apart: they seldom help the dealer."),
            ),
            Drawn(
                "p 0-0 5C5D6S7HTHKS",
                "TH KS",
                _("Ten and king leave a gap. Six and seven would be neighbours for the dealer."),
            ),
            Drawn(
                "p 0-0 AH2C2D4D4HTD",
                "AH TD",
                _("Don't hand the dealer a pair. Ace and ten give away little."),
            ),
            Drawn(
                "p 0-0 ADAS5H6C8HJD",
                "6C JD",
                _("You've had these cards as dealer. Now the crib is theirs: keep the five."),
            ),
            Drawn(
                "p 0-0 AH2H5D6D7D9H",
                "AH 9H",
                _("Ace and two are neighbours and help their crib. Ace and nine don't."),
            ),
        ),
    ),
    Theme(
        _("Flushes"),
        _("Four cards of a suit in your hand score 4. In the crib, it takes five."),
        (
            Drawn(
                "p 0-0 7D8D9DQHKDKH",
                "QH KH",
                _("Four diamonds score 4, and seven, eight, nine are a run."),
            ),
            Drawn(
                "d 0-0 2H6H8HKH4C4D",
                "4C 4D",
                _("Keep the four hearts. The pair scores in your crib as well."),
            ),
            Drawn(
                "p 0-0 AD3D7D8HTHKD",
                "8H TH",
                _("Keep the four diamonds: no other four cards here score as much."),
            ),
        ),
    ),
    Theme(
        _("Near the end"),
        _("Look at the score before your cards. Pone counts first."),
        (
            Drawn(
                "p 108-108 4C7CJCQHKCKS",
                "4C 7C",
                _("You count first and need 13: the double run has the best chance."),
            ),
            Drawn(
                "p 117-115 2C6D7H9SQCKD",
                "QC KD",
                _("You count first and need 4: these cards make two fifteens."),
            ),
            Drawn(
                "d 100-102 2C2D5STSJHKC",
                "2C 2D",
                _("They count first and need 19: score as much as you can now."),
            ),
            Drawn(
                "p 109-110 2S3H4S5H7CKH",
                "7C KH",
                _("You count first and need 12: the long run has the best chance."),
            ),
            Drawn(
                "p 107-102 AC2S4D4H6HTD",
                "2S 6H",
                _("Ace and ten make fifteen with each four. You count first and need every point."),
            ),
        ),
    ),
)

THROWING = Course(
    key="throwing",
    title=pgettext_lazy("course", "Discarding"),
    text=_("Which two cards to throw: to your own crib, to theirs, and near the end."),
    action="discard",
    themes=THEMES,
    target=61,
    unit="chance",
    limit=0.03,
)
