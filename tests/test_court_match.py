"""Deals as they come from a pack, what a seat sees, and matches with their rotation."""

import copy
import pickle
import random
from collections import Counter
from dataclasses import fields, replace

import pytest

import court_reference as reference
from mate.court_piece import CARDS, Cards, Deal, Hand, Match, Record, Variant
from mate.errors import MateError, NotationError, NothingPlayedError
from test_court_hand import DEAL, any_deal, any_move, any_variant
from test_court_reference import S3_DEAL, S3_PLAY

# --- Deals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", range(4))
def test_a_pack_is_dealt_five_four_four_from_the_caller(dealer):
    rng = random.Random(dealer)
    for _ in range(20):
        pack = rng.sample(CARDS, 52)
        deal = Deal.from_pack(pack, dealer)
        hands = reference.deal(pack, dealer)
        assert [sorted(hand) for hand in deal.hands] == [sorted(hand) for hand in hands]
        assert sorted(deal.first_five) == sorted(pack[:5]) == sorted(hands[deal.caller][:5])
        assert deal.caller == (dealer + 1) % 4


def test_the_turned_card_is_of_the_second_batch():
    for seed in range(40):
        deal = Deal.random(seed, seed % 4, "seed,trump=second_batch")
        assert deal.turned in deal.hands[deal.caller]
        assert deal.turned not in deal.first_five
        assert Deal.random(seed, seed % 4).turned is None


def test_first_fives_below_a_rank_are_dealt_again():
    variant = Variant(redeal_below="Q")
    again = 0
    for seed in range(200):
        rng = random.Random(seed)
        pack = rng.sample(CARDS, 52)
        again += reference.is_dealt_again(pack[:5], "Q")
        deal = Deal.random(seed, 0, variant)
        assert not reference.is_dealt_again(deal.first_five, "Q")
        assert not reference.is_dealt_again(deal.first_five, "2")
    assert again
    assert all("A" in str(Deal.random(s, 1, "seed,redeal_below=A").first_five) for s in range(20))


def test_every_card_comes_everywhere():
    deals = [Deal.random(seed) for seed in range(300)]
    seen = Counter((card, seat) for deal in deals for seat in range(4) for card in deal.hands[seat])
    assert len(seen) == 208
    assert 40 < min(seen.values()) < 75 < max(seen.values()) < 115


def test_a_deal_turned_about_the_table_keeps_who_holds_what_from_the_dealer():
    deal = Deal.random(5, 1, "seed,trump=second_batch")
    for dealer in range(4):
        turned = deal.turn(dealer)
        assert turned.dealer == dealer
        for step in range(4):
            assert turned.hands[(dealer + step) % 4] == deal.hands[(1 + step) % 4]
        assert (turned.first_five, turned.turned) == (deal.first_five, deal.turned)
        assert turned.turn(1) == deal


def test_deals_are_values():
    deal = Deal.random(1, 2)
    assert pickle.loads(pickle.dumps(deal)) == copy.deepcopy(deal) == deal
    assert hash(deal) == hash(Deal.random(1, 2))
    assert deal != Deal.random(1, 3)
    assert deal != Deal(deal.hands, 2)
    assert Deal(deal.masks, 2, deal.first_five.mask) == deal
    assert Deal(map(str, deal.hands), 2, str(deal.first_five)) == deal
    assert Deal.parse(str(deal), 2, str(deal.first_five)) == deal
    with pytest.raises(NotationError, match="column 3: expected a rank"):
        Deal.parse(str(deal), 2, "AK1...")
    with pytest.raises(MateError, match="five cards of the caller's"):
        Deal.parse(str(deal), 2, "AK...")


@pytest.mark.parametrize("first", range(4))
def test_a_deal_may_begin_with_any_seat(first):
    hands = S3_DEAL[2:].split()
    text = "NESW"[first] + ": " + "  ".join(hands[first:] + hands[:first]) + " "
    assert Deal.parse(text.lower()) == DEAL
    assert str(Deal.parse(text)) == S3_DEAL


