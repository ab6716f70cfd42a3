"""Court Piece again, slowly, from the text of its rules: the oracle of all that is fast.

Cards and moves are texts (`AS`, a suit `S` to name it trump, `stop`, `on`), hands are sorted tuples
of cards, states are tuples that never change. Nothing here comes from mate or from matecore.
"""

from dataclasses import dataclass
from typing import NamedTuple

SUITS = "SHDC"
RANKS = "AKQJT98765432"
PACK = tuple(rank + suit for suit in SUITS for rank in RANKS)
HEIGHT = {card: RANKS.index(card[0]) for card in PACK}  # 0 is the highest
NO_TRUMP = "N"


@dataclass(frozen=True)
class Rules:
    """The options that decide how a hand goes (section 2)."""

    collection: str = "plain"  # plain, double, double_team
    court: tuple = ("thirteen",)  # thirteen, first_seven, or both of them
    chase: str = "forced"  # forced, optional, none
    points: tuple = (1, 3, 1, 3)
    blocked: tuple = ()
    ace_rule: bool = False
    restart: bool = True


class State(NamedTuple):
    """All there is to know of a hand at some moment; `leader` won the trick before.

    Under plain collection `collected` is `won`.
    """

    hands: tuple  # of four sorted tuples of cards
    caller: int
    trump: str | None  # None until it is named
    leader: int
    table: tuple = ()
    won: tuple = (0, 0)
    collected: tuple = (0, 0)
    pile: int = 0
    armed: int | None = None
    by_ace: bool = False
    chasing: bool = False
    stopped: bool = False


def begin(hands, caller, trump=None):
    """Return the state before the first card."""
    return State(tuple(tuple(sorted(hand)) for hand in hands), caller, trump, caller)


# --- Dealing (1.2) -------------------------------------------------------------------------------


def deal(pack, dealer):
    """Return the hands from a pack, each in the order in which its cards came."""
    left = list(pack)
    hands = [[] for _ in range(4)]
    for packet in (5, 4, 4):
        for step in range(4):
            seat = (dealer + 1 + step) % 4
            hands[seat] += left[:packet]
            left = left[packet:]
    return hands


def is_dealt_again(first_five, redeal_below):
    """Whether all of the caller's first five cards are below a rank."""
    return all(RANKS.index(card[0]) > RANKS.index(redeal_below) for card in first_five)


def longest_suit(hand):
    """Return the longest suit, of equally long ones that with the higher cards, then by S H D C."""

    def worth(suit):
        heights = sorted(HEIGHT[card] for card in hand if card[1] == suit)
        return [-len(heights), *heights]

    return min(SUITS, key=worth)  # the first of equals


# --- The play ------------------------------------------------------------------------------------


def n_tricks(state):
    """How many tricks are finished."""
    return sum(state.won)


def to_act(rules, state):
    """Return the seat to act."""
    if state.trump is None:
        return state.caller
    return (state.leader + len(state.table)) % 4


def must_decide(rules, state):
    """Whether the side with seven tricks to none is asked whether it plays on (chase optional)."""
    asked = rules.collection == "plain" and rules.court == ("thirteen",)
    seven = n_tricks(state) == 7 and 7 in state.won and not state.table
    decided = state.chasing or state.stopped
    return asked and rules.chase == "optional" and seven and not decided


def playable(state):
    """Return the cards that may be played: of the suit led, or any (1.3)."""
    hand = state.hands[(state.leader + len(state.table)) % 4]
    if state.table:
        suit = state.table[0][1]
        following = [card for card in hand if card[1] == suit]
        if following:
            return following
    return list(hand)


def legal(rules, state):
    """Return the legal moves."""
    if outcome(rules, state):
        return []
    if state.trump is None:
        return list(SUITS)
    if must_decide(rules, state):
        return ["stop", "on"]
    return playable(state)


