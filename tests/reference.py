"""The rules of Mate, written plainly and slowly: the oracle of everything that is faster.

A card is its text, "Ac"; a hand is a tuple of cards, highest first; a copy in a double deck is the
same text once more. Section numbers are those of the rules of the game.

>>> state = start("bga", "ATK.Q7.A.TKQ7/Q7.ATK.TKQ7.A")
>>> write_position(play(state, "Ah"))
'ATK.Q7..TKQ7/Q7.ATK.TKQ7.A y Ah 1 -/- -'
>>> legal(play(state, "Ah"))
['Th', 'Kh', 'Qh', '7h']
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import NamedTuple

# --- Variants (§3, §4, §5, §7) --------------------------------------------------------------------

DECKS = {  # §3: for each suit, clubs first, its ranks from high to low
    "single": ("ATKQ7", "ATKQ7", "ATKQ7", "ATKQ7"),
    "double": ("ATK77", "ATKK7", "ATTK7", "AATK7"),
    "double24": ("ATKQ77", "ATKKQ7", "ATTKQ7", "AATKQ7"),
}
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "7": 7}  # §2.3


@dataclass(frozen=True)
class Foreplace:
    """How foreplacing goes (§5); the weights it brings stand in the variant."""

    second_alone: bool
    second_differs: bool
    last_card_twice: bool


@dataclass(frozen=True)
class Variant:
    """The settings that a single game depends on (§3 to §5).

    `deck` gives for each of the `suits`, highest first, its ranks from high to low. `weights` names
    a rule set of §5, or gives its four rows, "nobody", "both", "mater" (only the mater foreplaced)
    and "mated", each with the weights of trick 1, 2, ... in order.
    """

    deck: tuple[str, ...] = DECKS["single"]
    suits: str = "cshd"
    points: dict[str, int] = field(default_factory=lambda: dict(POINTS))
    privileged: str = ""
    privilege_declared: bool = False
    free_move: bool = False
    foreplace: Foreplace | None = None
    weights: str | dict[str, list[int]] = "capellen"

    @property
    def cards(self) -> list[str]:
        """The whole deck, suit by suit, highest first."""
        return [r + s for i, s in enumerate(self.suits) for r in self.deck[i]]

    @property
    def hand_size(self) -> int:
        """H, half of the deck: ten for the usual one."""
        return sum(map(len, self.deck)) // 2


_TEMPOS = Foreplace(second_alone=True, second_differs=False, last_card_twice=True)
_CAPELLEN = Foreplace(second_alone=False, second_differs=True, last_card_twice=True)
_PIECES = Foreplace(second_alone=True, second_differs=False, last_card_twice=False)

PRESETS = {  # §7
    "bga": Variant(),
    "bga-king": Variant(privileged="K"),
    "bga-figure": Variant(privileged="KQ"),
    "bga-free": Variant(free_move=True),
    "abril": Variant(),
    "tempos": Variant(foreplace=_TEMPOS, weights="tempos"),
    "capellen": Variant(foreplace=_CAPELLEN, weights="capellen"),
    "double": Variant(deck=DECKS["double"], foreplace=_CAPELLEN, weights="capellen"),
    "pieces": Variant(privileged="A", privilege_declared=True, foreplace=_PIECES, weights="pieces"),
}
VARIANTS = {  # the presets, and the big double deck under the rules of `double`
    **PRESETS,
    "double24": replace(PRESETS["double"], deck=DECKS["double24"]),
}


def variant_of(variant: str | Variant) -> Variant:
    """The variant of this name, or the variant itself."""
    return VARIANTS[variant] if isinstance(variant, str) else variant


# --- The state of a game --------------------------------------------------------------------------

UNDECIDED = "?"  # in `foreplaced`, for a player who has not yet decided


class State(NamedTuple):
    """A moment of a game. Players are 0 for X and 1 for Y."""

    variant: Variant
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    turn: int  # who is to act: to decide on foreplacing, to lead, or to reply
    led: str | None  # the card that awaits its reply
    declared: bool  # whether the privilege was declared with it
    trick: int
    foreplaced: tuple[str | None, str | None]  # a card, None, or UNDECIDED
    free: bool  # whether the free move is still there


def start(variant: str | Variant, deal: str, leader: str = "x") -> State:
    """The state before the first decision of a game on `deal`."""
    variant = variant_of(variant)
    mark = UNDECIDED if variant.foreplace else None
    hands, turn = read_deal(deal, variant), "xy".index(leader)
    return State(variant, hands, turn, None, False, 1, (mark, mark), variant.free_move)


def suit(card: str) -> str:
    return card[1]


def rank(card: str) -> str:
    return card[0]


def without(hand: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The hand with one copy of the card taken out."""
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]