HANDS = S3_DEAL[2:].split()


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("", 1, "a seat, N, E, S or W, and a colon"),
        ("X:", 1, "a seat"),
        ("N", 2, "the colon after the seat"),
        (S3_DEAL.replace("863", "86"), 20, r"13 cards in the hand of E \(there are 12\)"),
        (S3_DEAL.replace("863", "8632"), 20, r"13 cards in the hand of E \(there are 14\)"),
        (S3_DEAL.replace("J95", "J955"), 10, r"not dealt already \(5H is here twice\)"),
        (S3_DEAL.replace("AKQT7", "AKQT74"), 25, r"already \(4S is already in the hand of N\)"),
        ("W" + S3_DEAL[1:].replace("AKQT7", "AKQT74"), 25, r"\(4S is already in the hand of W\)"),
        (S3_DEAL + " ...", 71, "four hands and nothing more"),
        (S3_DEAL + ".", 70, "four hands and nothing more"),
        ("N:" + " ".join(HANDS[:3]), 53, "a blank and the next hand"),
        (S3_DEAL.replace("J64.", "J64.."), 3, r"13 cards in the hand of N \(there are 9\)"),
        (S3_DEAL.replace("J64", "1 64"), 3, "a rank"),
        (S3_DEAL.replace("J64.", "J64 "), 6, "a rank or the dot"),
        ("N:- - - -", 3, "a rank"),
        ("N:\N{SUPERSCRIPT TWO}", 3, "a rank"),
    ],
)
def test_deals_that_cannot_be_read(text, column, expected):
    with pytest.raises(NotationError, match=expected) as error:
        Deal.parse(text)
    assert error.value.column == column


@pytest.mark.parametrize(
    "arguments",
    [(None,), (5,), ([],), ([DEAL.hands[0]] * 4,), (DEAL.hands[:3],), ([*DEAL.hands, Cards(0)],),
     (DEAL.masks, 4), (DEAL.masks, True), (DEAL.masks, 0, 31), (DEAL.masks, 0, 1 << 52),
     (DEAL.masks, 0, None, "AH"), (DEAL.masks, 0, None, 5), (DEAL.masks, 0, None, "XX"),
     (DEAL.masks, 0, Cards.of(["AS", "KS", "QS", "TS", "7S"]), "AS"), ([-1, 0, 0, 0],),
     ([1.5] * 4,), ("NESW",), (DEAL.masks, 0, Cards.of(["AS", "KS", "QS", "TS"]))],
)  # fmt: skip
def test_deals_that_cannot_be(arguments):
    with pytest.raises(MateError):
        Deal(*arguments)


@pytest.mark.parametrize("pack", [None, [], CARDS[:51], (*CARDS[:51], "AS"), [1] * 52, "AS" * 52])
def test_packs_that_are_none(pack):
    with pytest.raises(MateError):
        Deal.from_pack(pack)


# --- Views ---------------------------------------------------------------------------------------


def swapped(rng, hand, seat):
    """The same hand as far as the seat can tell, other cards among those it does not see."""
    seats = [other for other in range(4) if other != seat]
    now, deal = hand.view(seat), hand.deal
    hidden = [card for other in seats for card in hand.hands[other]]
    fixed = [set(deal.hands[other]) - set(hand.hands[other]) for other in range(4)]
    for _ in range(200):
        rng.shuffle(hidden)
        at, hands = 0, [set(cards) for cards in deal.hands]
        for other in seats:
            held = hidden[at : at + now.sizes[other]]
            at += now.sizes[other]
            if any(card[1] in now.voids[other] for card in held):
                break
            hands[other] = fixed[other] | set(held)
        else:
            five = deal.first_five if seat == deal.caller else None
            if hand.trump is None and seat != deal.caller:
                five = Cards.of(sorted(hands[deal.caller])[:5])
            return replay(hand, Deal(map(Cards.of, hands), deal.dealer, five, deal.turned))
    return None


def replay(hand, deal):
    """The moves of a hand with another deal, None if they are not legal then."""
    twin = Hand(deal, hand.variant, None, hand.trump if hand.variant.trump == "longest" else None)
    for move in hand.moves:
        if move not in twin.legal_moves:
            return None
        twin.push(move)
    return twin


