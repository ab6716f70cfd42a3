"""Self-play of Court Piece once more, slowly and from its definition: the oracle of what is fast.

The rules are those of `court_reference`, the random words those of numpy's Philox. Nothing here is
of the engine. A policy is given what its seat may know, and nothing else.

>>> play_hands(Game(), 1, seed=1)["points"].tolist()
[[0, 1]]
"""

from dataclasses import dataclass, field

import numpy as np

import court_reference as court
from court_reference import PACK, RANKS, SUITS
from selfplay_reference import Stream

NUMBER = {card: number for number, card in enumerate(PACK)}
NAMING, STOP, ON = 52, 56, 57
MOVES = [*PACK, *SUITS, "stop", "on"]


@dataclass(frozen=True)
class Game:
    """What is played: the rules of a hand, how trump is chosen, what is dealt again."""

    rules: court.Rules = field(default_factory=court.Rules)
    trump: str = "first_five"  # first_five, second_batch, longest
    redeal_below: str | None = None

    @property
    def plies(self):
        """How many moves the longest hand has."""
        asks = self.rules.collection == "plain" and self.rules.chase == "optional"
        return 52 + (self.trump == "first_five") + asks


# --- Dealing -------------------------------------------------------------------------------------


def draw(stream, pack, n):
    """So many cards of the pack, which loses them: of those left, by their number, any."""
    return [pack.pop(stream.below(len(pack))) for _ in range(n)]


def deal(game, stream, caller):
    """The cards of each seat in the order drawn, the caller's first five before his others."""
    pack = list(PACK)
    first = draw(stream, pack, 5)
    while game.redeal_below and court.is_dealt_again(first, game.redeal_below):
        pack = list(PACK)
        first = draw(stream, pack, 5)
    hands = {caller: first + draw(stream, pack, 8)}
    for step in (1, 2, 3):
        hands[(caller + step) % 4] = draw(stream, pack, 13) if step < 3 else pack
    return [hands[seat] for seat in range(4)]


def trump_of(game, hand):
    """The suit that is trump without anybody's choice, else None."""
    if game.trump == "second_batch":
        return hand[5][1]
    return court.longest_suit(hand) if game.trump == "longest" else None


# --- What a seat may know ------------------------------------------------------------------------


@dataclass(frozen=True)
class Seen:
    """What the player to act has seen: his cards, those played, the trick, the trump.

    `legal` are his moves; `holder` is who wins the trick so far, None before a lead. While trump is
    to be named the hand is the first five cards.
    """

    seat: int
    hand: tuple
    played: frozenset
    table: tuple
    holder: int | None
    trump: str | None
    legal: tuple


def seen_by(rules, state, seat, first_five, played):
    """What a seat may know when it is to act."""
    hand = state.hands[seat] if state.trump else tuple(first_five)
    holder = None
    if state.table:
        holder = (state.leader + court.best_of(state.table, state.trump)) % 4
    legal = tuple(sorted(court.legal(rules, state), key=MOVES.index))
    return Seen(seat, hand, frozenset(played), state.table, holder, state.trump, legal)


# --- Policies ------------------------------------------------------------------------------------


def any_move(seen, stream):
    """A legal move, each as likely."""
    return seen.legal[stream.below(len(seen.legal))]


def height(card):
    """0 of a deuce to 12 of an ace."""
    return 12 - RANKS.index(card[0])


def greedy(seen, _stream):
    """Names the longest suit, plays on, wins cheaply, leads winners, keeps trumps."""
    if seen.trump is None:
        return court.longest_suit(seen.hand)
    if "on" in seen.legal:
        return "on"
    return greedy_reply(seen) if seen.table else greedy_lead(seen)


def greedy_lead(seen):
    """A card that only a trump can beat, or the lowest of the longest suit; of trumps the highest.

    The first is of the suit, trump excepted, of which the others have most cards left.
    """
    others = [card for card in PACK if card not in seen.hand and card not in seen.played]
    side = [card for card in seen.hand if card[1] != seen.trump]
    if not side:
        return max(seen.hand, key=height)
    sure = []
    for suit in SUITS:
        mine = [card for card in side if card[1] == suit]
        theirs = [card for card in others if card[1] == suit]
        if mine:
            best = max(mine, key=height)
            if all(height(card) < height(best) for card in theirs):
                sure.append((len(theirs), best))
    if sure:
        return max(sure, key=lambda pair: pair[0])[1]  # the first of equals
    longest = max(SUITS, key=lambda suit: sum(card[1] == suit for card in side))
    return min((card for card in side if card[1] == longest), key=height)