def pair(player: int, own, other) -> tuple:
    """Something of each player in the order X, Y, given which of them is `player`."""
    return (own, other) if player == 0 else (other, own)


# --- What may be played ---------------------------------------------------------------------------


def legal(state: State) -> list[str]:
    """The moves of the player to act; copies of a card give a move each. None: the game is over."""
    if UNDECIDED in state.foreplaced:
        return legal_foreplaces(state)
    return legal_leads(state) if state.led is None else legal_replies(state)


def legal_foreplaces(state: State) -> list[str]:
    """§5: each may put one card out of play or decline; the second card may have to differ."""
    hand, first = state.hands[state.turn], state.foreplaced[1 - state.turn]
    if state.variant.foreplace.second_differs and first not in (None, UNDECIDED):
        hand = [c for c in hand if suit(c) != suit(first) and rank(c) != rank(first)]
    return ["*" + card for card in hand] + ["*-"]


def legal_leads(state: State) -> list[str]:
    """§2.4, §2.6: any card; §4: a privileged rank also with the privilege declared.

    The game has run out when a hand is empty between tricks (§2.7). With a sole foreplacer that is
    after trick H - 1, unless his last card is played twice (§5).
    """
    if not all(state.hands):
        return []
    moves = []
    for card in state.hands[state.turn]:
        moves.append(card)
        if state.variant.privilege_declared and rank(card) in state.variant.privileged:
            moves.append(card + "!")
    return moves


def legal_replies(state: State) -> list[str]:
    """§2.5, §4: the forced replies, or with the free move whatever matches in suit or in rank."""
    if not state.free:
        return forced_replies(state)
    led = state.led
    hand = state.hands[state.turn]
    return [c for c in hand if suit(c) == suit(led) or rank(c) == rank(led)]


def forced_replies(state: State) -> list[str]:
    """§2.5: a card of the suit led, else one of its rank; §4: a privilege turns the order round."""
    hand, led = state.hands[state.turn], state.led
    in_suit = [card for card in hand if suit(card) == suit(led)]
    in_rank = [card for card in hand if rank(card) == rank(led)]
    return (in_rank or in_suit) if rank_goes_first(state) else (in_suit or in_rank)


def rank_goes_first(state: State) -> bool:
    """§4: a privileged rank was led, and where that must be declared, it was."""
    if state.variant.privilege_declared:
        return state.declared
    return rank(state.led) in state.variant.privileged


# --- What a move does -----------------------------------------------------------------------------


def play(state: State, move: str) -> State:
    """The state after a legal move."""
    if move not in legal(state):
        raise ValueError(f"{move} is illegal in {write_position(state)}")
    return after(state, move)


def after(state: State, move: str) -> State:
    """The state after a move that is known to be legal."""
    if UNDECIDED in state.foreplaced:
        return after_foreplace(state, move)
    return after_lead(state, move) if state.led is None else after_reply(state, move)


def after_foreplace(state: State, move: str) -> State:
    """§5: the game's leader decides first, then the other player, then the leader leads."""
    me, other = state.turn, 1 - state.turn
    card = None if move == "*-" else move[1:]
    hands = state.hands
    if card is not None:
        hands = pair(me, without(hands[me], card), hands[other])
    theirs = state.foreplaced[other]
    i_lead = theirs == UNDECIDED
    if i_lead and card is None and not state.variant.foreplace.second_alone:
        theirs = None  # the second may not foreplace alone, so he is not asked
    turn = me if i_lead and theirs is None else other
    return state._replace(hands=hands, turn=turn, foreplaced=pair(me, card, theirs))


def after_lead(state: State, move: str) -> State:
    """The card lies on the table, and the other player is to reply."""
    card = move.rstrip("!")
    hands = pair(state.turn, hand_after(state, card), state.hands[1 - state.turn])
    return state._replace(hands=hands, turn=1 - state.turn, led=card, declared=move.endswith("!"))


def after_reply(state: State, card: str) -> State:
    """§2.6: the winner leads the next trick; §4: the free move is gone if this reply needed it."""
    leader, follower = 1 - state.turn, state.turn
    return state._replace(
        hands=pair(follower, hand_after(state, card), state.hands[leader]),
        turn=leader if lead_wins(state.variant, state.led, card) else follower,
        led=None,
        declared=False,
        trick=state.trick + 1,
        free=state.free and card in forced_replies(state),
    )


