"""Writes the exact values that the engine is tested against, worked out by the slow reference.

    python tests/make_values.py [values|endings|foreplacing ...]

Each file of tests/data has a JSON object a line; a margin belongs to the leader in values.jsonl,
elsewhere to the player to act, who is also the one that makes the moves.

    values.jsonl        variant, deal, x_leads, y_leads: whole deals
    endings.jsonl       variant, position, value, moves: at most five cards a hand
    foreplacing.jsonl   the same before a decision on foreplacing; "deck", where it is there,
                        replaces the variant's deck

Some twenty minutes with PyPy, whose numbers are the same; a second run writes the same files.
"""

from __future__ import annotations

import json
import random
import sys
import time
from dataclasses import replace
from pathlib import Path

from reference import (
    PRESETS,
    UNDECIDED,
    VARIANTS,
    State,
    Variant,
    after,
    forced_replies,
    legal,
    move_values,
    solve,
    start,
    write_deal,
    write_position,
)

DATA = Path(__file__).with_name("data")
DEALS = {**dict.fromkeys(PRESETS, 200), "double24": 30}
ENDINGS = 300  # a preset
ENDING_CARDS = 5  # at most, in either hand
DECISIONS = {"whole": 10, "small": 40}  # deals a deck and preset; each gives two positions
SMALL_DECKS = {
    "double": [
        ("A7", "AA", "K7", "KK"),
        ("A77", "AK7", "AAK", "KK7"),
        ("AT77", "AKK7", "ATT7", "AAK7"),
    ],
    None: [("AT",) * 4, ("AT7",) * 4, ("AKQ7",) * 4],
}


def random_deal(variant: Variant, rng: random.Random) -> str:
    """A deal of the whole deck, each as likely."""
    cards = list(range(2 * variant.hand_size))
    rng.shuffle(cards)
    half = variant.hand_size
    hands = [tuple(variant.cards[i] for i in sorted(h)) for h in (cards[:half], cards[half:])]
    return write_deal(hands, variant)


def random_move(state: State, rng: random.Random) -> str:
    """Any legal move, but so that foreplacing by one alone and an unspent free move are common."""
    moves = legal(state)
    if "*-" in moves:
        first = state.foreplaced == (UNDECIDED, UNDECIDED)
        return "*-" if rng.random() < (0.25 if first else 0.5) else rng.choice(moves)
    if state.free and state.led and rng.random() < 0.8:
        moves = forced_replies(state)
    return rng.choice(moves)


def random_game(name: str, rng: random.Random) -> list[State]:
    """The states of a game of random moves, from the deal to the end."""
    variant = VARIANTS[name]
    state = start(variant, random_deal(variant, rng), rng.choice("xy"))
    states = [state]
    while legal(state):
        state = after(state, random_move(state, rng))
        states.append(state)
    return states


def random_ending(name: str, rng: random.Random) -> State:
    """A state, not yet over, with few cards left, out of a random game."""
    while True:
        endings = [
            state
            for state in random_game(name, rng)[:-1]
            if max(map(len, state.hands)) <= ENDING_CARDS
        ]
        if endings:
            return rng.choice(endings)


def described(name: str, state: State, memo: dict) -> dict:
    """A position with its value and those of its moves."""
    moves = move_values(state, memo)
    position = write_position(state)
    return {"variant": name, "position": position, "value": max(moves.values()), "moves": moves}


def values():
    """Whole deals with the leader's margin for either leader."""
    for name, count in DEALS.items():
        rng = random.Random(f"values {name}")
        for _ in range(count):
            deal = random_deal(VARIANTS[name], rng)
            x_leads, y_leads = solve(deal, name)
            yield {"variant": name, "deal": deal, "x_leads": x_leads, "y_leads": y_leads}


def endings():
    """Endings of random games, no position twice."""
    for name in PRESETS:
        rng = random.Random(f"endings {name}")
        seen: dict[str, State] = {}
        while len(seen) < ENDINGS:
            state = random_ending(name, rng)
            seen.setdefault(write_position(state), state)
        for state in seen.values():
            yield described(name, state, {})


def foreplacing():
    """Both decisions on foreplacing: the first, and the second after a random first."""
    for name, variant in PRESETS.items():
        if variant.foreplace is None:
            continue
        for deck in (*SMALL_DECKS.get(name, SMALL_DECKS[None]), None):
            rng = random.Random(f"foreplacing {name} {deck}")
            chosen = replace(variant, deck=deck) if deck else variant
            for _ in range(DECISIONS["small" if deck else "whole"]):
                first = start(chosen, random_deal(chosen, rng), rng.choice("xy"))
                second = after(first, rng.choice(legal(first)[:-1]))
                if variant.foreplace.second_alone and rng.random() < 0.25:
                    second = after(first, "*-")
                memo: dict = {}
                for state in (first, second):
                    extra = {"deck": deck} if deck else {}
                    yield {**described(name, state, memo), **extra}


def main(wanted: list[str]) -> None:
    """Writes the files wanted, or all, each line as soon as it is known."""
    for make in (endings, values, foreplacing):
        if wanted and make.__name__ not in wanted:
            continue
        began = time.monotonic()
        with open(DATA / f"{make.__name__}.jsonl", "w", encoding="utf-8") as out:
            for count, line in enumerate(make(), 1):
                out.write(json.dumps(line, separators=(",", ":")) + "\n")
                out.flush()
                if count % 50 == 0:
                    seconds = time.monotonic() - began
                    print(f"{make.__name__}: {count} lines, {seconds:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
