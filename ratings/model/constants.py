"""The constants of the rating model: frozen, versioned, with their units."""

from dataclasses import dataclass
from math import sqrt

CENTRE = 1500.0
"""Rating, in Elo, of a player of whom nothing is known."""

FIRST_DEAL_ELO = 37.0
"""What the first deal is worth on a random deal, in Elo."""

PROVISIONAL_RD = 35.0
"""A rating is provisional while its RD, in Elo, is above this."""

LEAST_TAU2 = 4.0
"""Floor of tau2, points squared: below it a re-estimate has taken skill for noise."""


@dataclass(frozen=True, slots=True)
class Constants:
    """One set of constants; ratings computed with different sets are not comparable.

    Every margin here is relative: a seat's score minus the mean score of the other seats,
    which for two seats is the ordinary margin.
    """

    version: str
    """Name of the set, stored with everything that is computed from it."""
    seats: int
    """Players in a game: 2 or 3."""
    sigma2: float
    """Noise of one result, points squared: of the margin (two seats), or of each
    orthonormal contrast of the scores (three)."""
    tau2: float
    """Variance of skill between players, points squared."""
    omega2: float
    """Variance between games that `mu` and par leave, points squared, measured as `sigma2` is."""
    mu: tuple[float, ...]
    """Mean relative margin of each seat, points; seat 0 deals first. Sums to zero."""
    beta: float = 0.0
    """Points of margin per point of par; 0 where par is not used."""
    elo_per_point: float = 13.7
    """Elo for each point of skill."""
    half_life: float | None = None
    """A result counts half after so many own games since; None: nothing is forgotten."""
    margin_limit: float | None = 60.0
    """Margins are cut off here, points; None: nowhere."""

    def __post_init__(self) -> None:
        if len(self.mu) != self.seats:
            raise ValueError(f"mu {self.mu} does not have one value for each of {self.seats} seats")
        if self.seats == 2 and self.tau2 < LEAST_TAU2:
            raise ValueError(f"tau2 {self.tau2} is below {LEAST_TAU2}")

    @property
    def noise(self) -> float:
        """Noise variance of one relative margin, points squared.

        n seats: sigma2 * n/(n-1) from contrasts; a margin of two seats is measured directly.
        """
        return self.sigma2 if self.seats == 2 else self.sigma2 * self.seats / (self.seats - 1)

    @property
    def player_ratio(self) -> float:
        """Games' worth of doubt about a player: noise / tau2."""
        return self.noise / self.tau2

    @property
    def game_ratio(self) -> float:
        """Plays' worth of doubt about a standard game: sigma2 / omega2."""
        return self.sigma2 / self.omega2

    @property
    def fading(self) -> float:
        """Factor on the weight of a result for each own game since."""
        return 1.0 if self.half_life is None else 2.0 ** (-1.0 / self.half_life)


TWO_SEATS = Constants("2-1", 2, 190.0, 13.0, 250.0, (2.8, -2.8))
TWO_SEATS_PAR = Constants("2-1-par", 2, 190.0, 13.0, 12.0, (0.2, -0.2), beta=0.93)
THREE_SEATS = Constants(
    "3-1", 3, 89.0, 5.8, 128.0, (0.0, 0.0, 0.0), elo_per_point=13.7 * sqrt(13.0 / 5.8)
)
"""Three players' points are scaled so that a newcomer's RD is that of two players (49 Elo):
then an RD, and "provisional", mean the same in both."""
