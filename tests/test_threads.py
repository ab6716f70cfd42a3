"""Every public callable from many threads at once, on shared objects and on each thread's own.

What docs/threads.md promises: answers are those of a single thread, and nothing is disturbed. On a
build without the interpreter's lock this is the run that `freethreading_compatible` rests on.
"""

import ast
import ctypes
import pickle
import random
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import mate
import matecore
import matecore.capi
from mate.arrays.encoding import decode, observe
from mate.render.svg import svg
from matecore import court_piece
from matecore.lanes import available, chosen
from matecore.tablebase import checksum_of_bytes
from positions import build

SMALL = mate.Variant(deck=mate.Deck("abc", "WXYZ", ("WXYZ",) * 3, (9, 7, 5, 3)))
RULES = SMALL.rules
DEAL = "WX.Y.XYZ"
THREADS = 6
ROWS = 8  # of a shared vector that each thread has to itself
N, ACTIONS = 12, 37
SECONDS = [0.5, pytest.param(8, marks=pytest.mark.slow)]


@pytest.fixture(autouse=True)
def switching():
    """Threads change places a thousand times as often as they do by default."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    yield
    sys.setswitchinterval(before)


def together(work, n=THREADS):
    """Return what `work` returns for 0 .. n - 1, each on a thread, all begun at once."""
    results, start = [None] * n, threading.Barrier(n)

    def run(me):
        start.wait()
        try:
            results[me] = work(me)
        except BaseException as error:
            results[me] = error

    threads = [threading.Thread(target=run, args=(me,)) for me in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive(), "threads wait for each other for ever"
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


class Objects:
    """One of everything that threads may share."""

    def __init__(self, n=THREADS):
        self.game = mate.Game(DEAL, SMALL)
        self.core = self.game.core
        x, y = self.hands = self.core.hands
        self.deals = np.array([[x, y], [y, x]] * 4, np.uint32)
        self.solver = matecore.Solver(RULES, 8)
        self.lattice = matecore.Lattice(RULES)
        self.lattice.solve(x, y)
        self.table = build(RULES).tablebase()
        sums = self.table.checksums()
        self.checked = matecore.Tablebase(RULES, self.table.buffer, sums)
        self.tablebase = mate.Tablebase(self.table, SMALL)
        self.face_lattice = mate.Lattice(DEAL, SMALL)
        self.policies = [matecore.Policy(kind) for kind in range(3)]
        self.selfplay = matecore.SelfPlay(RULES, *self.policies[1:], seed=1, labels=True)
        self.vector = matecore.Vector(RULES, ROWS * n)
        self.instep = matecore.InStep(RULES, ROWS * n)
        self.games = mate.selfplay(40, "random", "random", SMALL, seed=1)
        self.record = mate.Record.of(self.games.game(0))
        self.court_rules = court_piece.Rules(collection=court_piece.DOUBLE_TEAM, court=3)
        hands = [sum(1 << card for card in range(seat, 20, 4)) for seat in range(4)]
        self.ending = court_piece.Position(
            self.court_rules, hands, 0, 1, won=(4, 4), collected=(4, 4)
        )
        self.court_solver = court_piece.Solver(self.court_rules, 8)
        self.court_plain = court_piece.Solver(court_piece.Rules(), 12)
        self.court_deal = [0x1FFF << 13 * suit for suit in range(4)]
        self.court_selfplay = court_piece.SelfPlay(self.court_rules, 1, 0, seed=1)
        self.text = mate.write_record(self.record)


# --- The core ------------------------------------------------------------------------------------


def position(o, me):
    own = o.core.copy()
    own.push(own.legal_actions()[0])
    seen, legal = np.empty((matecore.PLANES, N), np.uint8), np.empty(ACTIONS, np.uint8)
    o.core.observe(seen)
    o.core.legal_mask(legal)
    return (
        *(own.key, own.pop(), own == o.core, o.core.snapshot().key, o.core.legal_actions()),
        *(o.core.perft(5), o.core.hands, o.core.is_over, seen.tobytes(), legal.tobytes()),
        pickle.loads(pickle.dumps(own)).key,
    )


def rules(o, me):
    again = pickle.loads(pickle.dumps(o.core.rules))
    tiny = matecore.Rules([0, 0, 1, 1], [0, 1, 0, 1], [11, 10, 11, 10])
    same = again == RULES, hash(again) == hash(RULES), again.margins
    return *same, tiny.n_actions, RULES.last_card_stays(0, 0, 1)


def looked_up(source, o):
    values = np.empty((len(o.deals), 2), np.int16)
    source.solve(o.deals, values)
    found = source.value(o.core), source.values(o.core), source.line(o.core)
    return *found, values.tolist()


def solver(o, me):
    return looked_up(o.solver, o)


def table(o, me):
    out = np.empty(len(o.deals), np.int16)
    o.table.probe_many(o.deals[:, 0], o.deals[:, 1], out)
    o.checked.check_all()
    probed = o.table.probe(*o.hands), o.table.place(*o.hands), o.table.margins, out.tolist()
    return *probed, looked_up(o.table, o), looked_up(o.checked, o), o.table.checksums().tolist()


def lattice(o, me):
    o.lattice.solve(*o.hands)
    found = o.lattice.value(o.core), o.lattice.values(o.core), o.lattice.line(o.core)
    return *found, o.lattice.hands, o.lattice.size


def retrograde(o, me):
    return checksum_of_bytes(build(RULES).buffer.view(np.uint8))


def selfplay(o, me):
    deals, leaders = np.empty((16, 2), np.uint32), np.empty(16, np.int8)
    moves, results = np.empty((16, o.selfplay.plies), np.int8), np.empty(16, np.int16)
    values = np.zeros(moves.shape, np.int16)
    best, to_move = np.zeros(moves.shape, np.uint64), np.zeros(moves.shape, np.int8)
    o.selfplay.play(3, deals, leaders, moves, results, values, best)
    o.selfplay.follow(deals, leaders, moves, results, to_move=to_move)
    return [a.tolist() for a in (deals, leaders, moves, results, values, best, to_move)]


def own_rows(o, me, vector):
    return np.arange(ROWS) + (me * ROWS if len(vector) > ROWS else 0)


def play_in_step(vector, rows, choose):
    seen = []
    deals = np.tile(np.array([[0b111111, 0b111111 << 6]], np.uint32), (ROWS, 1))
    legal = np.empty((ROWS, ACTIONS), np.uint8)
    planes = np.empty((ROWS, matecore.PLANES, N), np.uint8)
    vector.reset(rows, deals, np.zeros(ROWS, np.int8))
    for _ in range(4):
        vector.legal(rows, legal)
        vector.observe(rows, planes)
        if not legal.any(axis=1).all():
            break
        vector.step(rows, choose(legal))
        seen.append((legal.tobytes(), planes.tobytes(), vector.position(int(rows[0])).key))
    vector.to_move(np.empty(len(vector), np.int8))
    vector.margins(np.empty(len(vector), np.int16))
    return seen


def vector(o, me):
    rows = own_rows(o, me, o.vector)
    return play_in_step(o.vector, rows, lambda legal: legal.argmax(axis=1))


def instep(o, me):
    rows, out = own_rows(o, me, o.instep), np.empty(ROWS, np.int64)
    deals = np.empty((ROWS, 2), np.uint32)
    o.instep.begin(rows, deals, np.zeros(ROWS, np.int8), seed=1)
    drawn = []
    for policy in o.policies:
        o.instep.choose(rows, policy, out)
        drawn.append(out.tolist())
    o.instep.choose(rows, o.policies[2], out, o.table)
    legal = np.empty((ROWS, ACTIONS), np.uint8)
    o.instep.legal(rows, legal)
    o.instep.sample(rows, legal.astype(float), out)
    return deals.tolist(), drawn, out.tolist()


def environments(o, me):
    n = 8
    planes, masks = np.empty((n, matecore.PLANES, N), np.uint8), np.empty((n, ACTIONS), np.uint8)
    rewards, dones, to_move = np.empty(n, np.int16), np.empty(n, np.uint8), np.empty(n, np.int8)
    games = matecore.Environments(RULES, n, planes, masks, rewards, dones, to_move)
    games.begin(seed=1)
    seen = []
    for _ in range(20):
        games.step(masks.argmax(axis=1).astype(np.int64))
        seen.append((planes.tobytes(), rewards.tolist(), dones.tolist(), to_move.tolist()))
    return seen, games.position(0).key


def replay(o, me):
    games, n = o.games, int((o.games.moves >= 0).sum())
    seen = np.empty((n, matecore.PLANES, N), np.uint8)
    legal, to_move = np.empty((n, ACTIONS), np.uint8), np.empty(n, np.int8)
    matecore.replay(RULES, games.deal, games.leader, games.moves, seen, legal, to_move)
    return seen.tobytes(), legal.tobytes(), to_move.tobytes()


def numbers(o, me):
    return matecore.layers(RULES), matecore.width_of(RULES), available(), chosen()


def capi(o, me):
    """Through the table of C functions, which ctypes calls without the interpreter's lock."""
    address = ctypes.pythonapi.PyCapsule_GetPointer
    address.restype, address.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    # Behind version and size: the order of the functions in matecore.h.
    table = (ctypes.c_void_p * 17).from_address(address(matecore.capi.API, b"matecore.capi.API"))
    held = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object)
    state, actions, value = (ctypes.c_uint8 * 16)(), (ctypes.c_int8 * 97)(), ctypes.c_int()
    rules, tablebase = held(table[1])(RULES), held(table[3])(o.table)
    told = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p)
    told(table[4])(o.core, rules, ctypes.addressof(state))
    asked = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 3)
    n = asked(table[9])(rules, ctypes.addressof(state), ctypes.addressof(actions))
    asked(table[16])(tablebase, ctypes.addressof(state), ctypes.addressof(value))
    return list(actions)[:n], value.value, matecore.get_include()