def best_of(table, trump):
    """Return which card of a trick wins it, as its number in the order of play."""
    best = 0
    for number, card in enumerate(table):
        champion = table[best]
        if card[1] == champion[1]:
            if HEIGHT[card] < HEIGHT[champion]:
                best = number
        elif card[1] == trump:
            best = number
    return best


def play(rules, state, move):
    """Return the state after a legal move."""
    if move in SUITS and len(move) == 1:
        return state._replace(trump=move)
    if move == "stop":
        return state._replace(stopped=True)
    if move == "on":
        return state._replace(chasing=True)
    return play_card(rules, state, move)


def play_card(rules, state, card):
    """Return the state after a card; whether the hand is over by then is no matter here."""
    seat = (state.leader + len(state.table)) % 4
    hands = tuple(
        tuple(other for other in hand if other != card) if number == seat else hand
        for number, hand in enumerate(state.hands)
    )
    state = state._replace(hands=hands, table=(*state.table, card))
    return finish_trick(rules, state) if len(state.table) == 4 else state


def finish_trick(rules, state):
    """Give the trick on the table to its winner, and what he may collect to his side."""
    number = best_of(state.table, state.trump)
    winner = (state.leader + number) % 4
    return credit(rules, state._replace(table=(), leader=winner), winner, state.table[number])


def credit(rules, state, winner, card):
    """Count a trick that `winner` won with this card."""
    side = winner % 2
    won = _more(state.won, side, 1)
    state = state._replace(won=won)
    if rules.collection == "plain":
        return state._replace(collected=won)
    state = state._replace(pile=state.pile + 1)
    last = not any(state.hands)
    if last or claims(rules, state, winner, card):
        collected = _more(state.collected, side, state.pile)
        armed = None if rules.restart else winner
        state = state._replace(collected=collected, pile=0, armed=armed)
    else:
        state = state._replace(armed=winner)
    return state._replace(by_ace=card[0] == "A")


def claims(rules, state, winner, card):
    """Whether a trick, counted in `won`, gives its winner what lies in the centre."""
    if n_tricks(state) in rules.blocked or state.armed is None:
        return False
    if rules.collection == "double" and state.armed != winner:
        return False
    if rules.collection == "double_team" and state.armed % 2 != winner % 2:
        return False
    two_aces = state.by_ace and card[0] == "A"
    return not (rules.ace_rule and two_aces)


def _more(pair, side, count):
    changed = list(pair)
    changed[side] += count
    return tuple(changed)


def collect(rules, winners, aces=()):
    """Return what the sides collect if these seats win the tricks, some of them with aces.

    `aces` are the numbers of those tricks, from 1.
    """
    state = State((("",),) * 4, 0, "S", 0)
    for number, winner in enumerate(winners, start=1):
        if number == 13:
            state = state._replace(hands=((),) * 4)
        state = credit(rules, state, winner, "AS" if number in aces else "2S")
    return state.collected


def run_and_piles(winners):
    """Return whose run lies on the table, how long it is, and the piles of both sides (1.4)."""
    owner, run, piles = None, 0, [0, 0]
    for winner in winners:
        if owner is not None and winner % 2 != owner:
            piles[owner] += run
            run = 0
        owner = winner % 2
        run += 1
    return owner, run, tuple(piles)


# --- The end (1.5 and section 2) -----------------------------------------------------------------


def outcome(rules, state):
    """Return (winning side, whether it is a court) when the hand is over, else None."""
    if state.table or state.trump is None:
        return None
    for side in (0, 1):
        if "first_seven" in rules.court and n_tricks(state) == 7 and state.won[side] == 7:
            return side, True
    if rules.collection == "plain":
        return _plain_outcome(rules, state)
    return _double_outcome(rules, state)


def _plain_outcome(rules, state):
    for side in (0, 1):
        mine, others = state.won[side], state.won[1 - side]
        if mine >= 7 and (others or rules.court != ("thirteen",)):
            return side, False
        if mine == 13:
            return side, rules.chase != "none"
        if mine >= 7 and (rules.chase == "none" or state.stopped):
            return side, False
    return None