def hand_after(state: State, card: str) -> tuple[str, ...]:
    """The hand of the player to act after playing the card; §5: the last card may be kept once."""
    variant, hand = state.variant, state.hands[state.turn]
    own, other = state.foreplaced[state.turn], state.foreplaced[1 - state.turn]
    if variant.foreplace and variant.foreplace.last_card_twice:
        sole_foreplacer = own is not None and other is None
        if sole_foreplacer and state.trick == variant.hand_size - 1:
            return hand
    return without(hand, card)


def lead_wins(variant: Variant, led: str, reply: str) -> bool:
    """§2.6: in a suit the higher rank, in a rank the higher suit; of identical cards the first."""
    if suit(led) == suit(reply):
        slots = variant.deck[variant.suits.index(suit(led))]
        return slots.index(rank(led)) <= slots.index(rank(reply))
    return variant.suits.index(suit(led)) < variant.suits.index(suit(reply))


# --- Scores ---------------------------------------------------------------------------------------


def is_over(state: State) -> bool:
    return not legal(state)


def result(state: State) -> int:
    """X's margin when the game is over: §2.7, a mate scores points times weight, else nothing."""
    if state.led is None:
        return 0
    mater, mated = 1 - state.turn, state.turn
    foreplaced = [card is not None for card in state.foreplaced]
    factor = weight(state.variant, foreplaced[mater], foreplaced[mated], state.trick)
    score = state.variant.points[rank(state.led)] * factor
    return score if mater == 0 else -score


def weight(variant: Variant, mater_foreplaced: bool, mated_foreplaced: bool, trick: int) -> int:
    """§5: the weight of a mate on this trick, by who foreplaced."""
    if mater_foreplaced:
        row = "both" if mated_foreplaced else "mater"
    else:
        row = "mated" if mated_foreplaced else "nobody"
    if not isinstance(variant.weights, str):
        return variant.weights[row][trick - 1]
    if row == "nobody":
        return trick
    if row == "both":
        return trick + 1
    last = variant.hand_size  # the trick on which a last card is played again
    if variant.weights == "capellen":
        if row == "mater":
            return 2 * (trick + 1) if trick == last else trick + 1
        return trick
    if variant.weights == "tempos":
        return 2 * (trick + 1) if row == "mater" else trick
    if variant.weights == "pieces":
        counted = last if trick == last - 1 else trick
        return 2 * counted if row == "mater" else counted
    raise ValueError(f"no such rule set: {variant.weights}")


# --- Counting and solving -------------------------------------------------------------------------

_NO_LIMIT = 10**9  # beyond any margin


def perft(state: State, depth: int) -> int:
    """How many sequences of exactly `depth` moves there are, copies of a card counted apart."""
    if depth == 0:
        return 1
    return sum(perft(after(state, move), depth - 1) for move in legal(state))


def solve(deal: str, variant: str | Variant = "bga") -> tuple[int, int]:
    """The leader's margin under best play (§8) if X leads, and if Y leads."""
    memo: dict = {}
    return value(start(variant, deal, "x"), memo), value(start(variant, deal, "y"), memo)


def value(state: State, memo: dict | None = None) -> int:
    """The margin, for the player to act, under best play of both (§8).

    A memo may be shared by calls on one deal under one variant, and by no others.
    """
    return _search(state, -_NO_LIMIT, _NO_LIMIT, {} if memo is None else memo)


def move_values(state: State, memo: dict | None = None) -> dict[str, int]:
    """The margin that each legal move leads to, for the player who makes it."""
    memo = {} if memo is None else memo
    values = {}
    for move in dict.fromkeys(legal(state)):
        child = after(state, move)
        values[move] = value(child, memo) if child.turn == state.turn else -value(child, memo)
    return values


def _search(state: State, low: int, high: int, memo: dict) -> int:
    """The value if it lies between low and high, else a bound on its side of them (alpha-beta)."""
    moves = list(dict.fromkeys(legal(state)))
    if not moves:
        return result(state) if state.turn == 0 else -result(state)
    key = _memo_key(state)
    least, most = memo.get(key, (-_NO_LIMIT, _NO_LIMIT))
    if least >= high or least == most:
        return least
    if most <= low:
        return most
    best = -_NO_LIMIT
    for child in sorted((after(state, move) for move in moves), key=_freedom):
        floor = max(low, best)
        if child.turn == state.turn:
            best = max(best, _search(child, floor, high, memo))
        else:
            best = max(best, -_search(child, -high, -floor, memo))
        if best >= high:
            break
    memo[key] = (best if best > low else least, best if best < high else most)
    return best


