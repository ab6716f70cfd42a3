"""Matches played at random, and logs of them in the shape that the site gives them.

A `Style` holds the freedoms of that shape: what is wrapped in what, numbers as text, which hands
are shown to whom, what is told twice, what else is told in between.
"""

import json
import random
from dataclasses import dataclass, replace

import mate
from pairing import random_deal

VARIANTS = ("bga", "bga-king", "bga-figure", "bga-free")
VALUES = {"7": 7, "T": 10, "Q": 12, "K": 13, "A": 14}
SUITS = {"s": 1, "h": 2, "c": 3, "d": 4}
PLAYERS = {"x": 2301, "y": 77}
NAMES = {"x": "Anna", "y": "Bert"}
TABLE = 798145204


@dataclass(frozen=True)
class Style:
    """How a log is written."""

    wrapped: str = "logs"  # or "bare", "data", "deep"
    text: bool = False  # numbers as text
    hands: str = "none"  # newHand to "x", to "both", "named" by player_id or "whose" is not told
    listed: bool = False  # the cards of newHand as a list, else as a map
    ids: bool = True  # packets have numbers, moves, notifications a uid
    table: bool = True
    twice: float = 0.0  # share of packets that come again, at once
    spectators: bool = False  # everything once more in packets of other numbers
    gaps: bool = False  # lists as maps from numbers
    noise: bool = False  # chat, states of the site's machine, new tricks
    free: bool = False  # free moves announced and taken back
    scores: bool = False


def random_style(rng: random.Random) -> Style:
    """A style with every freedom at random."""
    return Style(
        wrapped=rng.choice(["logs", "bare", "data", "deep"]),
        text=rng.random() < 0.5,
        hands=rng.choice(["none", "none", "x", "both", "named", "whose"]),
        listed=rng.random() < 0.5,
        ids=rng.random() < 0.7,
        table=rng.random() < 0.7,
        twice=rng.choice([0, 0, 0.3]),
        gaps=rng.random() < 0.2,
        noise=rng.random() < 0.5,
        free=rng.random() < 0.3,
        scores=rng.random() < 0.5,
    )


# --- Matches -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Match:
    """The games of some rounds, each with the deal of its round."""

    games: list[mate.Game]
    deals: list[mate.Deal]

    @property
    def pairs(self):
        return list(zip(self.games, self.deals, strict=True))


def random_match(variant: str, rng: random.Random, rounds: int = 2) -> Match:
    """Rounds played at random; X leads the first game."""
    games, deals, leader = [], [], "x"
    for _ in range(rounds):
        deal = random_deal(mate.Variant.of(variant), rng)
        for cards, who in ((deal, leader), (deal.exchange(), "y" if leader == "x" else "x")):
            games.append(_played(mate.Game(cards, variant, who), rng))
            deals.append(deal)
        leader = "y" if leader == "x" else "x"
    return Match(games, deals)


def _played(game: mate.Game, rng: random.Random) -> mate.Game:
    careful = rng.random() < 0.5  # then games last longer
    while not game.is_over:
        moves = game.legal_moves
        if careful and game.led is None:
            moves = [move for move in moves if not _mates(game, move)] or moves
        game.push(rng.choice(moves))
    return game


def _mates(game: mate.Game, move: str) -> bool:
    game.push(move)
    mates = game.is_mate
    game.pop()
    return mates


# --- Logs ----------------------------------------------------------------------------------------


