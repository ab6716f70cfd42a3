"""`mate review`: what every decision of recorded games cost."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from mate.annotate import annotate
from mate.cli.exits import BAD_INPUT, complain
from mate.cli.logs import Source, games_of_log
from mate.cli.options import JsonOption
from mate.cli.output import Waiting, console_of, print_json
from mate.cli.reading import standard_input
from mate.errors import MateError, RecordError
from mate.position import Position
from mate.record import Record, write_record, write_variant
from mate.recordfile import SUFFIX, read_records, records_of
from mate.reviewing import Review, Summary, review_deals
from mate.wholefile import whole_file

app = typer.Typer(add_completion=False)

MOST_NAMES = 10_000  # players summed up apart; a file may have no end of them
OTHERS = "(others)"


@app.command("review")
def review_command(
    place: Annotated[
        str,
        typer.Argument(
            metavar="FILE|FOLDER|-",
            help=f"Records; all *{SUFFIX} of a folder, or *.json with --from; - reads standard "
            "input.",
        ),
    ],
    annotated: Annotated[
        str | None,
        typer.Option(
            "--annotate",
            metavar="OUT",
            help="Write the records there, with comments; - for standard output.",
        ),
    ] = None,
    source: Annotated[
        Source, typer.Option("--from", help="What the files are: bga, logs of Board Game Arena.")
    ] = Source.records,
    variant: Annotated[
        str | None,
        typer.Option(
            "--variant",
            metavar="TEXT",
            help="The options of the table with --from bga: bga, bga-king, bga-figure, bga-free.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Say what every decision cost, what turned the game, and how well each player chose.

    Choices with a single legal move do not count. Broken games are reported, the rest is reviewed.
    """
    if json and annotated == "-":
        raise typer.BadParameter("--json and --annotate - would both print")
    if variant is not None and source is Source.records:
        raise typer.BadParameter("--variant is for --from; records tell theirs")
    files = _files_of(place, SUFFIX if source is Source.records else ".json")
    if annotated not in (None, "-"):
        _check_output(annotated, place if source is Source.records else None, files)
    report = Report() if annotated == "-" else _Json() if json else _People()
    with _writer_of(annotated) as write:
        job = Job(report, write, annotated is not None, source, variant or "bga")
        job.run(files)
        if job.broken and annotated is not None and any(_is_same(annotated, f) for f in files):
            raise MateError(f"{annotated}: not replaced, since it has broken games")
        if not job.done and not job.broken:
            raise MateError(f"{_name_of(place)}: there is no game in it")
        if not job.done and annotated not in (None, "-"):
            raise MateError(f"{annotated}: not written, since there is no game to write")
    if job.broken:
        raise typer.Exit(BAD_INPUT)


# --- Games ---------------------------------------------------------------------------------------


class Played(NamedTuple):
    """A game to be reviewed, and where it may have begun: one position unless cards are unknown."""

    record: Record
    starts: tuple[Position, ...]


def _files_of(place: str, suffix: str) -> list[str]:
    if place == "-" or not os.path.isdir(place):
        return [place]
    files = sorted(str(file) for file in Path(place).glob(f"*{suffix}") if file.is_file())
    if not files:
        raise MateError(f"{place}: there is no file *{suffix} in this folder")
    return files


def _name_of(file: str) -> str:
    return "standard input" if file == "-" else file


def games_of(file: str, source: Source, variant: str) -> Iterator[Played | RecordError]:
    """Yield the games of a file, a file of records or a log of games by the rules of a variant."""
    if source is Source.bga:
        for game in games_of_log(file, _name_of(file), variant):
            yield game if isinstance(game, RecordError) else Played(*game)
        return
    found = records_of(standard_input(), _name_of(file)) if file == "-" else read_records(file)
    for record in found:
        yield Played(record, (record.start,)) if isinstance(record, Record) else record


class Job:
    """Games on their way from files to a report and to records with comments, one at a time.

    Attributes:
        done: games reviewed.
        broken: games and files that could not be read.
    """

    def __init__(
        self,
        report: "Report",
        write: Callable[[str], None],
        annotates: bool,
        source: Source,
        variant: str,
    ):
        self.report, self.write, self.annotates = report, write, annotates
        self.source, self.variant = source, variant
        self.done = self.broken = 0

    def run(self, files: list[str]) -> None:
        """Review all games of the files."""
        # Where the results themselves come on the terminal, a bar would only disturb them.
        with Waiting("reviewing", shown=not sys.stdout.isatty()) as waiting:
            for file in files:
                self._review_file(file, waiting)
        self.report.end()

    def _review_file(self, file: str, waiting: Waiting) -> None:
        try:
            for game in games_of(file, self.source, self.variant):
                if isinstance(game, RecordError):
                    self._complain(game)
                else:
                    self._review(game, file)
                waiting.update(self.done)
        except RecordError as error:
            self._complain(error)

    def _complain(self, error: RecordError) -> None:
        self.broken += 1
        complain(str(error) if error.line else f"mate: {error}")

    def _review(self, game: Played, file: str) -> None:
        record = game.record
        review = review_deals(game.starts, record.moves)
        try:
            text = write_record(annotate(record, review))
        except MateError as error:  # too long with the comments, and perhaps without
            self._complain(RecordError(_name_of(file), record.line, 1, str(error)))
            return
        if len(review.starts) == 1:
            self.write(text)
        elif self.annotates:
            why = f"no record written, since of {len(review.unknown)} cards nobody knows"
            complain(f"mate: {_name_of(file)}: round {record.tags['Round']}: {why} who held them")
        self.report.add(file, record, review)
        self.done += 1