def greedy_reply(seen):
    """The cheapest card that wins over an opponent's, else the cheapest."""
    if seen.holder % 2 != seen.seat % 2:
        winning = [card for card in seen.legal if wins(seen, card)]
        if winning:
            return cheapest(seen, winning)
    return cheapest(seen, seen.legal)


def wins(seen, card):
    """Whether a card wins the trick as it is so far."""
    return court.best_of((*seen.table, card), seen.trump) == len(seen.table)


def cheapest(seen, cards):
    """No trump if there is another; the lowest; of the longest suit in the hand; the first."""
    side = [card for card in cards if card[1] != seen.trump] or list(cards)
    lowest = min(map(height, side))

    def length(card):
        return sum(other[1] == card[1] for other in seen.hand)

    equal = sorted((card for card in side if height(card) == lowest), key=NUMBER.get)
    return max(equal, key=length)


POLICIES = {"random": any_move, "greedy": greedy}


# --- Hands ---------------------------------------------------------------------------------------


@dataclass
class Played:
    """A hand that was played."""

    hands: list
    first_five: list
    turned: str | None
    caller: int
    state: court.State
    moves: list = field(default_factory=list)
    to_act: list = field(default_factory=list)
    n_legal: list = field(default_factory=list)


def play_hand(game, stream, caller, policies):
    """A hand to its end."""
    hands = deal(game, stream, caller)
    first_five = hands[caller][:5]
    turned = hands[caller][5] if game.trump == "second_batch" else None
    state = court.begin(hands, caller, trump_of(game, hands[caller]))
    hand, rules = Played(hands, first_five, turned, caller, state), game.rules
    while court.legal(rules, hand.state):
        seat, played = court.to_act(rules, hand.state), [m for m in hand.moves if m in NUMBER]
        seen = seen_by(rules, hand.state, seat, first_five, played)
        move = POLICIES[policies[seat % 2]](seen, stream)
        hand.moves.append(move)
        hand.to_act.append(seat)
        hand.n_legal.append(len(seen.legal))
        hand.state = court.play(rules, hand.state, move)
    return hand


def play_hands(game, count, a="random", b="random", seed=0, *, caller=None, first=0, stream=0):
    """The arrays of `Hands` for the hands first .. first + count - 1, and who acted among what."""
    hands = []
    for i in range(first, first + count):
        seat = i % 4 if caller is None else caller
        hands.append(play_hand(game, Stream(seed, i, stream), seat, (a, b)))
    return arrays(game, hands)


def arrays(game, hands):
    """Hands as arrays, short ones filled up."""

    def mask(cards):
        return sum(1 << NUMBER[card] for card in cards)

    def rows(lists, filler):
        filled = [row + [filler] * (game.plies - len(row)) for row in lists]
        return np.array(filled, dtype=np.int8).reshape(len(hands), game.plies)

    def numbers(values):
        return np.array(values, dtype=np.int8)

    states = [hand.state for hand in hands]
    ends = [court.outcome(game.rules, state) for state in states]
    turned = [-1 if hand.turned is None else NUMBER[hand.turned] for hand in hands]
    pairs = (len(hands), 2)
    return {
        "hands": np.array([[mask(h) for h in hand.hands] for hand in hands], np.uint64),
        "first_five": np.array([mask(hand.first_five) for hand in hands], np.uint64),
        "turned": numbers(turned),
        "caller": numbers([hand.caller for hand in hands]),
        "trump": numbers([SUITS.index(state.trump) for state in states]),
        "moves": rows([[MOVES.index(move) for move in hand.moves] for hand in hands], -1),
        "collected": numbers([state.collected for state in states]).reshape(pairs),
        "points": numbers([court.points(game.rules, state) for state in states]).reshape(pairs),
        "winner": numbers([winner for winner, _ in ends]),
        "court": numbers([is_court for _, is_court in ends]),
        "to_act": rows([hand.to_act for hand in hands], -1),
        "n_legal": rows([hand.n_legal for hand in hands], 0),
    }
