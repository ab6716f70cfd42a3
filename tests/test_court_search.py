"""The double-dummy search of Court Piece against the slow reference, and against itself."""

import copy
import itertools
import pickle
import random
import subprocess
import sys
import threading

import numpy as np
import pytest

import court_reference as reference
from matecore.court_piece import (
    DOUBLE,
    DOUBLE_TEAM,
    NO_TRUMP,
    PLAIN,
    STOP,
    UNNAMED,
    Position,
    Rules,
    SelfPlay,
    Solver,
)

COURTS = {1: ("thirteen",), 2: ("first_seven",), 3: ("thirteen", "first_seven")}
COLLECTIONS = ("plain", "double", "double_team")
S3_HANDS = "J64.J95.T73.AKJ4 AKQT7.74.AQ5.863 852.T832.862.T92 93.AKQ6.KJ94.Q75"


def number_of(card):
    """The number of a card told as text."""
    return 13 * reference.SUITS.index(card[1]) + reference.RANKS.index(card[0])


def masks(hands):
    return [sum(1 << number_of(card) for card in hand) for hand in hands]


def from_pbn(text):
    """The masks of four hands as PBN tells them."""
    hands = [
        [rank + suit for suit, ranks in zip("SHDC", hand.split("."), strict=True) for rank in ranks]
        for hand in text.split()
    ]
    return masks(hands)


def any_rules(rng):
    """Rules of any kind, for the core and for the reference."""
    collection, court, chase = rng.randrange(3), rng.randrange(1, 4), rng.randrange(3)
    points = (*sorted(rng.sample(range(6), 2)), *sorted(rng.sample(range(6), 2)))
    blocked = rng.choice([(), (2,), (2, 12), (9, 10, 11)])
    ace_rule, restart = rng.random() < 0.5, rng.random() < 0.5
    rules = Rules(
        collection=collection,
        court=court,
        chase=chase,
        points=points,
        blocked=blocked,
        ace_rule=ace_rule,
        restart=restart,
    )
    return rules, reference_of(rules)


def reference_of(rules):
    collection, court, chase, points, blocked, ace_rule, restart = rules.arguments
    return reference.Rules(
        COLLECTIONS[collection],
        COURTS[court],
        ("none", "forced", "optional")[chase],
        points,
        blocked,
        ace_rule,
        restart,
    )


def dealt(rng):
    pack = list(range(52))
    rng.shuffle(pack)
    return [sum(1 << card for card in pack[13 * seat : 13 * seat + 13]) for seat in range(4)]


def played(rng, rules, n_tricks, n_table=0, trump=None):
    """A position that random play came to, the hand not being over, if it can be."""
    while True:
        suit = rng.randrange(5) if trump is None else trump
        position = Position(rules, dealt(rng), rng.randrange(4), suit)
        while not position.is_over and (position.n_tricks, len(position.table)) < (
            n_tricks,
            n_table,
        ):
            position.push(rng.choice(position.legal_actions()))
        if not position.is_over:
            return position


def cards_in(mask):
    return tuple(sorted(card for card in reference.PACK if mask >> number_of(card) & 1))


def text_of(card):
    return reference.RANKS[card % 13] + reference.SUITS[card // 13]


def state_of(position):
    """The same position for the reference."""
    return reference.State(
        tuple(map(cards_in, position.hands)),
        position.caller,
        "SHDCN"[position.trump],
        position.leader,
        tuple(map(text_of, position.table)),
        position.won,
        position.collected,
        position.pile,
        position.armed,
        position.by_ace,
        position.chasing,
    )


# --- Facts (section 4 of the rules) --------------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "tricks", "sweeps"),
    [
        (S3_HANDS, (12, 11, 13, 10), None),
        (
            "AJ.74.T87652.T63 T542.K832.KQ94.A Q963.JT96.AJ3.J9 K87.AQ5..KQ87542",
            (9, 9, 6, 11),
            (True, True, False, True),
        ),
        (
            "K9853.T72.Q8652. J764.KJ6..KQ8542 AQ.98.AJT97.JT73 T2.AQ543.K43.A96",
            (6, 9, 3, 10),
            (False, True, False, True),
        ),
    ],
)
def test_whole_deals(hands, tricks, sweeps):
    solver = Solver(Rules())
    positions = [Position(Rules(), from_pbn(hands), 1, trump) for trump in range(4)]
    assert tuple(map(solver.tricks, positions)) == tricks
    if sweeps:
        assert tuple(solver.first_seven(position, 1) for position in positions) == sweeps