# The modules that each of these runs, besides what stands in them.
def court(o, me):
    again, own = pickle.loads(pickle.dumps(o.ending)), o.ending.copy()
    own.push(own.legal_actions()[0])
    after = own.table, own.is_legal(1), own.pop(), own == again, own.points
    return *after, repr(own.rules), hash(own.rules) == hash(o.court_rules), o.ending.to_act


def court_solver(o, me):
    solver, ending = o.court_solver, o.ending
    hands, asked = np.array([o.court_deal] * 2, np.uint64), np.array([[0, 1], [3, 2]], np.int8)
    out = np.empty(2, np.int8)
    o.court_plain.solve(hands, asked, out)
    known = solver.tricks(ending), solver.values(ending), solver.at_least(ending, 3)
    points = solver.points(ending), solver.points_of(ending), solver.first_seven(ending, 0)
    return *known, *points, solver.line(ending), solver.points_within(ending, 10**6), out.tobytes()


def court_selfplay(o, me):
    played = [np.empty((30, 4), np.uint64), np.empty(30, np.uint64)]
    played += [np.empty(30, np.int8) for _ in range(3)]
    played += [np.empty((30, n), np.int8) for n in (o.court_selfplay.plies, 2, 2)]
    played += [np.empty(30, np.int8) for _ in range(2)]
    o.court_selfplay.play(7, *played)
    o.court_selfplay.follow(*played)
    return [array.tobytes() for array in played]


