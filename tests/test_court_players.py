"""Players of Court Piece: they see what their seat may see, and choose by it alone."""

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from mate.court_piece import CARDS, Cards, Deal, Hand, Player, Trick, selfplay
from mate.court_piece.cards import INDEX, SUITS
from mate.court_piece.greedy import followed, led
from mate.court_piece.montecarlo import distinct
from mate.court_piece.players import LEVELS, Greedy, MonteCarlo, Random
from mate.errors import IllegalMoveError, MateError

TEXTS = ["random", "greedy", "montecarlo:2", "level:2"]
VARIANTS = {
    "seed": "seed",
    "hokm": "hokm",
    "double sir": "double-sir",
    "turned": "seed,trump=second_batch",
    "longest": "seed,trump=longest,redeal_below=9",
    "optional": "seed,chase=optional",
}


def hand_after(seed, n_moves, variant="seed", players=("random", "random")):
    """A hand after so many moves of players who hold to the rules, no further than its end."""
    hand = Hand(Deal.random(seed, seed % 4, variant), variant)
    chosen = [Player.of(text, seed) for text in players]
    while not hand.is_over and len(hand.moves) < n_moves:
        hand.push(chosen[hand.to_act % 2].choose(hand.view(hand.to_act)))
    return hand


def index_of(cards):
    return [INDEX[card] for card in cards.split()]


# --- Texts and arguments -------------------------------------------------------------------------


NO_PLAYERS = [
    "", "optimal", "level:6", "level:0", "level", "level:", "level:x", "random:1", "montecarlo:0",
    "montecarlo:-1", "montecarlo:1e3", "montecarlo:99999999999", "level:٣", None, 3, b"random",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_PLAYERS)
def test_a_text_that_names_no_player(text):
    with pytest.raises(MateError):
        Player.of(text)


@pytest.mark.parametrize("kind", [Random, Greedy, MonteCarlo])
@pytest.mark.parametrize("seed", ["1", 1.0, True, b""])
def test_seeds_are_integers(kind, seed):
    with pytest.raises(MateError):
        kind(seed=seed)


@pytest.mark.parametrize("samples", [0, -1, 10**9, "3", None, 2.5, True])
def test_samples_are_counted(samples):
    with pytest.raises(MateError):
        MonteCarlo(samples)


def test_levels_sample_more_and_more():
    assert isinstance(Player.of("level:1"), Greedy)
    samples = [Player.of(f"level:{n}").samples for n in range(2, len(LEVELS) + 1)]
    assert all(one < other for one, other in pairwise(samples))
    assert Player.of("montecarlo").samples == Player.of("level:4").samples


@pytest.mark.parametrize("text", TEXTS)
def test_who_has_nothing_to_choose(text):
    hand = hand_after(1, 3)
    for seat in range(4):
        if seat != hand.to_act:
            with pytest.raises(MateError, match=f"seat {seat} has nothing to choose"):
                Player.of(text, 1).choose(hand.view(seat))


@pytest.mark.parametrize("text", TEXTS)
def test_players_see_no_more_than_a_view(text):
    hand = hand_after(1, 3)
    for other in (hand, hand.core, None, "AS"):
        with pytest.raises(MateError, match="is no view"):
            Player.of(text, 1).choose(other)


# --- What they choose ----------------------------------------------------------------------------


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_whole_hands_are_played_by_the_rules(text, variant):
    hand = hand_after(5, 99, variant, (text, "greedy"))
    assert hand.is_over
    assert sum(hand.points) > 0


@pytest.mark.parametrize("text", TEXTS)
def test_a_decision_is_a_function_of_seed_and_view(text):
    hand = hand_after(3, 20)
    view = hand.view(hand.to_act)
    once = Player.of(text, 7)
    first = once.choose(view)
    once.choose(hand_after(4, 9).view(hand_after(4, 9).to_act))
    assert [once.choose(view), Player.of(text, 7).choose(view)] == [first, first]