@pytest.mark.parametrize(
    ("hands", "tricks"),
    [
        (("5H QD TC", "9C 9H AC", "5S 7H AS", "2S 5D 9S"), (2, 0, 2)),
        (("4S 5C JH", "2C AH AS", "2H KC QH", "3D 7H 9H"), (2, 3, 3)),
    ],
)
@pytest.mark.parametrize("collection", [PLAIN, DOUBLE, DOUBLE_TEAM])
def test_endings(hands, tricks, collection):
    rules = Rules(collection=collection)
    position = Position(rules, masks(hand.split() for hand in hands), 1, 0)
    assert Solver(rules).tricks(position) == tricks[collection]


# --- The reference -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60))
def test_tricks_are_those_of_the_reference(seed):
    """Of every collection, in endings of up to six cards, at any card of a trick."""
    rng = random.Random(seed)
    rules, same = any_rules(rng)
    position = played(rng, rules, 13 - rng.choice((3, 4, 4, 5)), rng.randrange(4))
    solver, state = Solver(rules, 12), state_of(position)
    expected = {number_of(card): tricks for card, tricks in reference.values(same, state).items()}
    assert dict(solver.values(position)) == expected
    assert solver.tricks(position) == max(expected.values())
    for tricks in range(-1, 16):
        assert solver.at_least(position, tricks) == (tricks <= max(expected.values()))


# Of the first forty seeds those at which the reference is done in two seconds.
@pytest.mark.parametrize("seed", [0, 3, 6, 7, 9, 10, 11, 12, 13, 14, 16, 17, 19, 20, 23, 24])
def test_tricks_of_six_cards(seed):
    rng = random.Random(seed)
    rules, same = any_rules(rng)
    position = played(rng, rules, 7, rng.randrange(4))
    assert Solver(rules).tricks(position) == reference.tricks(same, state_of(position))


@pytest.mark.parametrize("seed", range(60))
def test_points_are_those_of_the_reference(seed):
    rng = random.Random(seed)
    rules, same = any_rules(rng)
    position = played(rng, rules, 9, rng.randrange(4))
    state, solver = state_of(position), Solver(rules, 12)
    values = reference.move_values(same, state)
    assert dict(solver.points_of(position)) == {number_of(c): v for c, v in values.items()}
    assert solver.points(position) == max(values.values())


@pytest.mark.parametrize("seed", range(80))
def test_first_seven_is_that_of_the_reference(seed):
    """From positions that bad play of the others came to, so that it may still be made."""
    rng = random.Random(seed)
    rules, same = any_rules(rng)
    solver = Solver(rules)
    position = Position(rules, dealt(rng), rng.randrange(4), rng.randrange(5))
    wanted, side = rng.choice((4, 5, 6)), rng.randrange(2)
    while position.n_tricks < wanted and not position.won[1 - side] and not position.is_over:
        cards = position.legal_actions()
        position.push(min(cards) if position.to_act % 2 == side else max(cards))
    expected = reference.first_seven(same, state_of(position), side)
    assert solver.first_seven(position, side) == expected


