"""Student's distribution, as far as a confidence interval of a mean needs it."""

import math

MANY = 100  # degrees of freedom from which on a few terms about the normal quantile are exact
Z95: float = 1.959963984540054  # 95 % of the normal distribution lie within so many deviations


def within_95(degrees: int) -> float:
    """Return how many standard errors about a mean make up its 95 % confidence interval.

    Arguments:
        degrees: of freedom, from 1: the number of observations less one.

    >>> [round(within_95(degrees), 4) for degrees in (1, 4, 29, 10**6)]
    [12.7062, 2.7764, 2.0452, 1.96]
    """
    return _near_normal(degrees) if degrees > MANY else _bisected(degrees)


# Cornish and Fisher's expansion by 1 / degrees.
def _near_normal(degrees: int) -> float:
    z = Z95
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + math.fsum(term / degrees**power for power, term in enumerate(terms, 1))


# The quantile is sqrt(degrees) times the tangent of an angle, whose share is a finite sum.
def _bisected(degrees: int) -> float:
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _share(middle, degrees) < 0.95 else (low, middle)
    return math.sqrt(degrees) * math.tan(low)


def _share(angle: float, degrees: int) -> float:
    cosine, odd = math.cos(angle), degrees % 2
    term = total = (cosine if degrees > 1 else 0.0) if odd else 1.0
    for k in range(2 + odd, degrees, 2):
        term *= cosine**2 * (k - 1) / k
        total += term
    total *= math.sin(angle)
    return 2 / math.pi * (angle + total) if odd else total
