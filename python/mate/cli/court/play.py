"""`mate court play`: a match in the terminal, with three players of ours."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from mate.cli.court.options import ToldVariantOption, seat_of, variant_of
from mate.cli.options import JsonOption, SeedOption
from mate.cli.output import print_json
from mate.cli.resuming import YOU, is_there, unbroken
from mate.court_piece.cards import SEAT_NAMES, SEATS
from mate.court_piece.deal import Deal
from mate.court_piece.hand import Hand
from mate.court_piece.match import Match
from mate.court_piece.pbn import read_records, write_records
from mate.court_piece.players import Player
from mate.court_piece.record import SEAT_TAGS, Record
from mate.court_piece.variant import Variant
from mate.deal import generator
from mate.errors import MateError

app = typer.Typer(add_completion=False)

USUAL = "level:4"
USUAL_RULES = "seed"
SOUTH = 2


@app.command()
def play(
    seed: SeedOption = None,
    variant: ToldVariantOption = None,
    seat: Annotated[
        int | None,
        typer.Option(
            "--seat",
            metavar="SEAT",
            parser=seat_of,
            help="Yours; S, or as in the record, unless told.",
        ),
    ] = None,
    partner: Annotated[
        str | None,
        typer.Option(
            "--partner",
            metavar="PLAYER",
            help="level:1 to level:5, or random, greedy, montecarlo:n; level:4 unless told, or as "
            "in the record.",
        ),
    ] = None,
    opponents: Annotated[
        str | None, typer.Option("--opponents", metavar="PLAYER", help="Both; as --partner.")
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record",
            metavar="FILE",
            help="Write the hands there as they end; a match that is there is played on by its own "
            "variant. Seat, players and seed may be told anew.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Play a match with three players of ours, who see no more than you; type help in it.

    With --json it is shown on standard error, and printed as an object when it ends.
    """
    from mate.cli.court.dialogue import Dialogue
    from mate.cli.terminal import Terminal

    rules = None if variant is None else variant_of(variant)
    if record and is_there(record):
        session = resumed(record, seat, rules)
    else:
        session = Session(Match(rules or USUAL_RULES), SOUTH if seat is None else seat)
    session.seat_players(partner, opponents)
    terminal = Terminal(stderr=json)
    Dialogue(
        session.match,
        session.seat,
        terminal.ask,
        terminal.say,
        session.players(seed),
        deals(session.match.variant, seed, len(session.match.hands)),
        partial(session.save, record) if record else _nothing,
    ).run()
    if json:
        print_json(_described(session))


def _nothing() -> None:
    pass


def deals(variant: Variant, seed: int | None, n_begun: int) -> Iterator[Deal]:
    """Yield the deals of the hands to come: by a seed the same ones for a match resumed."""
    source = generator(seed)
    for _ in range(n_begun):
        Deal.random(source, variant=variant)
    while True:
        yield Deal.random(source, variant=variant)


# --- What is played ------------------------------------------------------------------------------


@dataclass
class Session:
    """A match that is played, by whom, and the records it was resumed from.

    Attributes:
        match: it.
        seat: who the person is, 0..3.
        before: the records of a match that is resumed.
        names: the players by seat.
    """

    match: Match
    seat: int
    before: tuple[Record, ...] = ()
    names: tuple[str, ...] = ()

    def seat_players(self, partner: str | None, opponents: str | None) -> None:
        """Say who sits where: as told, or else as in the record, or else whoever usually does."""
        names = [self._recorded(seat) for seat in SEATS]
        for seat in SEATS:
            told = partner if seat % 2 == self.seat % 2 else opponents
            names[seat] = told or names[seat]
        names[self.seat] = YOU
        self.names = tuple(names)

    def _recorded(self, seat: int) -> str:
        name = self.before[0].tags[SEAT_TAGS[seat]] if self.before else USUAL
        try:
            Player.of(name)
        except MateError:
            return USUAL
        return name

    def players(self, seed: int | None) -> list[Player]:
        """Return the players by seat; one of the usual strength in the person's, for hints.

        Raises:
            MateError: a text names no player.
        """
        seeds = [None if seed is None else 4 * seed + seat for seat in SEATS]
        texts = [USUAL if name == YOU else name for name in self.names]
        return [Player.of(*pair) for pair in zip(texts, seeds, strict=True)]

    def save(self, file: Path) -> None:
        """Write the hands that were begun; of those from the file, tags and comments stay."""
        tags = {"Event": "mate court play", "Date": date.today().isoformat()}
        found = self.match.records(tags | dict(zip(SEAT_TAGS, self.names, strict=True)))
        if found:
            kept = [_kept(*pair) for pair in zip(found, self.before, strict=False)]
            write_records(file, [*kept, *found[len(kept) :]])


def _kept(now: Record, before: Record) -> Record:
    return replace(now, tags=before.tags, comments=before.comments)


def resumed(file: Path, seat: int | None, variant: Variant | None) -> Session:
    """Return the match that a file of records tells of.

    Raises:
        RecordError: a hand of it is broken.
        MateError: they are no match, it is over, or it is of another variant than was told.
    """
    records = unbroken(read_records(file))
    try:
        match = Match.from_records(records)
    except MateError as error:
        raise MateError(f"{file}: {error}") from None
    if variant not in (None, match.variant):
        raise MateError(f"{file}: it is played by {match.variant.name}; it cannot be told anew")
    if match.is_over:
        raise MateError(f"{file}: it is over; begin in another file")
    yours = [seat for seat in SEATS if records[0].tags[SEAT_TAGS[seat]] == YOU]
    usual = yours[0] if yours else SOUTH
    return Session(match, usual if seat is None else seat, tuple(records))


# --- JSON ----------------------------------------------------------------------------------------


def _described(session: Session) -> dict[str, Any]:
    match = session.match
    return {
        "variant": match.variant.name,
        "seat": SEAT_NAMES[session.seat],
        "players": dict(zip(SEAT_NAMES, session.names, strict=True)),
        "scores": match.scores,
        "is_over": match.is_over,
        "winner": match.winner,
        "hands": [_hand(hand) for hand in match.hands],
    }


def _hand(hand: Hand) -> dict[str, Any]:
    return {
        "deal": str(hand.deal),
        "caller": SEAT_NAMES[hand.caller],
        "trump": hand.trump,
        "moves": hand.moves,
        "collected": hand.collected,
        "points": hand.points,
        "court": hand.court,
    }