@pytest.mark.parametrize("seed", range(60))
def test_the_first_seven_are_won_whatever_lies_in_the_centre(seed):
    """They are tricks won: under double sir as by plain counting."""
    rng = random.Random(seed)
    position = Position(Rules(collection=rng.choice((1, 2))), dealt(rng), 0, rng.randrange(4))
    side = rng.randrange(2)
    plain = Position(Rules(), position.hands, 0, position.trump)
    while position.n_tricks < rng.choice((1, 2, 3)):
        cards = position.legal_actions()
        card = min(cards) if position.to_act % 2 == side else max(cards)
        position.push(card)
        plain.push(card)
    solver = Solver(position.rules)
    for which in range(2):
        assert solver.first_seven(position, which) == Solver(Rules()).first_seven(plain, which)


# --- Itself --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_points_are_those_of_the_best_action(seed):
    """What courts and chases of all collections are worth follows from what comes after."""
    rng = random.Random(seed)
    rules, _ = any_rules(rng)
    solver, other = Solver(rules), Solver(rules)
    position = played(rng, rules, rng.choice((5, 6, 7)), rng.randrange(4))
    after = []
    for action in position.legal_actions():
        child = position.copy()
        child.push(action)
        if child.is_over:
            points = child.points
            after.append(points[position.to_act % 2] - points[1 - position.to_act % 2])
        else:
            same_side = (child.to_act - position.to_act) % 2 == 0
            after.append(other.points(child) * (1 if same_side else -1))
    assert solver.points(position) == max(after)


def test_the_caller_who_sees_all_names_the_best_trump():
    rules = Rules()
    position = Position(rules, from_pbn(S3_HANDS), 1)
    solver = Solver(rules)
    # Two of the four suits bring all thirteen or do not; points rise with tricks.
    assert dict(solver.points_of(position)) == {52: 1, 53: 1, 54: 3, 55: 1}
    assert solver.points(position) == 3
    with pytest.raises(ValueError, match="trump is not named"):
        solver.tricks(position)


def test_who_is_asked_chases_if_it_brings_more():
    rules = Rules(chase=2)
    position = Position(rules, [0x1FFF << 13 * suit for suit in range(4)], 0, 0)
    while position.legal_actions() and position.legal_actions()[0] < STOP:
        position.push(position.legal_actions()[0])
    solver = Solver(rules)
    assert position.won == (7, 0)
    assert solver.points_of(position) == [(56, 1), (57, 3)]
    assert solver.points(position) == 3


@pytest.mark.parametrize("seed", range(30))
def test_lines_are_of_best_play(seed):
    rng = random.Random(seed)
    rules, _ = any_rules(rng)
    position = played(rng, rules, rng.choice((5, 6, 8)), rng.randrange(4))
    solver = Solver(rules)
    side, tricks = position.to_act % 2, solver.tricks(position)
    before, line = position.collected[side], solver.line(position)
    assert len(line) == sum(hand.bit_count() for hand in position.hands)
    same, state = reference_of(rules), state_of(position)
    for card in line:
        assert text_of(card) in reference.playable(state)
        state = reference.play_card(same, state, text_of(card))
    assert state.collected[side] - before == tricks


def test_a_table_that_overflows_changes_nothing():
    """The smallest table forgets all the time."""
    rng = random.Random(5)
    for collection in (PLAIN, DOUBLE):
        rules = Rules(collection=collection)
        position = played(rng, rules, 5)
        assert Solver(rules, 4).tricks(position) == Solver(rules, 20).tricks(position)


def test_what_was_learnt_of_other_deals_and_questions_does_no_harm():
    rng = random.Random(6)
    for collection in (PLAIN, DOUBLE_TEAM):
        rules = Rules(collection=collection, court=3)
        solver = Solver(rules)
        for _ in range(20):
            position = played(rng, rules, rng.choice((5, 6)))
            fresh = Solver(rules)
            assert solver.first_seven(position, 0) == Solver(rules).first_seven(position, 0)
            assert solver.tricks(position) == fresh.tricks(position)
            assert solver.points(position) == Solver(rules).points(position)


# --- Batches -------------------------------------------------------------------------------------


