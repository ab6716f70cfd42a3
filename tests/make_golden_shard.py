"""Make the golden shards of tests/test_shards.py: `python tests/make_golden_shard.py`.

Five games, and three rounds with labels; of each the bytes as npz and as Parquet, and of Parquet
the schema as text. The bytes of Parquet are those of one version of pyarrow, told beside them.
"""

import json
from importlib.util import find_spec
from pathlib import Path

from mate.arrays.places import Directory
from mate.arrays.selfplaying import SelfPlay
from mate.arrays.shardmaking import FORMATS, Run, bytes_of_shard
from mate.arrays.shards import run_to

DATA = Path(__file__).parent / "data"
TOLD = DATA / "golden_shards.json"
RUNS = {
    "plain": {"seed": 5},
    "labelled": {"x": "greedy", "variant": "pieces", "seed": 6, "unit": "round", "labels": True},
}
COUNTS = {"plain": 5, "labelled": 3}


def run_of(name: str, form: str) -> Run:
    """Return a golden run: one shard, the second of a longer run of the same games."""
    plan = SelfPlay.of(**RUNS[name])
    return run_to(Directory(DATA), plan, 2 * COUNTS[name], COUNTS[name], form)


def shard(name: str, form: str) -> bytes:
    """Return the bytes of a golden shard as they are made now."""
    run = run_of(name, form)
    return bytes_of_shard(run, 1, run.carried.plan.play(*run.range_of(1)))


def has_pyarrow() -> bool:
    """Whether Parquet can be written here."""
    return find_spec("pyarrow") is not None


def path_of(name: str, form: str) -> Path:
    """Return where a golden shard is kept."""
    return DATA / f"golden_{name}.{form}"


def main() -> None:
    import pyarrow
    import pyarrow.parquet as pq

    told = {"pyarrow": pyarrow.__version__, "schemas": {}}
    for name in RUNS:
        for form in FORMATS:
            path_of(name, form).write_bytes(shard(name, form))
        schema = pq.read_schema(path_of(name, "parquet")).remove_metadata()
        told["schemas"][name] = str(schema).splitlines()
    TOLD.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