def test_other_seeds_are_other_chances():
    view = hand_after(3, 1).view(hand_after(3, 1).to_act)
    assert len({Random(seed).choose(view) for seed in range(40)}) > 5
    assert Random().seed != Random().seed


# --- No peeking ----------------------------------------------------------------------------------


def swapped(hand, seat, chances, swaps=60):
    """The same moves with cards exchanged that a seat cannot know, where the rules allow it."""
    own = hand.deal.first_five if hand.trump is None else hand.hands[seat]
    known = {*own, *hand.moves, hand.deal.turned}
    hidden = [card for card in CARDS if card not in known]
    changed = hand
    for _ in range(swaps):
        one, other = chances.sample(hidden, 2)
        exchange = {one: other, other: one}
        hands = [sum(1 << INDEX[exchange.get(c, c)] for c in cards) for cards in changed.deal.hands]
        changed = again(hands, hand, seat, chances) or changed
    return changed


def again(hands, hand, seat, chances):
    """The same moves on other cards, None if the rules forbid one of them."""
    deal, five = hand.deal, hand.deal.first_five
    if seat != deal.caller:
        theirs = [card for card in CARDS if hands[deal.caller] >> INDEX[card] & 1]
        theirs = [card for card in theirs if card != deal.turned]
        five = sum(1 << INDEX[card] for card in chances.sample(theirs, 5))
    trump = hand.given_trump if hand.variant.trump == "first_five" else hand.trump
    changed = Hand(Deal(hands, deal.dealer, five, deal.turned), hand.variant, trump=trump)
    try:
        for move in hand.moves:
            changed.push(move)
    except IllegalMoveError:
        return None
    return changed


def decisions(variant):
    """Hands before decisions of each kind: naming, leading, following, early and late."""
    for n_moves in (0, 1, 2, 4, 9, 18, 27, 36, 43):
        hand = hand_after(11 + n_moves, n_moves, variant)
        if not hand.is_over and len(hand.legal_moves) > 1:
            yield hand


@pytest.mark.parametrize("text", ["random", "greedy", "montecarlo:3"])
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_cards_that_a_seat_cannot_know_change_nothing(text, variant):
    chances, n_changed = random.Random(1), 0
    for hand in decisions(variant):
        seat = hand.to_act
        changed = swapped(hand, seat, chances)
        n_changed += changed.hands != hand.hands
        assert changed.view(seat) == hand.view(seat)
        player = Player.of(text, 5)
        assert player.choose(changed.view(seat)) == player.choose(hand.view(seat))
    assert n_changed >= 5


def seven_to_none():
    """A hand in which a side may play on, at seven tricks to none."""
    spades = "AKQJT98765432"
    hands = [f"{spades[:7]}.AK.AK.AK", ".QJT9.QJT9.QJT98", f"{spades[7:10]}.876.876.7654",
             f"{spades[10:]}.5432.5432.32"]  # fmt: skip
    deal = Deal.parse("N:" + " ".join(hands), dealer=3)
    hand = Hand(deal, "seed,chase=optional", trump="S")
    while "stop" not in hand.legal_moves:
        hand.push(hand.legal_moves[0])
    return hand


@pytest.mark.parametrize("text", ["random", "greedy", "montecarlo:4"])
def test_cards_that_are_left_do_not_tell_whether_to_play_on(text):
    hand, chances = seven_to_none(), random.Random(2)
    seat = hand.to_act
    changed = swapped(hand, seat, chances)
    assert changed.hands != hand.hands
    assert changed.legal_moves == ("stop", "on")
    assert changed.view(seat) == hand.view(seat)
    player = Player.of(text, 5)
    assert player.choose(changed.view(seat)) == player.choose(hand.view(seat))


@pytest.mark.parametrize("text", ["greedy", "montecarlo:4"])
def test_who_cannot_lose_by_it_plays_on(text):
    hand = seven_to_none()
    assert Player.of(text, 1).choose(hand.view(hand.to_act)) == "on"