def test_batches_are_the_same_as_one_by_one():
    rng = random.Random(7)
    rules = Rules()
    hands = np.array([dealt(rng) for _ in range(8)], dtype=np.uint64)
    asked = np.array([(rng.randrange(5), rng.randrange(4)) for _ in range(8)], dtype=np.int8)
    out = np.empty(8, dtype=np.int8)
    solver = Solver(rules)
    solver.solve(hands, asked, out)
    for row, (trump, leader) in enumerate(asked.tolist()):
        position = Position(rules, hands[row].tolist(), leader, trump)
        assert out[row] == Solver(rules).tricks(position)


@pytest.mark.parametrize("trump", range(5))
def test_partners_take_over_what_one_of_them_could(trump):
    """A suit each: whoever has the trumps takes all, without them who leads."""
    hands = [0x1FFF << 13 * suit for suit in range(4)]
    solver = Solver(Rules())
    for leader in range(4):
        position = Position(Rules(), hands, leader, trump)
        owner = leader if trump == NO_TRUMP else trump
        assert solver.tricks(position) == (13 if (owner - leader) % 2 == 0 else 0)


# --- Hostile input -------------------------------------------------------------------------------


def test_positions_of_other_rules_are_refused():
    position = Position(Rules(), from_pbn(S3_HANDS), 1, 0)
    solver = Solver(Rules(chase=0))
    for ask in (solver.tricks, solver.values, solver.line, solver.points, solver.points_of):
        with pytest.raises(ValueError, match="another variant"):
            ask(position)
    with pytest.raises(TypeError):
        solver.tricks(None)
    with pytest.raises(ValueError, match="side 2"):
        Solver(Rules()).first_seven(position, 2)


@pytest.mark.parametrize("bits", [3, 29, -1, 1 << 20])
def test_tables_out_of_range(bits):
    with pytest.raises(ValueError, match="table_bits"):
        Solver(Rules(), bits)


def test_batches_refuse_what_is_no_deal():
    solver = Solver(Rules())
    hands = np.array([from_pbn(S3_HANDS)] * 2, dtype=np.uint64)
    asked, out = np.zeros((2, 2), dtype=np.int8), np.empty(2, dtype=np.int8)
    for row in ([0, 0, 0, 0], [1, 1, 1, 1], [2**64 - 1] * 4, [*from_pbn(S3_HANDS)[:3], 2**63]):
        bad = hands.copy()
        bad[1] = row
        with pytest.raises(ValueError, match=r"hands\[1\]"):
            solver.solve(bad, asked, out)
    for ask in ((5, 0), (-1, 0), (0, 4), (0, -1)):
        with pytest.raises(ValueError, match=r"asked\[0\]"):
            solver.solve(hands, np.array([ask, (0, 0)], dtype=np.int8), out)
    for arguments in (
        (hands[:, :3].copy(), asked, out),
        (hands, asked[:1], out),
        (hands, asked, out[:1]),
        (hands.astype(np.int64), asked, out),
        (hands[:, ::-1], asked, out),
    ):
        with pytest.raises((ValueError, BufferError)):
            solver.solve(*arguments)


def test_points_need_to_know_all_tricks():
    """An ending that does not tell them has tricks still to be collected, and no points."""
    ending = Position(Rules(), [1, 2, 4, 8], 0, 0)
    solver = Solver(Rules())
    assert solver.tricks(ending) == 1
    for ask in (solver.points, solver.points_of, lambda p: solver.points_within(p, 100)):
        with pytest.raises(ValueError, match="do not tell of all tricks"):
            ask(ending)
    assert solver.points(Position(Rules(), [1, 2, 4, 8], 0, 0, won=(6, 6))) == 1


@pytest.mark.parametrize("value", [0.5, 10.0, "1", None, [1]])
def test_numbers_are_integers(value):
    position = Position(Rules(), from_pbn(S3_HANDS), 1, 0)
    solver = Solver(Rules())
    for ask in (position.push, position.is_legal, lambda n: solver.at_least(position, n),
                lambda n: solver.points_within(position, n), lambda n: Solver(Rules(), n),
                lambda n: SelfPlay(Rules(), n), lambda n: SelfPlay(Rules(), seed=n)):  # fmt: skip
        with pytest.raises(TypeError):
            ask(value)