def _memo_key(state: State) -> tuple:
    """All that the rest of the game depends on, within one variant."""
    who = state.foreplaced
    if UNDECIDED not in who:  # which cards they were matters only to the one yet to decide
        who = (who[0] is not None, who[1] is not None)
    return (state.hands, state.turn, state.led, state.declared, state.trick, who, state.free)


def _freedom(state: State) -> int:
    """How many replies there are to the lead: the fewest are tried first."""
    return 0 if state.led is None else len(legal_replies(state))


# --- Rounds and matches (§6) ----------------------------------------------------------------------


def scored(margin: int) -> tuple[int, int]:
    """What X and Y score in a game that X ends with this margin."""
    return (margin, 0) if margin > 0 else (0, -margin)


def leader_of_second(rule: str, leader: str, margin: int) -> str:
    """Who leads game 2: the other, or under "loser" who lost game 1; after a draw the other."""
    if rule == "loser" and margin > 0:
        return "y"
    if rule == "loser" and margin < 0:
        return "x"
    return {"x": "y", "y": "x"}[leader]


def worth(state: State, told, memo: dict) -> int:
    """What the game comes to for X under best play, if X's margin at its end comes to told(margin).

    Every line is gone through: nothing is presumed of `told`.
    """
    moves = list(dict.fromkeys(legal(state)))
    if not moves:
        return told(result(state))
    key = _memo_key(state)
    if key not in memo:
        found = [worth(after(state, move), told, memo) for move in moves]
        memo[key] = max(found) if state.turn == 0 else min(found)
    return memo[key]


def round_worth(state: State, deal: str, leader: str, rule: str, told) -> int:
    """The same for a round in its first game, told(x, y) speaking of the points of both games.

    `deal` and `leader` are those of game 1.
    """
    x, y = read_deal(deal, state.variant)
    exchanged = write_deal((y, x), state.variant)

    def whole(margin: int) -> int:
        second = start(state.variant, exchanged, leader_of_second(rule, leader, margin))
        return worth(
            second,
            lambda later: told(*map(sum, zip(scored(margin), scored(later), strict=True))),
            {},
        )

    return worth(state, cache(whole), {})


# --- Texts ----------------------------------------------------------------------------------------


def read_hand(text: str, variant: Variant) -> tuple[str, ...]:
    """A hand such as ATK.Q7.A.TKQ7, in any order within a suit."""
    suits = text.split(".")
    if len(suits) != len(variant.suits):
        raise ValueError(f"{text!r} should have {len(variant.suits)} suits")
    cards = [r + s for i, s in enumerate(variant.suits) for r in suits[i]]
    return tuple(sorted(cards, key=variant.cards.index))


def write_hand(hand: tuple[str, ...], variant: Variant) -> str:
    return ".".join("".join(rank(c) for c in hand if suit(c) == s) for s in variant.suits)


def read_deal(text: str, variant: str | Variant = "bga") -> tuple:
    """The hands of X and Y; when only X's is given, Y has the rest of the deck."""
    variant = variant_of(variant)
    x_text, _, y_text = text.partition("/")
    x = read_hand(x_text, variant)
    if y_text:
        return x, read_hand(y_text, variant)
    rest = list(variant.cards)
    for card in x:
        rest.remove(card)
    return x, tuple(rest)


def write_deal(hands: tuple, variant: str | Variant = "bga") -> str:
    return "/".join(write_hand(hand, variant_of(variant)) for hand in hands)


def read_position(text: str, variant: str | Variant = "bga") -> State:
    """The state of a text of six fields: hands, to act, led, trick, foreplaced, free move."""
    variant = variant_of(variant)
    deal, turn, led, trick, foreplaced, free = text.split(" ")
    return State(
        variant=variant,
        hands=read_deal(deal, variant),
        turn="xy".index(turn),
        led=None if led == "-" else led.rstrip("!"),
        declared=led.endswith("!"),
        trick=int(trick),
        foreplaced=tuple(None if card == "-" else card for card in foreplaced.split("/")),
        free=free == "+",
    )


def write_position(state: State) -> str:
    led = (state.led or "-") + ("!" if state.declared else "")
    foreplaced = "/".join(card or "-" for card in state.foreplaced)
    return (
        f"{write_deal(state.hands, state.variant)} {'xy'[state.turn]} {led} {state.trick} "
        f"{foreplaced} {'+' if state.free else '-'}"
    )
