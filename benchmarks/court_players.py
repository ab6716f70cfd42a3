"""How strong the players of Court Piece are, and how long a decision takes them.

The same cards are played twice, with the sides exchanged; the interval is that of 95 % for the mean
over the deals. Strength is not a matter of time: the same seed gives the same margins everywhere.
A decision is one between at least two moves; its time is that of the processor.
"""

from time import perf_counter, process_time

from mate.court_piece import Player, View, duel
from mate.court_piece.players import LEVELS
from report import arguments, report


class Timed(Player):
    """A player whose decisions are timed."""

    def __init__(self, text: str):
        super().__init__(1)
        self.player = Player.of(text, 1)
        self.seconds: list[float] = []

    def choose(self, view: View) -> str:
        since = process_time()
        move = self.player.choose(view)
        if len(view.legal_moves) > 1:
            self.seconds.append(process_time() - since)
        return move


def measure(text: str, other: str, variant: str, deals: int) -> dict[str, object]:
    """Return the row of a pairing."""
    player, since = Timed(text), perf_counter()
    found = duel(player, Player.of(other, 2), deals, variant, seed=1)
    times = sorted(1000 * seconds for seconds in player.seconds)
    return {
        "player": text,
        "against": other,
        "variant": variant,
        "hands": 2 * deals,
        "points a hand": f"{found.margin:+.3f}",
        "±": "-" if found.high is None else f"{found.high - found.margin:.3f}",
        "won": f"{found.wins / (2 * deals):.1%}",
        "courts": f"{found.courts}:{found.courts_lost}",
        "decisions": len(times),
        "median ms": round(times[len(times) // 2], 2),
        "p95 ms": round(times[len(times) * 95 // 100], 1),
        "max ms": round(times[-1], 1),
        "minutes": round((perf_counter() - since) / 60, 1),
    }


def main() -> None:
    """Measure the default level against the players without search, or other pairings."""
    parser = arguments(__doc__)
    parser.add_argument("--variant", default="seed")
    parser.add_argument("--deals", type=int, default=250, help="two hands each")
    parser.add_argument(
        "--pairs", nargs="+", metavar="A/B", default=["level:4/random", "level:4/greedy"],
        help=f"players, such as level:{len(LEVELS)}/greedy",
    )  # fmt: skip
    options = parser.parse_args()
    rows = [measure(*pair.split("/"), options.variant, options.deals) for pair in options.pairs]
    report(rows, options.json)


if __name__ == "__main__":
    main()