def test_numbers_may_be_huge():
    position = Position(Rules(), from_pbn(S3_HANDS), 1, 0)
    for action in (-(10**30), 10**30):
        assert not position.is_legal(action)
        with pytest.raises(ValueError, match="not legal"):
            position.push(action)
        with pytest.raises(ValueError, match="table_bits"):
            Solver(Rules(), action)
        with pytest.raises(ValueError, match="seed"):
            SelfPlay(Rules(), seed=action)


def test_what_has_no_end_is_not_read_to_its_end():
    for hands in (itertools.repeat(1), None, 3):
        with pytest.raises(ValueError, match="hands"):
            Position(Rules(), hands, 0, 0)
    for name in ("points", "blocked"):
        for values in (itertools.repeat(1), None, 3):
            with pytest.raises(ValueError, match=name):
                Rules(**{name: values})


def test_a_handler_that_searches_while_it_is_called_again():
    """It would fill the stack, were signals looked for at any depth. In a process of its own."""
    program = """if True:
        import signal, time
        from matecore.court_piece import Position, Rules, Solver
        from mate.court_piece import Deal
        solver, end = Solver(Rules(), 10), time.monotonic() + 3
        positions = [Position(Rules(), Deal.random(i).masks, 1, 4) for i in range(20)]
        def handler(*_):
            if time.monotonic() > end:
                signal.setitimer(signal.ITIMER_REAL, 0)
                solver.stop()
                return
            for position in positions:
                solver.tricks(position)
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
        try:
            for position in positions * 100:
                solver.tricks(position)
        except RuntimeError as error:
            print(error)
    """
    told = subprocess.run(
        [sys.executable, "-c", program], check=True, timeout=120, capture_output=True, text=True
    ).stdout
    assert told == "the solver was stopped\n"


def test_a_solver_can_be_stopped_and_copied():
    position = Position(Rules(), from_pbn(S3_HANDS), 1, 0)
    solver = Solver(Rules())
    other = pickle.loads(pickle.dumps(solver))
    solver.stop()
    with pytest.raises(RuntimeError, match="stopped"):
        solver.tricks(position)
    assert other.tricks(position) == copy.copy(other).tricks(position) == 12


def test_a_search_of_limited_length_says_when_it_ended():
    rng = random.Random(1)
    position = played(rng, Rules(), 0)
    solver = Solver(Rules())
    assert solver.points_within(position, 0) is None
    assert solver.points_within(position, 10) is None
    # What it gave up does not stay behind.
    assert solver.tricks(position) == Solver(Rules()).tricks(position)
    assert solver.points_within(position, 10**30) == solver.points(position)


@pytest.mark.parametrize("number", [-(10**30), -1, 10**30])
def test_numbers_beyond_all_tricks(number):
    position = Position(Rules(), from_pbn(S3_HANDS), 1, 0)
    assert Solver(Rules()).at_least(position, number) == (number < 0)
    if number < 0:
        with pytest.raises(ValueError, match="less than none"):
            Solver(Rules()).points_within(position, number)
    for side in ("x", True, 1.0, None, number):
        with pytest.raises(ValueError, match="is not 0 or 1"):
            Solver(Rules()).first_seven(position, side)


def test_a_batch_that_is_stopped_writes_nothing_more():
    solver, rng = Solver(Rules()), random.Random(2)
    hands = np.array([dealt(rng) for _ in range(2000)], dtype=np.uint64)
    asked, out = np.zeros((2000, 2), dtype=np.int8), np.full(2000, -1, dtype=np.int8)
    threading.Timer(0.2, solver.stop).start()
    with pytest.raises(RuntimeError, match="stopped"):
        solver.solve(hands, asked, out)
    done = int((out >= 0).sum())
    assert done < 2000
    assert (out[done:] == -1).all()
    for row in range(min(done, 3)):
        position = Position(Rules(), hands[row].tolist(), 0, 0)
        assert out[row] == Solver(Rules()).tricks(position)