@pytest.mark.parametrize("seed", range(60))
def test_a_view_holds_nothing_of_the_hidden_cards(seed):
    rng = random.Random(seed)
    variant = any_variant(rng)
    hand = Hand(Deal.random(seed, seed % 4, variant), variant)
    n_moves, compared = rng.randrange(50), 0
    while not hand.is_over and len(hand.moves) < n_moves:
        hand.push(any_move(rng, hand))
    for seat in range(4):
        view = hand.view(seat)
        if seat == hand.caller and hand.trump is None:
            others = [card for card in hand.deal.hands[seat] if card not in view.hand]
            assert not any(card in view.hand for card in others)
            continue
        twin = swapped(rng, hand, seat) if variant.trump != "second_batch" else None
        if twin is not None:
            assert twin.view(seat) == view
            compared += twin.deal != hand.deal
    assert compared or hand.is_over or variant.trump == "second_batch" or len(hand.moves) > 30


@pytest.mark.parametrize("seed", range(40))
def test_a_view_tells_what_was_seen(seed):
    rng = random.Random(seed)
    variant = any_variant(rng)
    hand = Hand(any_deal(rng, variant), variant)
    if hand.trump is None:
        hand.push(rng.choice("SHDC"))
    while not hand.is_over:
        for seat in range(4):
            check_view(hand, seat)
        hand.push(any_move(rng, hand))
    check_view(hand, 0)


def check_view(hand, seat):
    view = hand.view(seat)
    played = {card for trick in (*hand.tricks, hand.table) for card in trick.cards}
    assert list(view.hand) == list(hand.hands[seat])
    assert set(view.played) == played
    assert set(view.unseen) == set(CARDS) - played - set(view.hand)
    assert view.sizes == tuple(map(len, hand.hands))
    assert view.legal_moves == (hand.legal_moves if seat == hand.to_act else ())
    assert view.moves == tuple(hand.moves)
    assert view.first_five == (hand.deal.first_five if seat == hand.caller else None)
    assert view.turned == (hand.deal.turned if hand.variant.trump == "second_batch" else None)
    for other in range(4):
        held = {card[1] for card in hand.hands[other]}
        assert not held & set(view.voids[other])
    core = view.position([cards.mask for cards in hand.hands])
    assert core.legal_actions() == hand.legal_actions or view.moves[-1:] == ("stop",)
    assert (core.collected, core.armed, core.by_ace) == (
        hand.core.collected, hand.core.armed, hand.core.by_ace,
    )  # fmt: skip


def test_voids_are_those_that_were_shown():
    hand = Hand(DEAL, trump="S")
    for number, move in enumerate(S3_PLAY):
        assert hand.voids == ("", "", "", "S" if number > 18 else "")
        hand.push(move)
    for _ in range(18):
        hand.pop()
    assert hand.voids == ("", "", "", "")


def test_only_the_caller_sees_cards_while_the_trump_is_named():
    deal = Deal.random(7, 2)
    hand = Hand(deal)
    assert hand.view(3).hand == deal.first_five
    assert hand.view(3).legal_moves == ("S", "H", "D", "C")
    for seat in (0, 1, 2):
        view = hand.view(seat)
        assert (len(view.hand), view.legal_moves, view.first_five) == (0, (), None)
    hand.push("C")
    assert hand.view(3).hand == deal.hands[3]
    assert hand.view(0).hand == deal.hands[0]


def test_a_hand_that_is_over_shows_what_was_dealt():
    hand = Hand(S3_DEAL, trump="S")
    for move in S3_PLAY:
        hand.push(move)
        assert (S3_DEAL in repr(hand)) == hand.is_over
    assert repr(hand) == f"<Hand of seed: {S3_DEAL}, trump S, 1-8, over>"
    match = Match("seed")
    assert repr(match) == "<Match of seed: 0 hands, 0-0>"
    match.begin(S3_DEAL, "S")
    assert repr(match) == "<Match of seed: 1 hand, 0-0>"


def test_whose_first_five_are_not_known_cannot_name_the_trump():
    with pytest.raises(MateError, match="first five") as error:
        Hand(DEAL).view(1)
    assert 'Deal(..., first_five="AKQT7...")' in str(error.value)
    assert 'Hand(..., trump="S")' in str(error.value)
    assert Hand(DEAL, trump="S").view(1).hand == DEAL.hands[1]
    assert len(Hand(DEAL).view(0).hand) == 0