CORE = {
    rules: "rules",
    position: "position",
    solver: "search",
    table: "tablebase codes index",
    lattice: "lattice lanes codes",
    retrograde: "retrograde index lanes codes",
    selfplay: "selfplay policy rng dealing",
    vector: "vector",
    instep: "instep policy rng dealing",
    environments: "environments",
    replay: "replaying",
    capi: "capi tablebase",
    numbers: "index lanes",
    court: "court_piece.rules court_piece.position",
    court_solver: "court_piece.solver court_piece.worth court_piece.search court_piece.table "
    "court_piece.order court_piece.sure",
    court_selfplay: "court_piece.selfplay",
}


# --- The face ------------------------------------------------------------------------------------


def deals(o, me):
    deal, custom = mate.Deal.random(7), mate.Deck("ab", "XYZ", ("XYZ",) * 2, (3, 2, 1))
    variant = mate.Variant.from_plain(mate.PRESETS["capellen"].to_plain())
    rule = mate.Foreplacing("capellen", second_alone=True)
    return str(deal), mate.Hand(deal.x.mask), custom, hash(variant), rule, mate.DECKS.keys()


def games(o, me):
    game = mate.Game(DEAL, SMALL)
    for ply in range(4):
        game.push(game.legal_moves[ply % len(game.legal_moves)])
    again = mate.Position.parse(str(game.position), SMALL)
    return game.moves, str(again), game.pop(), decode(observe(o.game), SMALL) == o.game.position


