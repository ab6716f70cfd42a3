"""The deals that agree with what was seen, against the slow rules tried on every deal there is."""

import random
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mate
import reference
from bga_log import VARIANTS, random_match
from mate.consistent import Seen, consistent_deals
from mate.errors import NoDealError
from mate.tricks import is_beaten, matching, ruled_out

CARDS = mate.DECKS["single"].cards
seeds = st.integers(0, 2**32)


def seen_of(games: list[mate.Game], rng: random.Random) -> list[Seen]:
    """What is seen of the games of a round, the last perhaps cut off."""
    seen = []
    for number, game in enumerate(games):
        start = game.copy()
        while start.actions:
            start.pop()
        cut = len(game.actions) if number < len(games) - 1 else rng.randint(1, len(game.actions))
        mated = cut == len(game.actions) and game.is_mate
        leader = "xy".index(start.leader) ^ number
        seen.append(Seen(leader, tuple(game.actions[:cut]), mated))
    return seen


def agrees(variant: str, x: int, seen: Seen, exchanged: bool) -> bool:
    """Whether the slow rules allow all that was seen, X holding these cards in the first game."""
    deal = mate.Deal(x).exchange() if exchanged else mate.Deal(x)
    leader = seen.leader ^ exchanged
    state = reference.start(variant, str(deal), "xy"[leader])
    for card in seen.cards:
        if CARDS[card] not in reference.legal(state):
            return False
        state = reference.after(state, CARDS[card])
    return not seen.mated or reference.is_over(state)


def brute_force(variant: str, games: list[Seen], limit: int) -> set[int] | None:
    """All hands of X that agree, tried one by one; None if they are too many to try."""
    own = [0, 0]
    for game in games:
        hand = game.leader
        for move in range(0, len(game.cards), 2):
            led, reply = game.cards[move], game.cards[move + 1 : move + 2]
            own[hand] |= 1 << led
            if reply:
                own[1 - hand] |= 1 << reply[0]
                state = reference.State(
                    reference.variant_of(variant), ((), (CARDS[reply[0]],)), 1, CARDS[led], False,
                    10, (None, None), False,
                )  # fmt: skip
                hand = hand if reference.after(state, CARDS[reply[0]]).turn == 0 else 1 - hand
    left = [card for card in range(20) if not (own[0] | own[1]) >> card & 1]
    missing = 10 - own[0].bit_count()
    if comb(len(left), missing) > limit:
        return None
    hands = (own[0] | sum(1 << c for c in chosen) for chosen in combinations(left, missing))
    return {x for x in hands if all(agrees(variant, x, g, i == 1) for i, g in enumerate(games))}


# --- The set of deals ----------------------------------------------------------------------------


@settings(max_examples=120)
@given(seeds, st.sampled_from(VARIANTS))
def test_the_deals_are_those_that_the_rules_allow(seed, variant):
    rng = random.Random(seed)
    match = random_match(variant, rng, rounds=1)
    games = seen_of(match.games[: rng.choice([1, 2])], rng)
    expected = brute_force(variant, games, 400)
    found = consistent_deals(games, variant)
    if expected is None:
        return
    assert set(found.hands) == expected
    assert len(found.hands) == len(expected)
    assert match.deals[0].x.mask in expected
    certain = [c for i, c in enumerate(CARDS) if len({x >> i & 1 for x in expected}) == 1]
    assert set(found.unknown) == set(CARDS) - set(certain)


@settings(max_examples=80)
@given(seeds, st.sampled_from(VARIANTS), st.sampled_from(VARIANTS))
def test_what_the_rules_do_not_allow_has_no_deal(seed, played, assumed):
    rng = random.Random(seed)
    games = seen_of(random_match(played, rng, rounds=1).games, rng)
    expected = brute_force(assumed, games, 400)
    if expected is None:
        return
    if expected:
        assert set(consistent_deals(games, assumed).hands) == expected
        return
    with pytest.raises(NoDealError) as error:
        consistent_deals(games, assumed)
    # Up to the move that is blamed all is well, as far as the games before it go.
    number, move = error.value.game, error.value.move
    assert number is not None
    assert games[number].cards[move] is not None