def test_one_solver_serves_threads_one_at_a_time():
    position = Position(Rules(), from_pbn(S3_HANDS), 1, 0)
    solver, found = Solver(Rules()), []
    threads = [
        threading.Thread(target=lambda: found.append(solver.tricks(position))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [12] * 4


# --- Positions -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"hands": [1, 1, 4, 8]}, "hands"),
        ({"hands": [1, 2, 4]}, "hands"),
        ({"hands": [1, 2, 4, 24]}, "hands"),
        ({"hands": [-1, 2, 4, 8]}, "hands"),
        ({"hands": [1, 2, 4, 1 << 52]}, "hands"),
        ({"hands": [1.5, 2, 4, 8]}, "hands"),
        ({"caller": 4}, "caller"),
        ({"caller": True}, "caller"),
        ({"trump": 6}, "trump"),
        ({"trump": UNNAMED}, "trump"),
        ({"leader": -1}, "leader"),
        ({"table": (0,)}, "table"),
        ({"table": (5, 6, 7, 8)}, "table"),
        ({"table": (5, 5)}, "table"),
        ({"table": (52,)}, "table"),
        ({"won": (14, 0)}, "won"),
        ({"won": (7, 6)}, "won"),
        ({"won": (1,)}, "won"),
        ({"won": (12, 0), "rules": Rules(court=2)}, "won"),
        ({"won": (0, 12), "rules": Rules(court=3, collection=1)}, "won"),
        ({"collected": (1, 0)}, "collected"),
        ({"pile": 1}, "pile"),
        ({"armed": 0}, "armed"),
        ({"by_ace": True}, "by_ace"),
        ({"chasing": True}, "chasing"),
    ],
)
def test_positions_that_cannot_be(changes, field):
    from matecore.court_piece import InvalidPosition

    given = {"rules": Rules(), "hands": [1, 2, 4, 8], "caller": 0, "trump": 0, **changes}
    with pytest.raises(InvalidPosition) as refused:
        Position(given.pop("rules"), **given)
    assert refused.value.field == field


def test_who_could_follow_suit_has():
    from matecore.court_piece import InvalidPosition

    with pytest.raises(InvalidPosition, match="did not follow suit"):
        Position(
            Rules(), [1 << 20, 1 << 1, 1 << 30 | 1 << 31, 1 << 40 | 1 << 41], 0, 0, table=(0, 25)
        )
    # ... but hands without a card of the suit are as they should be.
    assert (
        Position(
            Rules(), [1 << 20, 1 << 30, 1 << 31 | 1 << 32, 1 << 40 | 1 << 41], 0, 0, table=(0, 25)
        ).to_act
        == 2
    )


@pytest.mark.parametrize(
    "arguments",
    [
        {"collection": 3},
        {"court": 0},
        {"court": 4},
        {"chase": -1},
        {"points": (1, 3, 1)},
        {"points": (1, 3, 1, 101)},
        {"points": (3, 1, 1, 3)},
        {"points": (1, 3, 2, 1)},
        {"blocked": (0,)},
        {"blocked": (14,)},
        {"collection": True},
        {"collection": 1.0},
    ],
)
def test_rules_that_cannot_be(arguments):
    with pytest.raises(ValueError, match=r"\d"):
        Rules(**arguments)


@pytest.mark.parametrize("seed", range(20))
def test_positions_are_copied_with_their_past(seed):
    rng = random.Random(seed)
    rules, _ = any_rules(rng)
    position = played(rng, rules, rng.randrange(12), rng.randrange(4))
    for other in (copy.copy(position), pickle.loads(pickle.dumps(position)), position.copy()):
        assert other == position
        assert other.played == position.played
        other.push(other.legal_actions()[-1])
        assert other != position
        other.pop()
        assert other == position
    with pytest.raises(ValueError, match="not legal"):
        position.push(58)
    while position.played:
        position.pop()
    with pytest.raises(IndexError):
        position.pop()