def test_a_turned_card_is_shown_where_one_is_turned():
    deal = Deal.random(1, 0, "seed,trump=second_batch")
    for seat in range(4):
        assert Hand(deal, "seed,trump=second_batch").view(seat).turned == deal.turned
        assert Hand(deal, trump="S").view(seat).turned is None


def test_a_view_has_plain_data_only():
    match = Match("double-sir", 1)
    match.begin(Deal.random(1, 1))
    match.push("S")
    view = match.view(0)
    assert pickle.loads(pickle.dumps(view)) == view
    assert not any(isinstance(getattr(view, f.name), (Hand, Deal, Match)) for f in fields(view))
    with pytest.raises(AttributeError):
        view.hand = Cards(0)


@pytest.mark.parametrize("hands", [None, 5, [], [1] * 4, [-1] * 4, ["x"] * 4, [1 << 52] * 4])
def test_hands_that_no_position_has(hands):
    with pytest.raises(MateError):
        Hand(DEAL, trump="S").view(0).position(hands)


@pytest.mark.parametrize("seat", [-1, 4, None, "N", 1.0, True])
def test_seats_that_are_none(seat):
    with pytest.raises(MateError):
        Hand(DEAL, trump="S").view(seat)


# --- Matches -------------------------------------------------------------------------------------


def played_match(seed, text=None):
    rng = random.Random(seed)
    variant = Variant.of(text) if text else replace(any_variant(rng), points=(1, 3, 1, 3))
    match = Match(variant, rng.randrange(4))
    while not match.is_over:
        if match.between_hands:
            match.begin(Deal.random(rng.randrange(1 << 30), match.dealer, variant))
        match.push(any_move(rng, match.hand))
    return match


@pytest.mark.parametrize("seed", range(40))
def test_a_match_goes_round_and_ends_as_the_rules_tell(seed):
    match = played_match(seed)
    dealer, scores = match.first_dealer, [0, 0]
    for number, hand in enumerate(match.hands, 1):
        target = match.variant.target
        assert number <= 3 if target == "3 hands" else max(scores) < target
        assert (hand.dealer, hand.caller) == (dealer, (dealer + 1) % 4)
        scores = [score + more for score, more in zip(scores, hand.points, strict=True)]
        rotation = match.variant.next_caller
        dealer = reference.next_dealer(rotation, dealer, hand.winner, hand.court)
    assert match.scores == tuple(scores)
    assert match.winner == (None if scores[0] == scores[1] else scores.index(max(scores)))
    assert match.dealer == dealer


def test_the_rotations_differ_where_they_should():
    for text in ("seed,target=60", "pagat-points,target=60", "double-sir,target=60"):
        match = played_match(1, text)
        steps = {
            (hand.winner == hand.caller % 2, hand.court, (after.dealer - hand.dealer) % 4)
            for hand, after in zip(match.hands, match.hands[1:], strict=False)
        }
        assert {step for called, _, step in steps if not called} == {1}
        assert {step for called, court, step in steps if called and not court} == {0}
        courts = {step for called, court, step in steps if called and court}
        assert courts <= {2 if match.variant.next_caller == "pagat" else 0}


def win_by_court(match, winner):
    """Play a hand that a side wins by a court, all its cards being spades and hearts."""
    strong, weak = list(CARDS[:26]), list(CARDS[26:])
    hands = [strong[0::2], weak[0::2], strong[1::2], weak[1::2]]
    hands = hands[winner:] + hands[:winner]
    match.begin(Deal(map(Cards.of, hands), match.dealer), trump="S")
    rng = random.Random(winner)
    while not match.hand.is_over:
        match.push(any_move(rng, match.hand))


def test_one_one_and_three_points_end_a_match():
    match = Match("seed", 0)
    for number in range(500):
        if match.is_over:
            break
        match.begin(Deal.random(number, match.dealer))
        rng = random.Random(number)
        while not match.hand.is_over:
            match.push(any_move(rng, match.hand))
    points = [hand.points for hand in match.hands]
    assert match.is_over
    assert max(match.scores) >= 5 > max(map(sum, zip(*points[:-1], strict=True)), default=0)