def _double_outcome(rules, state):
    for side in (0, 1):
        mine, others = state.collected[side], state.collected[1 - side]
        if mine >= 7 and others:
            return side, False
        if mine >= 7 and "thirteen" not in rules.court:
            return side, False
        if mine == 13:
            return side, True
    return None


def points(rules, state):
    """Return the points of the sides in a hand that is over."""
    winner, court = outcome(rules, state)
    called = winner == state.caller % 2
    worth = rules.points[(0 if called else 2) + court]
    return (worth, 0) if winner == 0 else (0, worth)


def next_dealer(rotation, dealer, winner, court):
    """Return who deals the next hand (1.6 and section 3); the caller sits after the dealer."""
    caller = (dealer + 1) % 4
    if winner != caller % 2:
        return (dealer + 1) % 4
    if rotation == "pagat" and court:
        return (dealer + 2) % 4
    return dealer


# --- Perfect information -------------------------------------------------------------------------


def tricks(rules, state, memo=None):
    """Return how many tricks the side to act collects from here on, all thirteen being played.

    Whatever lies in the centre counts, so does the trick on the table.
    """
    return _tricks(rules, state, {} if memo is None else memo)


def _tricks(rules, state, memo):
    if not any(state.hands):
        return 0
    side = to_act(rules, state) % 2
    left = state.pile + max(map(len, state.hands))
    key = (state.hands, state.leader, state.table, state.pile, state.armed, state.by_ace)
    if key not in memo:
        best = -1
        for card in playable(state):
            after = play_card(rules, state, card)
            best = max(best, _tricks_for(rules, side, state, after, memo))
            if best == left:
                break
        memo[key] = best
    return memo[key]


def _tricks_for(rules, side, before, after, memo):
    gained = after.collected[side] - before.collected[side]
    if not any(after.hands):
        return gained
    rest = _tricks(rules, after, memo)
    if to_act(rules, after) % 2 != side:
        rest = after.pile + max(map(len, after.hands)) - rest
    return gained + rest


def values(rules, state):
    """Return for each card that may be played how many tricks the side to act then collects."""
    side, memo = to_act(rules, state) % 2, {}
    return {
        card: _tricks_for(rules, side, state, play_card(rules, state, card), memo)
        for card in playable(state)
    }


def wins_next(rules, state, side, count, memo=None):
    """Whether a side can win each of the next `count` tricks, that on the table included."""
    memo = {} if memo is None else memo
    if count <= 0:
        return True
    key = (state.hands, state.leader, state.table, count)
    if key not in memo:
        results = (_still_wins(rules, state, card, side, count, memo) for card in playable(state))
        memo[key] = any(results) if to_act(rules, state) % 2 == side else all(results)
    return memo[key]


def _still_wins(rules, state, card, side, count, memo):
    after = play_card(rules, state, card)
    if after.table:
        return wins_next(rules, after, side, count, memo)
    return after.leader % 2 == side and wins_next(rules, after, side, count - 1, memo)


def first_seven(rules, state, side):
    """Whether a side can win all of the first seven tricks, those that are played counted."""
    return not state.won[1 - side] and wins_next(rules, state, side, 7 - n_tricks(state))


def value(rules, state, memo=None):
    """Return the points of a hand for the side to act, less those of the other, at best play."""
    return _value(rules, state, {} if memo is None else memo) * (1, -1)[to_act(rules, state) % 2]


def move_values(rules, state):
    """Return the same for each legal move."""
    memo, sign = {}, (1, -1)[to_act(rules, state) % 2]
    return {
        move: sign * _value(rules, play(rules, state, move), memo) for move in legal(rules, state)
    }


def _value(rules, state, memo):
    """The value for side 0."""
    if outcome(rules, state):
        mine, others = points(rules, state)
        return mine - others
    if state not in memo:
        results = [_value(rules, play(rules, state, move), memo) for move in legal(rules, state)]
        memo[state] = max(results) if to_act(rules, state) % 2 == 0 else min(results)
    return memo[state]