# --- Records with comments -----------------------------------------------------------------------


def _check_output(out: str, place: str | None, files: list[str]) -> None:
    """Refuse to write over what is read, unless it is the one file, told by its very name."""
    if os.path.isdir(out):
        raise MateError(f"{out}: a folder, and no file to write to")
    same = [file for file in files if file != "-" and _is_same(out, file)]
    if same and out != place:
        raise MateError(f"{out}: not replaced, since it is read as {same[0]}")


def _is_same(out: str, file: str) -> bool:
    try:
        read = os.fstat(sys.stdin.fileno()) if file == "-" else os.stat(file)
        return os.path.samestat(os.stat(out), read)
    except (OSError, ValueError, AttributeError):  # of the name, or without standard input
        return False


@contextmanager
def _writer_of(out: str | None) -> Iterator[Callable[[str], None]]:
    """Give what writes the text of a record, with an empty line between two."""
    if out is None:
        yield lambda text: None
    elif out == "-":
        yield _Separated(sys.stdout.buffer.write)
    else:
        try:
            with whole_file(Path(out)) as file:
                yield _Separated(file.write)
        except MateError:
            raise
        except (OSError, ValueError) as error:
            raise RecordError(out, 0, 0, getattr(error, "strerror", "") or str(error)) from None


class _Separated:
    def __init__(self, write: Callable[[bytes], object]):
        self.write, self.before = write, ""

    def __call__(self, text: str) -> None:
        self.write((self.before + text).encode())
        self.before = "\n"


# --- Reports -------------------------------------------------------------------------------------


class Report:
    """No report, where the records themselves are printed; and what a report does."""

    def add(self, file: str, record: Record, review: Review) -> None:
        """Take the next game."""

    def end(self) -> None:
        """There are no more games."""


class _Json(Report):
    """An object a game, each on its line."""

    def add(self, file: str, record: Record, review: Review) -> None:
        turned = review.turning_point
        print_json(
            {
                "file": file,
                "line": record.line,
                "tags": record.tags,
                "variant": write_variant(record.variant),
                "unknown": review.unknown,
                "starts": [str(start) for start in review.starts],
                "moves": review.moves,
                "value": review.value,
                "result": review.result,
                "decisions": [asdict(decision) for decision in review.decisions],
                "turning_point": turned.ply if turned else None,
                "x": _plain(review.x),
                "y": _plain(review.y),
            }
        )


def _plain(summary: Summary) -> dict[str, Any]:
    return {
        **asdict(summary),
        "average_loss": summary.average_loss,
        "accuracy": summary.accuracy,
    }


class _People(Report):
    """One game in full; of several a line each, and in the end how well each player chose."""

    def __init__(self) -> None:
        self.first: tuple[str, Record, Review] | None = None
        self.count = 0
        self.players: dict[str, tuple[int, Summary]] = {}

    def add(self, file: str, record: Record, review: Review) -> None:
        self.count += 1
        for name, summary in ((record.tags["X"], review.x), (record.tags["Y"], review.y)):
            if name not in self.players and len(self.players) >= MOST_NAMES:
                name = OTHERS
            games, before = self.players.get(name, (0, Summary()))
            self.players[name] = games + 1, before + summary
        place = f"{file}:{record.line}"
        if self.count == 1:  # nobody knows yet whether it is the only one
            self.first = place, record, review
            return
        if self.first:
            self._print_heading()
            self._print_line(*self.first)
            self.first = None
        self._print_line(place, record, review)

    def _print_heading(self) -> None:
        from mate.render.review import LINES_HEADING

        print(LINES_HEADING)

    def _print_line(self, place: str, record: Record, review: Review) -> None:
        from mate.render.review import game_line

        print(game_line(record, review, place))

    def end(self) -> None:
        if self.first:
            self._print_game(*self.first)
        elif self.count:
            players = [(name, *found) for name, found in sorted(self.players.items())]
            self._print_players(players, f"\n{self.count} games")

    def _print_game(self, place: str, record: Record, review: Review) -> None:
        from mate.render.review import choices_table, heading

        console = console_of()
        console.print(heading(record, place), soft_wrap=True)
        if review.unknown:
            deals = f"{len(review.starts)} deals are possible"
            console.print(f"Unknown cards: {' '.join(review.unknown)}; {deals}.", soft_wrap=True)
        console.print("", choices_table(review), sep="\n")
        names = record.tags["X"], record.tags["Y"]
        both = zip(("X", "Y"), names, (review.x, review.y), strict=True)
        players = [(f"{player} {name}", 1, summary) for player, name, summary in both]
        self._print_players(players, "")

    def _print_players(self, players: list[tuple[str, int, Summary]], title: str) -> None:
        from mate.render.review import players_table

        console_of().print(title, players_table(players), sep="\n")