def test_both_hands_and_hands_of_nobody_known_are_used():
    deal = mate.Deal.parse("AQ7.A7.TK7.AT")
    first = Seen(0, (4, 1))  # 7c Tc
    assert consistent_deals([first], held=(deal.x.mask, 0)).deals == [deal]
    assert consistent_deals([first], held=(0, deal.y.mask)).deals == [deal]
    for hand in (deal.x, deal.y):
        assert consistent_deals([first], shown=[hand.mask], limit=10**6).deals == [deal]
    with pytest.raises(NoDealError, match="nobody's"):
        consistent_deals([first], shown=[0b11111111110 ^ 1 << 0 ^ 1 << 11], limit=10**6)


def test_too_many_deals_are_not_listed_and_what_is_certain_is_told():
    found = consistent_deals([Seen(0, (4,))])
    assert found.hands == ()
    assert found.known == (1 << 4, 0)
    assert len(found.unknown) == 19
    assert len(consistent_deals([Seen(0, (4,))], limit=comb(19, 9)).hands) == comb(19, 9)


@pytest.mark.parametrize(
    ("variant", "cards", "move", "why"),
    [
        ("bga", "Kc Kd Ac Qc", 1, "Kd is not legal: Qc had to be played to Kc, since suit goes"),
        ("bga-king", "Kc 7c 7d Kd", 1, "7c is not legal: Kd had to be played to Kc, since rank"),
        ("bga-free", "Kc Kd Ah As 7c Qc Th Qh", 3, "As is not legal: Qh had .* free move was used"),
        ("bga", "Kc As", 1, "As is not legal: it answers Kc neither in suit nor in rank"),
        ("bga", "Kc Qc Kc", 2, "Kc is played twice"),
    ],
)
def test_the_error_names_the_card_that_had_to_be_played(variant, cards, move, why):
    moves = tuple(CARDS.index(card) for card in cards.split())
    with pytest.raises(NoDealError, match=why) as error:
        consistent_deals([Seen(0, moves)], variant)
    assert (error.value.game, error.value.move) == (0, move)


def test_a_free_move_allows_one_reply_and_no_more():
    moves = tuple(CARDS.index(card) for card in ["Kc", "Kd", "Ah", "As", "7c", "Qc"])
    assert consistent_deals([Seen(0, moves)], "bga-free", limit=10**6).hands
    with pytest.raises(NoDealError):
        consistent_deals([Seen(0, moves)], "bga")


@pytest.mark.parametrize("cards", [(20,), (-1,), ("Kc",), (True,), None, tuple(range(21))])
def test_what_is_no_card_is_refused(cards):
    with pytest.raises(mate.MateError):
        consistent_deals([Seen(0, cards)])


@pytest.mark.parametrize("variant", ["capellen", "double", "pieces", "nonsense"])
def test_variants_it_cannot_tell_of_are_refused(variant):
    with pytest.raises(mate.VariantError):
        consistent_deals([Seen(0, (4,))], variant)


# --- The questions about single cards ------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_asked_of_the_core_is_what_the_rules_say(variant):
    rules = mate.PRESETS[variant].rules
    privileged = {"bga": "", "bga-free": "", "bga-king": "K", "bga-figure": "KQ"}[variant]
    for led, a in enumerate(CARDS):
        suits = {c for c in CARDS if c[1] == a[1]} - {a}
        ranks = {c for c in CARDS if c[0] == a[0]} - {a}
        assert names(matching(rules, led)) == suits | ranks
        for b in suits | ranks:
            first = ranks if a[0] in privileged else suits
            expected = set() if b in first else first
            assert names(ruled_out(rules, led, CARDS.index(b))) == expected
            # Within a suit, and within a rank by the order of the suits, the lower number wins.
            assert is_beaten(rules, led, CARDS.index(b)) == (led < CARDS.index(b))


def names(mask: int) -> set[str]:
    return {card for i, card in enumerate(CARDS) if mask >> i & 1}
