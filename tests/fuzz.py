"""Random and mutated input for everything that reads what others wrote.

    python tests/fuzz.py [--seconds 300] [--seed 1]

For each reader it prints how many inputs it was given, how many of them it took, and what broke it:
whatever else comes of an input than a result or a `MateError`. tests/test_fuzz.py runs a little of
it; what it has found stands there.
"""

import argparse
import random
import struct
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import mate
from mate import court_piece, notation
from mate.court_piece import notation as court_notation
from mate.protocol import Info, Option, Session
from mate.protocol.settings import OPTIONS
from mate.tablefile import MAGIC, PREFIX

DATA = Path(__file__).with_name("data")
VARIANTS = [*mate.PRESETS, "capellen,deck=double24"]
WORDS = (
    b"mate isready newgame stop quit setoption name value Variant TableBits Tablebase position "
    b"deal moves leader go depth movetime infinite info exact yes no nodes time line option type "
    b"default bestmove x y - -/- ?/? *- Ac Kc! *Kc 10d 7c Td 1 9 10 99 -1 0 AQ7.A7.TK7.AT "
    b"ATK.Q7.A.TKQ7 7.Q../.7.K. ... / . { } [ ] [Variant [Deal [Position [Leader [Result none bga "
    b'"bga" double24 ( ) ; $1 $300 1. 2... # % \xe2\x99\xa3 \xff \x00 \r\n \n \t null true 1e999 "'
).split(b" ")
COURT_WORDS = (
    b"AS SA 10s KH 2C TD S H D C N NT stop on * 0-1 - =1= $2 % { } [ ] N: E:AKQ... . .. ... "
    b'[Play "E"] [Deal "N: [Trump "S"] [Variant "double-sir"] [FirstFive " [Turned "AS"] [Dealer '
    b'[Auction "N"] [Note "1: [Points "0-1"] seed pagat-points,target=8 points=1/3/1/3 8 hands '
    b"blocked_claims=2/12 redeal_below=J trump=second_batch trump=longest \n \n\n \xe2\x99\xa5"
).split(b" ")
Reader = Callable[[bytes, random.Random], object]


# --- Inputs --------------------------------------------------------------------------------------


def mutated(seed: bytes, rng: random.Random) -> bytes:
    """Return bytes changed in a few places."""
    data = bytearray(seed)
    words = known_words(seed)
    for _ in range(rng.choice((0, 1, 1, 2, 3, 8))):
        at = rng.randrange(len(data) + 1)
        end = min(at + rng.choice((1, 1, 2, 8, 64)), len(data))
        deed = rng.randrange(7)
        if deed == 0:
            data[at:end] = rng.randbytes(end - at)
        elif deed == 1:
            del data[at:end]
        elif deed == 2:
            data[at:at] = rng.choice(words)
        elif deed == 3:
            data[at:at] = data[at:end] * rng.choice((1, 2, 50))
        elif deed == 4 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif deed == 5:
            data[at:end] = rng.choice((b"\x00", b"\xff", b"\x7f", b"\x80")) * (end - at)
        else:
            del data[at:]
    return bytes(data)


def known_words(seed: bytes) -> list[bytes]:
    """Return the words of the game that a seed is of."""
    return COURT_WORDS if b"N:" in seed else WORDS


def words(seed: bytes, rng: random.Random) -> bytes:
    """Return words that the readers know, in any order."""
    return b" ".join(rng.choices(known_words(seed), k=rng.randrange(12)))


def inputs(seeds: list[bytes], rng: random.Random) -> Iterator[bytes]:
    """Yield one input after the other: nonsense, words, and most of them mutated seeds."""
    while True:
        kind = rng.randrange(10)
        if kind == 0:
            yield rng.randbytes(rng.choice((0, 1, 16, 200)))
        elif kind == 1:
            yield words(rng.choice(seeds), rng)
        else:
            yield mutated(rng.choice(seeds), rng)


# --- Readers -------------------------------------------------------------------------------------


def read_protocol(data: bytes, rng: random.Random) -> bool:
    """Tell a session the lines; whatever they are it must be there afterwards."""
    said: list[str] = []
    session = Session(said.append)
    for line in data.split(b"\n")[:40]:
        session.handle(line)
        if rng.random() < 0.5 and not session.endless:
            session.stop()
    session.handle(b"stop")
    bad = [line for line in said if "internal" in line or not line.isprintable()]
    if bad:
        raise AssertionError(bad[0])
    began = len(said)
    session.handle(b"isready")
    if said[began:] != ["readyok"]:
        raise AssertionError(said[began:])
    return not any(line.startswith("error") for line in said)


def read_answers(data: bytes, rng: random.Random) -> object:
    """Read what a client reads of an engine."""
    return rng.choice((Info, Option)).parse(data.decode("utf-8", "replace").split())


