"""Make the golden files of self-play of Court Piece: `python tests/make_court_golden.py`.

Deals of some streams, by the reference alone; and a shard of five hands as npz and as Parquet, and
of Parquet the schema as text. The bytes of Parquet are those of one version of pyarrow, told beside
them.
"""

import json
from importlib.util import find_spec
from pathlib import Path

from court_games import game_of
from court_selfplay_reference import deal
from mate.arrays.places import Directory
from mate.arrays.shardmaking import FORMATS, Run, bytes_of_shard
from mate.arrays.shards import run_to
from mate.court_piece import Variant
from mate.court_piece.selfplaying import SelfPlay
from selfplay_reference import Stream

DATA = Path(__file__).parent / "data"
TOLD, DEALS = DATA / "court_golden_shards.json", DATA / "court_deal_vectors.json"
RUNS = {
    "seed": SelfPlay(Variant.of("seed"), seed=5),
    "sir": SelfPlay(Variant.of("double-sir,trump=second_batch"), "greedy", "random", 6, 2),
}
COUNT = 5
VECTORS = [
    (0, 0, "seed"), (0, 1, "seed"), (1, 2, "seed"), (2**64 - 1, 2**64 - 1, "seed"),
    (7, 3, "seed,redeal_below=A"), (8, 5, "seed,redeal_below=A"), (9, 2**40, "hokm"),
    (3, 9, "seed,trump=second_batch"), (4, 9, "seed,trump=second_batch,redeal_below=K"),
]  # fmt: skip


def run_of(name: str, form: str) -> Run:
    """Return a golden run: one shard, the second of a longer run of the same hands."""
    return run_to(Directory(DATA), RUNS[name], 2 * COUNT, COUNT, form)


def shard(name: str, form: str) -> bytes:
    """Return the bytes of a golden shard as they are made now."""
    run = run_of(name, form)
    return bytes_of_shard(run, 1, run.carried.plan.play(*run.range_of(1)))


def has_pyarrow() -> bool:
    """Whether Parquet can be written here."""
    return find_spec("pyarrow") is not None


def path_of(name: str, form: str) -> Path:
    """Return where a golden shard is kept."""
    return DATA / f"court_golden_{name}.{form}"


def vectors() -> list[dict[str, object]]:
    """Return deals by the reference, the cards of each seat in the order drawn."""
    found = []
    for seed, hand, text in VECTORS:
        hands = deal(game_of(Variant.of(text)), Stream(seed, hand), hand % 4)
        cards = [" ".join(cards) for cards in hands]
        found.append({"seed": seed, "hand": hand, "variant": text, "deal": cards})
    return found


def main() -> None:
    import pyarrow
    import pyarrow.parquet as pq

    DEALS.write_text(json.dumps(vectors(), indent=1) + "\n", encoding="utf-8")
    told = {"pyarrow": pyarrow.__version__, "schemas": {}}
    for name in RUNS:
        for form in FORMATS:
            path_of(name, form).write_bytes(shard(name, form))
        schema = pq.read_schema(path_of(name, "parquet")).remove_metadata()
        told["schemas"][name] = str(schema).splitlines()
    TOLD.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
