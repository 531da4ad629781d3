"""Versioned constants of the rating model, with their units."""

from dataclasses import dataclass
from math import sqrt

CENTRE = 1500.0
"""Rating, in Elo, of a player without results."""

FIRST_DEAL_ELO = 37.0
"""Advantage of dealing first on random cards, in Elo."""

PROVISIONAL_RD = 35.0
"""RD, in Elo, above which a rating is provisional."""

LEAST_TAU2 = 4.0
"""Minimum of tau2, points squared; an estimate below it would treat skill as noise."""


@dataclass(frozen=True, slots=True)
class Constants:
    """One set of constants. Ratings computed with different sets are not comparable.

    Margins are relative: a seat's score minus the mean score of the other seats. For two seats
    this is the ordinary margin.
    """

    version: str
    """Name of the set, stored with each rating."""
    seats: int
    """Players in a game: 2 or 3."""
    sigma2: float
    """Noise of one result, points squared: of the margin (two seats), or of each
    orthonormal contrast of the scores (three)."""
    tau2: float
    """Variance of skill between players, points squared."""
    omega2: float
    """Variance between games that `mu` and par do not explain, in the units of `sigma2`."""
    mu: tuple[float, ...]
    """Mean relative margin of each seat, points; seat 0 deals first. They sum to zero."""
    beta: float = 0.0
    """Points of margin per point of par; 0 if par is not used."""
    elo_per_point: float = 13.7
    """Elo per point of skill."""
    half_life: float | None = None
    """Number of the player's own later games after which a result counts half; None: never."""
    margin_limit: float | None = 60.0
    """Largest margin that counts, points; None: no limit."""

    def __post_init__(self) -> None:
        if len(self.mu) != self.seats:
            raise ValueError(f"mu {self.mu} does not have one value for each of {self.seats} seats")
        if self.seats == 2 and self.tau2 < LEAST_TAU2:
            raise ValueError(f"tau2 {self.tau2} is below {LEAST_TAU2}")

    @property
    def noise(self) -> float:
        """Noise variance of one relative margin, points squared.

        It is sigma2 for two seats, and sigma2 * n/(n-1) for n seats, where sigma2 is per contrast.
        """
        return self.sigma2 if self.seats == 2 else self.sigma2 * self.seats / (self.seats - 1)

    @property
    def player_ratio(self) -> float:
        """Uncertainty about a new player in games: noise / tau2."""
        return self.noise / self.tau2

    @property
    def game_ratio(self) -> float:
        """Uncertainty about a new standard game in plays: sigma2 / omega2."""
        return self.sigma2 / self.omega2

    @property
    def fading(self) -> float:
        """Factor that each later game of the player applies to the weight of a result."""
        return 1.0 if self.half_life is None else 2.0 ** (-1.0 / self.half_life)


TWO_SEATS = Constants("2-1", 2, 190.0, 13.0, 250.0, (2.8, -2.8))
TWO_SEATS_PAR = Constants("2-1-par", 2, 190.0, 13.0, 12.0, (0.2, -0.2), beta=0.93)
THREE_SEATS = Constants(
    "3-1", 3, 89.0, 5.8, 128.0, (0.0, 0.0, 0.0), elo_per_point=13.7 * sqrt(13.0 / 5.8)
)
"""Scaled so that a new player's RD is the same as with two seats (49 Elo), and "provisional" means
the same."""
CONSTANTS = {2: TWO_SEATS_PAR, 3: THREE_SEATS}
"""The constants in use, by number of seats."""