def read_notation(data: bytes, rng: random.Random) -> object:
    """Read a deal, a position, a move, a card, a hand or a variant; read again what is written."""
    text = data.decode("utf-8", "surrogateescape" if rng.random() < 0.2 else "replace")
    variant = mate.Variant.of(rng.choice(VARIANTS))
    lang = rng.choice(("en", "en", "pt", "fr", "de"))
    kind = rng.randrange(6)
    if kind == 0:
        deal = mate.Deal.parse(text, variant.deck, lang)
        return mate.Deal.parse(str(deal), variant.deck) == deal or 1 / 0
    if kind == 1:
        position = mate.Position.parse(text, variant, lang)
        return mate.Position.parse(str(position), variant) == position or 1 / 0
    if kind == 2:
        return notation.parse_move(text, variant, lang)
    if kind == 3:
        return notation.parse_card(text, variant.deck, lang)
    if kind == 4:
        return notation.parse_hand(text, variant.deck, lang)
    return mate.Variant.of(text)


def read_records(data: bytes, rng: random.Random) -> bool:
    """Read records; write those that are sound, and read them again."""
    found = list(mate.parse_records(data.decode("utf-8", "replace")))
    sound = [record for record in found if isinstance(record, mate.Record)]
    for record in sound:
        text = mate.write_record(record)
        again = list(mate.parse_records(text))
        if len(again) != 1 or not isinstance(again[0], mate.Record):
            raise AssertionError(f"{text!r} comes back as {again}")
    return len(found) == len(sound)


def read_court_notation(data: bytes, rng: random.Random) -> object:
    """Read a deal, a move, cards, a trump or a variant of Court Piece; push what may be a move."""
    text = data.decode("utf-8", "surrogateescape" if rng.random() < 0.2 else "replace")
    kind = rng.randrange(5)
    if kind == 0:
        deal = court_piece.Deal.parse(text)
        return court_piece.Deal.parse(str(deal)) == deal or 1 / 0
    if kind == 1:
        court_piece.Hand(court_piece.Deal.random(1), trump=rng.choice((None, "S"))).push(text)
        return True
    if kind == 2:
        return len(court_notation.parse_cards(text)) >= 0
    if kind == 3:
        return court_notation.parse_trump(text)
    return court_piece.Variant.of(text)


def read_court_records(data: bytes, rng: random.Random) -> bool:
    """Read records of Court Piece; write those that are sound, and read them again."""
    text = data.decode("utf-8", "replace")
    found = list(court_piece.parse_records(text))
    deals = list(court_piece.parse_deals(text))
    sound = [record for record in found if isinstance(record, court_piece.Record)]
    if len(deals) != len(found):
        raise AssertionError(f"{len(deals)} deals where {len(found)} records are")
    for record in sound:
        again = list(court_piece.parse_records(court_piece.write_record(record)))
        if again != [record]:
            raise AssertionError(f"{record} comes back as {again}")
    return len(found) == len(sound)


def file_reader(name: str, read: Callable[[Path], object]) -> Reader:
    """Return a reader of bytes through a file of a name."""
    directory = tempfile.TemporaryDirectory()

    def reader(data: bytes, rng: random.Random, directory=directory) -> object:
        path = Path(directory.name) / name
        path.unlink(missing_ok=True)  # another file: the one before may be mapped
        path.write_bytes(data)
        return read(path)

    return reader


def read_tablebase(path: Path) -> object:
    """Open a tablebase and look through all of it."""
    tablebase = mate.Tablebase.open(path)
    return tablebase.stats()


def resealed(reader: Reader) -> Reader:
    """Return a reader that half of the time is given a header whose checksum is right."""

    def read(data: bytes, rng: random.Random) -> object:
        if rng.random() < 0.5 and len(data) >= PREFIX.size:
            length = struct.unpack_from("<I", data, 12)[0]
            text = data[PREFIX.size : PREFIX.size + length]
            prefix = PREFIX.pack(MAGIC, 1, length, sha256(text).digest())
            data = prefix + data[PREFIX.size :]
        return reader(data, rng)

    return read


def readers() -> dict[str, tuple[Reader, list[bytes]]]:
    """Return every reader by name, and what its inputs are made from."""
    found: dict[str, tuple[Reader, list[bytes]]] = {
        "protocol": (read_protocol, protocol_seeds()),
        "answers": (read_answers, [str(option).encode()[7:] for option in OPTIONS]
                    + [b"depth 2 exact no value -30 nodes 17 time 0 line 7c 7s"]),
        "notation": (read_notation, notation_seeds()),
        "records": (read_records, record_seeds()),
        "court": (read_court_notation, court_seeds()),
        "court.pbn": (read_court_records, court_record_seeds()),
        "tablebase": (resealed(file_reader("fuzz.mtb", read_tablebase)),
                      [(DATA / "golden.mtb").read_bytes()]),
    }  # fmt: skip
    for form in ("npz", "parquet"):
        seeds = [(DATA / f"golden_{kind}.{form}").read_bytes() for kind in ("plain", "labelled")]
        found[form] = file_reader(f"fuzz.{form}", lambda path: list(mate.read_games(path))), seeds
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        del found["parquet"]
    return found