class Writer:
    """Writes the packets of a match."""

    def __init__(self, style: Style, rng: random.Random):
        self.style, self.rng = style, rng
        self.packets: list[dict] = []
        self.move = 1
        self.totals = dict.fromkeys("xy", 0)

    def number(self, value: int):
        return str(value) if self.style.text else value

    def packet(self, *notifications: tuple[str, dict], to: str | None = None) -> None:
        """Add a packet, again if the style has it so."""
        data = [{"type": kind, "log": "", "args": args} for kind, args in notifications]
        if self.style.ids:
            data = [{"uid": f"{self.rng.getrandbits(52):x}", **told} for told in data]
        packet: dict = {
            "data": {str(i): d for i, d in enumerate(data)} if self.style.gaps else data
        }
        if self.style.table:
            packet["table_id"] = self.number(TABLE)
            packet["channel"] = f"/table/t{TABLE}"
        if to:
            packet["channel"] = f"/player/p{PLAYERS[to]}"
        if self.style.ids:
            packet |= {"packet_id": str(len(self.packets) + 1), "move_id": self.number(self.move)}
            packet |= {"packet_type": "resend", "time": "1769726974"}
        self.packets.append(packet)
        if self.style.spectators:
            for told in data:
                told = {**told, "uid": f"{self.rng.getrandbits(52):x}"}
                told["args"] = {**dict(told["args"]), "spectator": 1}
                number = f"{10**6 + len(self.packets)}"
                self.packets.append({**packet, "packet_id": number, "data": [told]})
        if self.rng.random() < self.style.twice:
            self.packets.append(packet)

    def match(self, match: Match) -> list[dict]:
        """Write all games."""
        for game in match.games:
            self.game(game)
        return self.packets

    def game(self, game: mate.Game) -> None:
        """Write the hands, the cards, the end."""
        start = game.copy()
        while start.actions:
            start.pop()
        self.show(start)
        replay = start
        for move in game.moves:
            self.move += 1
            told = self.play(replay, move)
            if replay.led is None:
                told.append(("trickWin", {"best_player_id": self.number(PLAYERS[replay.leader])}))
                if self.style.noise:
                    told.append(("newTrick", {}))
            elif replay.is_mate:
                told.append(self.points(replay, move))
            if replay.is_over and not replay.is_mate:
                told.append(("points", []))
            self.packet(*told)
            if self.style.noise:
                self.packet(("gameStateChange", {"id": 22}), ("chat", {"text": "\x1b[2J"}))
        if self.style.scores:
            self.move += 1
            self.scores(replay)

    def show(self, start: mate.Game) -> None:
        cards = {"none": "", "x": "x"}.get(self.style.hands, "xy")
        for player in cards:
            hand = start.x if player == "x" else start.y
            listed = [
                {"id": i, "type": self.number(SUITS[c[1]]), "type_arg": self.number(VALUES[c[0]])}
                for i, c in enumerate(hand, 1)
            ]
            shown = listed if self.style.listed else {str(card["id"]): card for card in listed}
            args = {"cards": shown}
            if self.style.hands == "named":
                args["player_id"] = self.number(PLAYERS[player])
            private = self.style.hands not in ("named", "whose")
            self.packet(("newHand", args), to=player if private else None)

    def play(self, replay: mate.Game, move: str) -> list[tuple[str, dict]]:
        player, told = replay.to_move, []
        if self.style.free and replay.led and self.rng.random() < 0.3:
            who = {"player_id": self.number(PLAYERS[player])}
            told += [("freeMove", who), ("cancelFreeMove", who)]
        args = {
            "player_id": self.number(PLAYERS[player]),
            "player_name": NAMES[player],
            "value": self.number(VALUES[move[0]]),
            "suit": self.number(SUITS[move[1]]),
            "card_id": "7",
        }
        replay.push(move)
        return [*told, ("playCard", args)]

    def points(self, replay: mate.Game, move: str) -> tuple[str, dict]:
        worth = abs(replay.result)
        winner = "x" if replay.result > 0 else "y"
        args = {"player_id": PLAYERS[winner], "card": worth // replay.trick}
        args |= {"tricks": replay.trick, "points": worth}
        return "points", {name: self.number(value) for name, value in args.items()}

    def scores(self, replay: mate.Game) -> None:
        self.totals["x"] += max(replay.result, 0)
        self.totals["y"] += max(-replay.result, 0)
        totals = {str(PLAYERS[p]): self.number(total) for p, total in self.totals.items()}
        self.packet(("newScores", {"newScores": totals}))


def wrap(packets: list[dict], style: Style) -> bytes:
    """The log as bytes, in what the style wraps it in."""
    players = [{"id": str(PLAYERS[p]), "name": NAMES[p]} for p in "xy"]
    body = {str(i): p for i, p in enumerate(packets)} if style.gaps else packets
    whole = {
        "bare": body,
        "logs": {"status": 1, "data": {"logs": body, "players": players}},
        "data": {"data": body},
        "deep": {"status": 1, "data": {"valid": 1, "data": body}},
    }[style.wrapped]
    return json.dumps(whole).encode()


def write_log(match: Match, style: Style | None = None, rng: random.Random | None = None) -> bytes:
    """The log of a match."""
    style, rng = style or Style(), rng or random.Random(1)
    return wrap(Writer(style, rng).match(match), style)


def packets_of(match: Match, **style) -> list[dict]:
    """The packets of a match, to be changed and wrapped by hand."""
    return Writer(replace(Style(), **style), random.Random(1)).match(match)