def test_the_longest_match_without_a_court_has_nine_hands():
    scores, hands = [0, 0], 0
    while max(scores) < 5:
        scores[hands % 2] += 1
        hands += 1
    assert (hands, sorted(scores)) == (9, [4, 5])
    for seed in range(300):
        match = played_match(seed, "seed,points=1/1/1/1")
        assert len(match.hands) <= 9
        if len(match.hands) == 9:
            assert sorted(match.scores) == [4, 5]
            return
    raise AssertionError("no such match was played")


def test_a_court_is_worth_three():
    match = Match("seed", 3)
    win_by_court(match, 0)
    assert (match.scores, match.is_over, match.dealer, match.hand.court) == ((3, 0), False, 3, True)
    win_by_court(match, 0)
    assert (match.scores, match.is_over, match.winner) == ((6, 0), True, 0)
    with pytest.raises(MateError, match="the match is over"):
        match.begin(Deal.random(1, match.dealer))


def test_a_court_makes_the_dealers_partner_deal_with_pagat():
    match = Match("seed,next_caller=pagat", 3)
    win_by_court(match, 0)
    assert match.dealer == 1


def test_a_match_tells_its_views_the_score_before_the_hand():
    match = played_match(3, "seed,target=2 hands")
    view = match.view(2)
    assert (view.number, view.scores) == (2, match.hands[0].points)


def test_a_hand_begins_when_it_may():
    match = Match()
    for asked in (lambda: match.hand, lambda: match.to_act, lambda: match.legal_moves,
                  lambda: match.push("S"), lambda: match.view(0)):  # fmt: skip
        with pytest.raises(MateError, match="no hand has begun"):
            asked()
    with pytest.raises(NothingPlayedError):
        match.pop()
    with pytest.raises(MateError, match="seat 0 is to deal, but seat 1 dealt"):
        match.begin(Deal.random(1, 1))
    assert match.between_hands
    match.begin(S3_DEAL)
    with pytest.raises(MateError, match="hand 1 is not over"):
        match.begin(S3_DEAL)
    match.push("S")
    assert match.pop() == "S"
    assert (match.scores, match.winner, match.is_over) == ((0, 0), None, False)


def test_the_same_cards_can_be_played_again_whoever_deals():
    deals = [Deal.random(seed) for seed in range(3)]
    tables = [Match("seed,target=3 hands", dealer) for dealer in range(4)]
    for deal in deals:
        for match in tables:
            match.begin(deal.turn(match.dealer))
            assert match.hand.deal.hands[match.caller] == deal.hands[deal.caller]
            rng = random.Random(1)
            while not match.hand.is_over:
                match.push(any_move(rng, match.hand))


@pytest.mark.parametrize("seed", range(10))
def test_a_match_comes_back_from_its_records(seed):
    match = played_match(seed)
    records = match.records({"North": "Anna"})
    assert Match.from_records(records) == match
    if len(match.hands) > 1:
        for hand in match.hands[:-1]:
            assert hand.is_over
    while match.hand.moves and len(match.hand.moves) > 5:
        match.pop()
    again = Match.from_records(iter(match.records()))
    assert again == match
    assert again.scores == match.scores


def test_a_trump_that_was_given_comes_back_in_a_match():
    match = Match()
    match.begin(S3_DEAL, trump="N")
    match.push("AS")
    assert Match.from_records(match.records()) == match


def test_records_that_are_no_match():
    match = played_match(2, "seed")
    records = match.records()
    for wrong in (None, 5, [], [1], [*records, records[0]], [records[0], records[0]]):
        with pytest.raises(MateError):
            Match.from_records(wrong)
    other = Record(Variant.of("hokm"), records[1].deal)
    with pytest.raises(MateError, match="expected a hand of seed"):
        Match.from_records([records[0], other])


def test_players_play_a_match():
    class Greedy:
        def choose(self, view):
            return view.legal_moves[0]

    match = Match("double-sir", 2)
    scores = match.play([Greedy(), Greedy()], 5)
    assert match.scores == scores
    again = Match("double-sir", 2)
    assert again.play([Greedy()] * 4, 5) == scores
    assert again == match
    for rng in ("x", -1, object()):
        with pytest.raises(MateError):
            Match().play([Greedy()] * 4, rng)
