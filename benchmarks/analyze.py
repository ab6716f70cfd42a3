"""`mate analyze` as a whole process: seconds from the shell's point of view."""

import subprocess
import sys

from report import arguments, median_seconds, report

DEAL = "ATK.Q7.A.TKQ7"
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "mate analyze": [sys.executable, "-m", "mate", "analyze", DEAL],
    "mate analyze --json": [sys.executable, "-m", "mate", "analyze", "--json", DEAL],
    "mate analyze --variant capellen": [
        sys.executable, "-m", "mate", "analyze", "--variant", "capellen", DEAL,
    ],
}  # fmt: skip


def main() -> None:
    """Measure each command."""
    options = arguments(__doc__).parse_args()
    rows = []
    for name, command in COMMANDS.items():

        def run(command: list[str] = command) -> None:
            subprocess.run(command, check=True, capture_output=True)

        seconds = median_seconds(run, options.runs)
        known = name in ("mate analyze", "mate analyze --json")
        targets = {"must": 0.35 if known else "", "aim": 0.15 if known else ""}
        rows.append({"process": name, "seconds": seconds, **targets})
    report(rows, options.json)


if __name__ == "__main__":
    main()