def exact(o, me):
    found = [mate.analyze(source) for source in (o.game, o.game.position)]
    rounds = mate.solve_round(["AQ7.A7.TK7.AT"], "abril", threads=2).tolist()
    found = [(a.value, a.best, a.moves, a.outcome) for a in found]
    return found, mate.solve([DEAL], SMALL, threads=2).tolist(), rounds


def lookups(o, me):
    values = o.tablebase.probe(o.game), o.tablebase.values(o.game), o.face_lattice.values(o.game)
    many = o.tablebase.probe_many(o.deals[:, 0], o.deals[:, 1]).tolist()
    built = mate.Tablebase.build(SMALL, threads=2)
    return *values, many, o.tablebase.best_moves(o.game), built.probe(o.game)


def matches(o, me):
    x, y = mate.Player.of("epsilon:0.3", 1), mate.Player.of("depth:2", 2)
    match = mate.Match(SMALL)
    return mate.Round(DEAL, SMALL).play(x, y), match.play(x, y, rng=3), match.scores


def told(o, me):
    review = mate.review(o.record)
    (again,) = mate.parse_records(o.text)
    puzzle = next(mate.puzzles(seed=2, level=1))
    drawn = svg(o.game.position) == svg(mate.Game(DEAL, SMALL).position)
    several = mate.review_deals([o.record.start], again.game().moves)
    return review.x, review.y, again == o.record, puzzle.best, drawn, several.x


def arrays(o, me):
    played = mate.selfplay(40, "optimal", "random", SMALL, seed=1, labels=True, threads=2)
    batch = next(mate.samples(mate.label(o.games, threads=2)))
    arena = mate.arena("greedy", "random", rounds=4, variant=SMALL, seed=1, threads=2)
    asked = mate.selfplay(8, lambda seen, legal: legal.argmax(axis=1), "random", SMALL, seed=1)
    parts = played.moves, played.best, batch.observation, batch.value, asked.moves
    return [part.tobytes() for part in parts], str(arena)


FACE = [deals, games, exact, lookups, matches, told, arrays]


def files(o, folder):
    """Write and read one of each kind of file, in a folder of one's own."""
    path = o.tablebase.save(folder / "a.mtb")
    opened = mate.Tablebase.open(path).probe(o.game)
    mate.write_records(folder / "a.mate", [o.record])
    count = mate.write_samples(folder / "a.npz", o.games)
    mate.write_selfplay(
        folder / "run", 40, variant=SMALL, seed=1, threads=2, shard=20, format="npz"
    )
    played = [part.moves.tobytes() for part in mate.read_games(folder / "run")]
    return opened, list(mate.read_records(folder / "a.mate")) == [o.record], count, played


# --- All of it -----------------------------------------------------------------------------------


def in_turn(calls, make, me, seconds):
    """Make the calls over and over, in random order; return how often each gave what."""
    rng, until = random.Random(me), time.monotonic() + seconds
    found = {}
    while True:
        for call in rng.sample(calls, len(calls)):
            found.setdefault(call.__name__, set()).add(repr(call(make(me), me)))
        if time.monotonic() > until:
            return found


@pytest.mark.parametrize("seconds", SECONDS)
@pytest.mark.parametrize("calls", [list(CORE), FACE], ids=["core", "face"])
@pytest.mark.parametrize("shared", [True, False], ids=["shared", "own"])
def test_threads_get_what_one_gets(calls, shared, seconds):
    one = Objects(1)
    alone = in_turn(calls, lambda me: one, 0, 0)
    assert all(len(answers) == 1 for answers in alone.values())
    objects = [Objects()] * THREADS if shared else [Objects(1) for _ in range(THREADS)]
    for found in together(lambda me: in_turn(calls, objects.__getitem__, me, seconds)):
        assert found == alone


def test_files_of_many_threads(tmp_path):
    o = Objects(1)
    folders = [tmp_path / str(i) for i in range(THREADS)]
    for folder in folders:
        folder.mkdir()
    results = together(lambda me: files(o, folders[me]))
    assert all(result == results[0] for result in results)