# --- Rules of thumb ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "unseen", "trump", "card"),
    [
        ("AS 5S AH 2H", "KS KH QH", "C", "AH"),  # a winner, of the suit that more is out of
        ("AC KH 3H", "QH 2C", "C", "KH"),  # trumps are kept
        ("AC 7H 3H 9D", "KH AD", "C", "3H"),  # no winner: low, of the longest plain suit
        ("AC 7C", "KC", "C", "AC"),
        ("KC 7C", "AC", "C", "KC"),
    ],
)
def test_greedy_leads(hand, unseen, trump, card):
    mask = sum(1 << card for card in index_of(unseen))
    assert CARDS[led(sorted(index_of(hand)), mask, SUITS.index(trump))] == card


@pytest.mark.parametrize(
    ("hand", "table", "card"),
    [
        ("QH JH 2H", "3H TH", "JH"),  # cheaply
        ("QH JH 2H", "TH 3H 4H", "JH"),
        ("QH JH 2H", "KH", "2H"),  # cannot be won
        ("AH 2H", "4H KH 5H", "2H"),  # the partner has it
        ("5S 3S 2D 9D", "AH", "3S"),  # trumped, cheaply
        ("5S 3S 2D 9D", "AH 3H", "2D"),  # not the partner's
        ("5S 4S 9D", "2H 6H 3S", "4S"),
        ("2S 4D 9D 3C", "AH 3S", "3C"),
        ("2D 2C 9C", "AH", "2C"),  # of the longest suit
        ("5S", "AH 3H", "5S"),
    ],
)
def test_greedy_follows(hand, table, card):
    assert CARDS[followed(sorted(index_of(hand)), index_of(table), 0)] == card


@pytest.mark.parametrize("variant", VARIANTS.values())
def test_greedy_plays_as_the_policy_of_that_name(variant):
    """In self-play, which counts with masks, and here: one name, one player."""
    hands, player = selfplay(150, "greedy", "random", variant, seed=3), Greedy()
    for row in range(len(hands)):
        played = hands.hand(row)
        hand = Hand(played.deal, variant, played.deal.dealer)
        for move in played.moves:
            if hand.to_act % 2 == 0:
                assert player.choose(hand.view(hand.to_act)) == move, (row, hand)
            hand.push(move)


# --- Candidates ----------------------------------------------------------------------------------


PBN = "N:AKQ4.J95.T73.AK2 JT76.74.AQ5.8643 85.T832.862.T975 932.AKQ6.KJ94.QJ"


def test_equal_cards_are_one_candidate():
    view = Hand(PBN, dealer=3, trump="S").view(0)
    kinds = ["2C", "3D", "4S", "5H", "7D", "9H", "JH", "KC", "KS", "TD"]
    assert sorted(distinct(view, "KS")) == kinds
    aces = replace(view, variant=replace(view.variant, ace_rule=True))
    assert set(distinct(aces, "KS")) - set(distinct(view, "KS")) == {"AS", "AC"}


def test_the_preferred_candidate_comes_first_and_then_low_cards():
    view = Hand(PBN, dealer=3, trump="S").view(0)
    assert distinct(view, "JH")[:4] == ["JH", "2C", "3D", "4S"]


def test_cards_of_past_tricks_part_nothing_and_those_on_the_table_do():
    view = replace(
        Hand(PBN, dealer=3, trump="S").view(1), hand=Cards.of(["KH", "JH"]),
        legal_moves=("KH", "JH"), table=Trick(0, ("QH",), None),
    )  # fmt: skip
    assert distinct(view, "JH") == ["JH", "KH"]
    past = Trick(0, ("QH", "2H", "3H", "4H"), 0)
    assert distinct(replace(view, tricks=(past,), table=Trick(0, ("5H",), None)), "JH") == ["JH"]
    assert distinct(replace(view, table=Trick(0, ("5H",), None)), "JH") == ["JH", "KH"]