def protocol_seeds() -> list[bytes]:
    """Return the conversations of the protocol's page."""
    page = (Path(__file__).parents[1] / "docs" / "protocol.md").read_text("utf-8")
    blocks = [block.split("```")[0] for block in page.split("```text\n")[1:]]
    told = [[line[2:] for line in block.splitlines() if line[0] == ">"] for block in blocks]
    return ["\n".join(lines).encode() for lines in told] + [
        line.encode() for lines in told for line in lines
    ]


def notation_seeds() -> list[bytes]:
    """Return deals, positions, moves and variants as they are written."""
    rng, seeds = random.Random(1), [text.encode() for text in VARIANTS]
    for text in VARIANTS:
        variant = mate.Variant.of(text)
        game = mate.Game(mate.Deal.random(rng.randrange(100), variant.deck), variant)
        seeds.append(str(mate.Deal.random(rng.randrange(100), variant.deck)).encode())
        while not game.is_over:
            seeds.append(str(game).encode())
            game.push(rng.choice(game.legal_moves))
            seeds.append(game.moves[-1].encode())
    return seeds


def record_seeds() -> list[bytes]:
    """Return records of random games of every variant."""
    rng, seeds = random.Random(2), []
    for text in VARIANTS:
        variant = mate.Variant.of(text)
        round = mate.Round(mate.Deal.random(rng.randrange(100), variant.deck), variant)
        round.play(mate.Player.of("random", 1), mate.Player.of("random", 2))
        texts = [mate.write_record(mate.Record.of(game)) for game in round.games]
        seeds += ["\n".join(texts).encode(), texts[0].encode()]
    return seeds


def court_hands() -> Iterator[court_piece.Hand]:
    """Yield hands of Court Piece of every preset, played to their ends."""
    rng = random.Random(3)
    for text in (*court_piece.PRESETS, "seed,trump=second_batch", "double-sir,chase=optional"):
        deal = court_piece.Deal.random(rng.randrange(100), rng.randrange(4), text)
        hand = court_piece.Hand(deal, text)
        while not hand.is_over:
            hand.push(rng.choice(hand.legal_moves))
        yield hand


def court_seeds() -> list[bytes]:
    """Return deals, hands, moves and variants of Court Piece as they are written."""
    seeds = [text.encode() for text in court_piece.PRESETS]
    for hand in court_hands():
        seeds += [str(hand.deal).encode(), str(hand.deal.hands[0]).encode(), b"H", b"NT"]
        seeds += [move.encode() for move in hand.moves[:5]]
    return seeds


def court_record_seeds() -> list[bytes]:
    """Return records of Court Piece, deals in PBN, deals in lines, and columns as of bridge."""
    hands = list(court_hands())
    records = [court_piece.write_record(court_piece.Record.of(hand)) for hand in hands]
    deals = [court_piece.write_deal(hand.deal) for hand in hands]
    lines = [str(hand.deal) for hand in hands]
    hand = hands[0]
    start = f'% PBN\n[Deal "{hand.deal}"]\n[Dealer "{hand.dealer}"]\n[Trump "{hand.trump}"]\n'
    columns = [[trick.by_seat[(hand.caller + n) % 4] for n in range(4)] for trick in hand.tricks]
    played = f'[Play "{hand.caller}"]\n' + "\n".join(map(" ".join, columns)) + "\n*\n"
    texts = [*records, "\n".join(records[:3]), "\n".join(deals), "\n".join(lines), start + played]
    return [text.encode() for text in texts]


# --- Running -------------------------------------------------------------------------------------


def fuzz(
    reader: Reader, seeds: list[bytes], rng: random.Random, count: int, seconds: float
) -> tuple[int, int, list[tuple[bytes, str]]]:
    """Give a reader inputs; return how many, how many it took, and those that broke it and how."""
    since, taken, broken = time.monotonic(), 0, []
    for tried, data in enumerate(inputs(seeds, rng)):
        if tried == count or time.monotonic() - since > seconds or len(broken) == 5:
            return tried, taken, broken
        try:
            taken += bool(reader(data, rng))
        except mate.MateError:
            pass
        except Exception:
            broken.append((data, traceback.format_exc()))
    raise AssertionError("inputs have no end")


def main() -> None:
    """Fuzz all readers, each for its share of the time."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=float, default=300, help="in all")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    all_readers, failed = readers(), False
    print(f"{'reader':10} {'inputs':>10} {'taken':>10} {'broken':>7}", flush=True)
    for name, (reader, seeds) in all_readers.items():
        share = options.seconds / len(all_readers)
        rng = random.Random(f"{options.seed} {name}")
        tried, taken, broken = fuzz(reader, seeds, rng, 10**9, share)
        print(f"{name:10} {tried:10} {taken:10} {len(broken):7}", flush=True)
        for data, how in broken:
            failed = True
            print(f"{data[:3000]!r}\n{how}", flush=True)
    raise SystemExit(failed)


if __name__ == "__main__":
    main()