def test_nothing_public_is_left_out():
    text = Path(__file__).read_text(encoding="utf-8")
    used = {
        f"{node.value.id}.{node.attr}"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    # What only comes as an answer or as an error is not called.
    answers = {"Analysis", "Arena", "Decision", "Games", "Layer", "MoveValue", "Outcome"}
    answers |= {"Puzzle", "Review", "Samples", "Summary"}
    for package in (mate, matecore):
        for name in package.__all__:
            thing = getattr(package, name)
            is_error = isinstance(thing, type) and issubclass(thing, Exception)
            if callable(thing) and not is_error and name not in answers:
                assert f"{package.__name__}.{name}" in used


def test_what_is_declared_is_covered():
    setup = Path(__file__).parents[1] / "setup.py"
    names = next(
        ast.literal_eval(node.value)
        for node in ast.walk(ast.parse(setup.read_text(encoding="utf-8")))
        if isinstance(node, ast.Assign) and node.targets[0].id == "MODULES"
    )
    assert {name for covered in CORE.values() for name in covered.split()} == set(names)


# --- Where threads meet --------------------------------------------------------------------------


def test_one_position_is_played_on_while_others_look():
    o = Objects(1)
    ahead = o.core.copy()
    ahead.push(0)
    values = {before.key: o.solver.values(before) for before in (o.core, ahead)}
    until = time.monotonic() + 0.5

    def work(me):
        while time.monotonic() < until:
            if me == 0:
                o.core.push(0)
                o.core.pop()
            else:
                found = (o.solver, o.table, o.lattice)[me % 3].values(o.core)
                assert found in values.values()
                assert o.core.snapshot().key in values

    together(work)


def test_threads_share_the_making_of_a_tablebase():
    expected = bytes(Objects(1).table.buffer)
    making = matecore.Retrograde(RULES)
    for step in range(1, making.n_steps + 1):
        counts = together(lambda me, step=step: sum(iter(lambda: making.work(step), 0)))
        assert sum(counts) == making.positions(step)
    assert bytes(making.tablebase().buffer) == expected


def test_a_lattice_between_deals():
    shared, hands = matecore.Lattice(RULES), Objects(1).hands
    positions = [matecore.Position(RULES, *hands), matecore.Position(RULES, *reversed(hands))]
    values = [matecore.Solver(RULES).values(p) for p in positions]

    def work(me):
        for _ in range(200):
            if me % 2:
                shared.solve(*(hands if me % 4 == 1 else hands[::-1]))
            assert shared.hands in {(0, 0), hands, hands[::-1]}
            with suppress(ValueError):  # it is of another deal
                assert shared.values(positions[me % 4 // 2]) == values[me % 4 // 2]

    together(work)


@pytest.mark.parametrize("labels", [False, True])
def test_arrays_that_two_write_to_do_no_harm(labels):
    policies = matecore.Policy(2), matecore.Policy(2)
    players = [matecore.SelfPlay(RULES, *policies, seed=me, labels=labels) for me in range(2)]
    deals, leaders = np.empty((64, 2), np.uint32), np.empty(64, np.int8)
    moves, results = np.empty((64, players[0].plies), np.int8), np.empty(64, np.int16)

    def work(me):
        for i in range(60):
            # Noise among the deals and moves that the other is about to read.
            if i % 3 == 0 and me == 0:
                deals[:] = np.random.default_rng(i).integers(0, 2**32, deals.shape)
                moves[:] = np.random.default_rng(i).integers(-128, 128, moves.shape)
            with suppress(matecore.IllegalRow):
                if i % 2:
                    players[me].play(0, deals, leaders, moves, results, draw=i % 4 == 1)
                else:
                    players[me].follow(deals, leaders, moves, results)

    together(work, 2)


def test_a_solver_is_stopped_by_another_thread():
    solver = matecore.Solver(mate.Variant.of("capellen,deck=double24").rules)
    position = matecore.Position(solver.rules, 0xFFF, 0xFFF000)

    def work(me):
        if me == 0:
            time.sleep(0.2)
            return solver.stop()
        return next(filter(None, iter(lambda: stopped(solver, position), "never")))

    assert together(work, 4)[1:] == ["the solver was stopped"] * 3


def stopped(solver, position):
    try:
        solver.values(position)
    except RuntimeError as error:
        return str(error)
