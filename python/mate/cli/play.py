"""`mate play`: a match against a player of ours in the terminal."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import partial
from itertools import count
from pathlib import Path
from typing import Annotated

import typer

from mate.cli.options import (
    POSITION_SETTINGS,
    JsonOption,
    LeaderOption,
    Player,
    SeedOption,
    VariantOption,
)
from mate.cli.output import print_json
from mate.cli.reading import first_line, game_of, refuse_options, variant_of
from mate.cli.resuming import YOU, is_there, unbroken
from mate.deal import Deal, generator
from mate.errors import MateError
from mate.game import Game
from mate.match import Match
from mate.players import Player as Opponent
from mate.record import Record
from mate.recordfile import read_records, write_records
from mate.render.text import outcome_of
from mate.variant import Variant

app = typer.Typer(add_completion=False)


@app.command(context_settings=POSITION_SETTINGS)
def play(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[DEAL|POSITION]",
            help="The deal of the first round, or a position, from which one game is played; "
            "- reads it from standard input, before the moves.",
        ),
    ] = None,
    seed: SeedOption = None,
    variant: VariantOption = "bga",
    leader: LeaderOption = None,
    side: Annotated[Player, typer.Option("--side", case_sensitive=False, help="You.")] = Player.x,
    opponent: Annotated[
        str | None,
        typer.Option(
            "--opponent",
            metavar="PLAYER",
            help="level:1 to level:5, or random, greedy, depth:n, epsilon:p, softmax:t; "
            "optimal unless told, or as in the record.",
        ),
    ] = None,
    comment: Annotated[bool, typer.Option("--comment", help="Comment each trick.")] = False,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record",
            metavar="FILE",
            help="Write the games there as they end; a match that is there is played on.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Play a match against the engine; type help for what can be done.

    With --json it is shown on standard error, and printed as an object when it ends.
    """
    from mate.cli.dialogue import Dialogue
    from mate.cli.terminal import Terminal

    session = _resumed(record, words, side.value) if record and is_there(record) else None
    if session is None:
        session = _begun(words, variant_of(variant), leader, side.value)
    opponent = opponent or session.opponent
    other = Opponent.of(opponent, seed)
    terminal = Terminal(stderr=json)
    Dialogue(
        session.played,
        session.side,
        terminal.ask,
        terminal.say,
        other,
        _deals(session.played, seed, session.deal),
        partial(session.save, record, opponent) if record else None,
        comment,
    ).run()
    if json:
        print_json(_described(session, opponent))


# --- What is played ------------------------------------------------------------------------------


@dataclass
class Session:
    """What is played, by whom, and the records it was resumed from.

    Attributes:
        played: the match, or the one game.
        side: who the person is, "x" or "y".
        deal: of the first round, None for one at random.
        before: the records of a match that is resumed.
    """

    played: Match | Game
    side: str
    deal: Deal | None = None
    before: tuple[Record, ...] = ()

    @property
    def opponent(self) -> str:
        """The player of ours that the records name, or the one who does not err."""
        name = self.before[0].tags["Y" if self.side == "x" else "X"] if self.before else "?"
        try:
            Opponent.of(name)
        except MateError:
            return "optimal"
        return name

    def save(self, file: Path, opponent: str) -> None:
        """Write the games that were begun; of those from the file, tags and comments stay."""
        names = {"X": YOU, "Y": opponent} if self.side == "x" else {"X": opponent, "Y": YOU}
        tags = {"Event": "mate play", "Date": date.today().isoformat(), **names}
        if isinstance(self.played, Match):
            found = self.played.records(tags)
        else:
            found = [Record.of(self.played, tags)]
        if found:
            kept = [_kept(*pair) for pair in zip(found, self.before, strict=False)]
            write_records(file, [*kept, *found[len(kept) :]])


def _kept(now: Record, before: Record) -> Record:
    if now.moves[: len(before.moves)] != before.moves:
        return now
    return replace(now, tags=before.tags, comments=before.comments)


def _begun(words: list[str] | None, variant: Variant, leader: Player | None, side: str) -> Session:
    match = Match(variant, leader.value if leader else "x")
    if not words:
        return Session(match, side)
    refuse_options(words)
    text = first_line() if words == ["-"] else " ".join(words)
    game = game_of(text, variant, leader)
    if len(text.split()) == 1:
        return Session(match, side, Deal.of(text.strip(), variant.deck))
    return Session(game, side)


def _resumed(file: Path, words: list[str] | None, side: str) -> Session:
    """Return the match, or the one game, that a file of records tells of.

    Raises:
        RecordError: a game of it is broken.
        MateError: they are no match, or it is over.
    """
    if words:
        raise typer.BadParameter(f"{file} is there, and what it tells is played on, not a deal")
    records = unbroken(read_records(file))
    try:
        played = _played(records)
    except MateError as error:
        raise MateError(f"{file}: {error}") from None
    if played.is_over:
        raise MateError(f"{file}: it is over; review it, or begin in another file")
    tags = records[0].tags
    side = "x" if tags["X"] == YOU else "y" if tags["Y"] == YOU else side
    return Session(played, side, before=tuple(records))


def _played(records: list[Record]) -> Match | Game:
    if len(records) == 1 and records[0].deal is None:
        return records[0].game()
    return Match.from_records(records)


def _deals(played: Match | Game, seed: int | None, first: Deal | None) -> Iterator[Deal]:
    """Yield the deals of the rounds to come: by a seed the same ones for a match resumed."""
    rng, deck = generator(seed), played.variant.deck
    n_begun = len(played.rounds) if isinstance(played, Match) else 0
    for number in count():
        deal = Deal.random(rng, deck)
        if number >= n_begun:
            yield first if first and not number else deal


# --- JSON ----------------------------------------------------------------------------------------


def _described(session: Session, opponent: str) -> dict[str, object]:
    played = session.played
    match = played if isinstance(played, Match) else None
    games = [game for round in match.rounds for game in round.games] if match else [played]
    return {
        "variant": played.variant.name,
        "side": session.side,
        "opponent": opponent,
        "scores": match.scores if match else None,
        "result": played.result,
        "games": [_game(game) for game in games if isinstance(game, Game)],
    }


def _game(game: Game) -> dict[str, object]:
    outcome = outcome_of(game)
    return {
        "start": str(game.root()),
        "moves": game.moves,
        "position": str(game),
        "result": game.result,
        "outcome": asdict(outcome) if outcome else None,
    }
