"""Pictures: well-formed, complete, and telling what the rules say."""

import doctest
import itertools
import random
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

import make_golden_svg
import mate
import pairing
import reference
from mate.render.markup import element, label, number, wrapped
from mate.render.svg import svg
from mate.render.themes import _DARK, _DARK_PIECES, _LIGHT, _LIGHT_PIECES, Theme
from mate.render.tricks import tricks_of

NS = "{http://www.w3.org/2000/svg}"
DEAL = "AQ7.A7.TK7.AT"
MATE = ["7c", "Tc", "Kd", "Ad", "Qc", "Kc", "7d", "Td", "Ac", "Ah", "As", "Ks", "Th", "Qh", "7h"]
LOOKS = list(itertools.product((None, "french", "chess"), (False, True)))


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def cards(root: ElementTree.Element, mark: str = "data-mark") -> Counter:
    """Each card of a picture with its player and what is said of it."""
    found = (e for e in root.iter(NS + "g") if e.get("class") == "card" and e.get(mark))
    return Counter((e.get("data-card"), e.get("data-player"), e.get(mark)) for e in found)


def played(moves, deal=DEAL, variant="bga", leader="x") -> mate.Game:
    game = mate.Game(deal, variant, leader)
    for move in moves:
        game.push(move)
    return game


def pairs(seeds: int):
    """Variants of the engine and the reference: all presets, and random ones."""
    for name in pairing.NAMES:
        yield from ((pairing.engine_variant(name), reference.variant_of(name)) for _ in range(4))
    for seed in range(seeds):
        yield pairing.random_variants(random.Random(seed))


# --- Form ----------------------------------------------------------------------------------------


def test_pictures_of_random_games_are_well_formed():
    rng = random.Random(1)
    for variant, _ in pairs(60):
        game = pairing.random_game(variant, rng, rng.randrange(24))
        for what in (pairing.random_deal(variant, rng), game.position, game):
            check_form(svg(what, *rng.choice(LOOKS)))


def check_form(text: str) -> None:
    root = parsed(text)
    assert text.isascii()
    assert root.get("role") == "img"
    assert root.get("aria-label")
    assert [child.tag for child in root[:2]] == [NS + "title", NS + "desc"]
    names = {e.tag.removeprefix(NS) for e in root.iter()}
    assert names <= {"svg", "title", "desc", "g", "rect", "circle", "path", "text"}
    attributes = {name for e in root.iter() for name in e.attrib}
    assert not {name for name in attributes if name == "id" or name.startswith("on")}
    assert "href" not in text
    width, height = (float(root.get(side)) for side in ("width", "height"))
    boxes = [box(e) for e in root.iter(NS + "rect")]
    assert all(min(x, y) >= 0 and x + w <= width and y + h <= height for x, y, w, h in boxes)
    apart([box(e[1]) for e in root.iter(NS + "g") if e.get("class") == "card"])


def box(rect: ElementTree.Element) -> tuple[float, ...]:
    return tuple(float(rect.get(name, 0)) for name in ("x", "y", "width", "height"))


def apart(boxes: list[tuple[float, ...]]) -> None:
    for (ax, ay, aw, ah), (bx, by, bw, bh) in itertools.combinations(boxes, 2):
        assert ax + aw <= bx + 0.02 or bx + bw <= ax + 0.02 or ay + ah <= by or by + bh <= ay


@pytest.mark.parametrize("name", pairing.NAMES)
def test_pictures_of_the_presets_can_be_read_at_400_pixels(name):
    variant = pairing.engine_variant(name)
    game = pairing.random_game(variant, random.Random(1), 9)
    for what in (pairing.random_deal(variant, random.Random(1)), game.position, game):
        root = parsed(svg(what))
        assert root.get("width") == "400"
        assert min(float(e.get("font-size")) for e in root.iter(NS + "text")) >= 8


def test_a_deck_of_32_ranks_has_a_picture_as_wide_as_it_needs():
    ranks = "ZYXWVUTSRQPONMLKJIHGFEDCBA987654"
    deck = mate.Deck("a", ranks, (ranks,), tuple(range(32, 0, -1)))
    text = svg(mate.Deal((1 << 16) - 1, deck=deck))
    check_form(text)
    assert float(parsed(text).get("width")) > 900


@pytest.mark.parametrize("what", [None, 1, "AQ7.A7.TK7.AT"])
def test_other_things_have_no_picture(what):
    with pytest.raises(mate.MateError, match="is no deal, no position and no game"):
        svg(what)


@pytest.mark.parametrize("theme", ["", "Chess", "\x1b[1m", 3])
def test_there_are_two_themes(theme):
    with pytest.raises(mate.MateError, match="the themes are french, chess"):
        svg(mate.Deal.parse(DEAL), theme)


# --- Names ---------------------------------------------------------------------------------------

HOSTILE = [
    '</text><script>alert("1")</script>',
    "a' onload='x",
    "&lt;]]>",
    "\x00\x1b[2J\u202e\ud800",
]


def hostile_game() -> mate.Game:
    deck = replace(
        mate.DECKS["single"],
        name="<!--" * 99,
        suit_names=tuple(HOSTILE),
        rank_names=(*HOSTILE, "Ω" * 100_000),
        card_name="{rank}<{suit}>" * 100,
    )
    return played(MATE[:9], mate.Deal.parse(DEAL, deck), mate.Variant(deck=deck, name="<v>"))


@pytest.mark.parametrize(("theme", "dark"), LOOKS)
def test_names_of_a_deck_cannot_break_out(theme, dark):
    game = hostile_game()
    texts = [svg(what, theme, dark) for what in (game.position, game)]
    game.pop()
    for move in MATE[8:]:
        game.push(move)
    for text in (*texts, svg(game, theme, dark)):
        check_form(text)
        assert len(text) < 60_000


def test_names_cannot_break_out_of_html():
    page = mate.analyze(hostile_game())._repr_html_()
    assert "<script" not in page
    assert page.isascii()
    assert len(page) < 60_000


def test_elements_are_escaped():
    assert element("g", a_b='"<&>"') == '<g a-b="&quot;&lt;&amp;&gt;&quot;"/>'
    assert "&lt;b&gt;" in label("<b>", 0, 0, 1, "#000")
    assert [number(x) for x in (0.5, 10, 1e-9, -2.25)] == ["0.5", "10", "0", "-2.25"]
    assert max(map(len, wrapped("word " * 1000, 30))) <= 30


# --- Boards --------------------------------------------------------------------------------------


def test_a_deal_shows_every_card_once_with_its_owner():
    rng = random.Random(2)
    for variant, _ in pairs(20):
        deal = pairing.random_deal(variant, rng)
        expected = Counter((c, p, "held") for p in "xy" for c in getattr(deal, p))
        assert cards(parsed(svg(deal))) == expected


def expected_marks(state: reference.State) -> Counter:
    """What a board says of each card, by the reference."""
    found = Counter()
    legal = [move for move in reference.legal(state) if move != "*-"]
    foreplaces = reference.UNDECIDED in state.foreplaced
    marked = state.led is not None or (foreplaces and len(legal) < len(state.hands[state.turn]))
    for number_, hand in enumerate(state.hands):
        kept = number_ != state.turn and state.led in hand and keeps(state, number_)
        for card in reference.without(hand, state.led) if kept else hand:
            mark = "held"
            if marked and number_ == state.turn and ("*" * foreplaces + card) in legal:
                spends = state.led and card not in reference.forced_replies(state)
                mark = "spends" if spends else "legal"
            found[card, "xy"[number_], mark] += 1
    for number_, card in enumerate(state.foreplaced):
        if card not in (None, reference.UNDECIDED):
            found[card, "xy"[number_], "foreplaced"] += 1
    if state.led:
        found[state.led, "xy"[1 - state.turn], "led"] += 1
    seen = Counter(card for card, _, _ in found.elements())
    for card, left in (Counter(state.variant.cards) - seen).items():
        found[card, "-", "played"] += left
    return found


def keeps(state: reference.State, player: int) -> bool:
    """Whether the card led is still in the leader's hand, to be played again (section 5)."""
    rule = state.variant.foreplace
    sole = state.foreplaced[player] is not None and state.foreplaced[1 - player] is None
    return bool(
        rule and rule.last_card_twice and sole and state.trick == state.variant.hand_size - 1
    )


def scores_of(root: ElementTree.Element) -> list[str]:
    texts = [e.text for e in root.iter(NS + "text")]
    at = texts.index("mate scores")
    return texts[at + 1 :]


def test_boards_agree_with_the_reference_all_through_random_games():
    rng = random.Random(3)
    for engine, slow in pairs(60):
        game = pairing.random_game(engine, rng)
        leader = game.root().to_move
        state = reference.start(slow, str(mate.Deal(game.root().x, deck=engine.deck)), leader)
        for move in game.moves:
            check_board(state, engine)
            state = reference.play(state, move)
        check_board(state, engine)


def check_board(state: reference.State, engine: mate.Variant) -> None:
    position = mate.Position.parse(reference.write_position(state), engine)
    root = parsed(svg(position))
    assert cards(root) == expected_marks(state)
    if state.led or all(state.hands):
        mater = state.turn if state.led is None else 1 - state.turn
        if reference.UNDECIDED not in state.foreplaced:
            own, other = state.foreplaced[mater], state.foreplaced[1 - mater]
            weight = reference.weight(
                state.variant, own is not None, other is not None, state.trick
            )
            expected = [str(state.variant.points[rank] * weight) for rank in engine.deck.ranks]
            assert scores_of(root)[: len(expected)] == expected


@pytest.mark.parametrize("theme", ["french", "chess"])
def test_badges_are_where_the_players_sit_and_off_the_face(theme):
    for card in parsed(svg(mate.Deal.parse(DEAL), theme)).iter(NS + "g"):
        if card.get("class") == "card":
            _, top, _, height = box(card[1])
            _, badge, _, high = box(card[3])
            bottoms = [float(e.get("y")) for e in card[2].iter(NS + "text")]
            if card.get("data-player") == "y":
                assert badge < top + height / 4
                assert all(bottom - 8 > badge + high for bottom in bottoms)
            else:
                assert badge > top + height / 2
                assert all(bottom <= badge for bottom in bottoms)


# --- Games ---------------------------------------------------------------------------------------


def test_tricks_agree_with_the_reference():
    rng = random.Random(4)
    seen = Counter()
    for engine, slow in pairs(80):
        game = pairing.random_game(engine, rng, rng.choice([3, 8, 15, 100]))
        start = game.root()
        state = reference.start(slow, str(mate.Deal(start.x, deck=engine.deck)), start.to_move)
        if tricks_of(game):
            root = parsed(svg(game))
            expected, state = replayed(state, game.moves)
            assert tricks_shown(root) == expected
            check_all_cards(root, state)
            seen[game.is_mate, game.is_over] += 1
    assert min(seen.values()) > 5
    assert len(seen) == 3


def replayed(state: reference.State, moves: list[str]) -> tuple[list[tuple], reference.State]:
    tricks = []
    for move in moves:
        before, state = state, reference.play(state, move)
        if reference.UNDECIDED in before.foreplaced:
            continue
        if before.led is None:
            tricks.append((str(before.trick), "xy"[before.turn], move.rstrip("!"), None, "-"))
        else:
            tricks[-1] = (*tricks[-1][:3], move, "xy"[state.turn])
    return tricks, state


def tricks_shown(root: ElementTree.Element) -> list[tuple]:
    found = []
    for trick in root.iter(NS + "g"):
        if trick.get("class") == "trick":
            leader, winner = trick.get("data-leader"), trick.get("data-winner")
            laid = {e.get("data-player"): e for e in trick if e.get("class") == "card"}
            ends = {player: e.get("data-end") for player, e in laid.items()}
            other = "y" if leader == "x" else "x"
            assert winner == "-" or ends[winner] == "took"
            assert winner != "-" or "took" not in ends.values()
            reply = laid[other].get("data-card") if other in laid else None
            number_, lead = trick.get("data-trick"), laid[leader].get("data-card")
            found.append((number_, leader, lead, reply, winner))
            facing(laid)
    return found


def facing(laid: dict[str, ElementTree.Element]) -> None:
    boxes = {player: box(e[1]) for player, e in laid.items()}
    if len(boxes) == 2:
        assert boxes["x"][0] == boxes["y"][0]
        assert boxes["y"][1] < boxes["x"][1]


def check_all_cards(root: ElementTree.Element, state: reference.State) -> None:
    laid = Counter(card for card, _, _ in cards(root, "data-end").elements())
    rest = cards(root)
    held = Counter(c for c, _, mark in rest.elements() if mark != "foreplaced")
    hands = Counter(c for hand in state.hands for c in hand)
    if state.led and any(
        state.led in hand and keeps(state, n) for n, hand in enumerate(state.hands)
    ):
        hands[state.led] -= 1
    assert held == +hands
    total = laid + held + Counter(c for c, _, mark in rest.elements() if mark == "foreplaced")
    again = total - Counter(state.variant.cards)
    assert not Counter(state.variant.cards) - total
    assert again.total() <= 1  # the last card of a sole foreplacer


def test_the_mating_card_is_marked():
    root = parsed(svg(played(MATE)))
    ends = cards(root, "data-end")
    assert [key for key in ends if key[2] == "mates"] == [("7h", "x", "mates")]
    assert root[0].text == "X mates with the Seven of Hearts (7h) on trick 8: 56 points."
    assert "8.7h" in root[1].text
    assert [e.text for e in root.iter(NS + "text")].count("mate") == 2  # its place, and the legend


def test_legal_replies_are_marked_in_the_hand():
    shown = cards(parsed(svg(played(MATE[:3]))))
    assert {card for card, _, mark in shown if mark == "legal"} == {"Ad", "Td"}


def test_a_game_without_tricks_is_its_position():
    game = played([])
    assert svg(game) == svg(game.position)
    foreplaced = played(["*Ac"], variant="capellen")
    assert svg(foreplaced) == svg(foreplaced.position)


def test_a_game_from_the_middle_begins_with_the_lead_that_is_there():
    game = mate.Game.from_position(str(played(MATE[:5]).position))
    assert [(t.number, t.reply) for t in tricks_of(game)] == [(3, None)]
    game.push("Kc")
    assert [(t.number, t.winner) for t in tricks_of(game)] == [(3, "y")]


def test_many_tricks_are_wrapped():
    game = pairing.random_game(pairing.engine_variant("double24"), random.Random(3))
    while game.trick < 12:
        game = pairing.random_game(game.variant, random.Random(game.trick + random.randrange(999)))
    rows = {box(e[0][1])[1] for e in parsed(svg(game)).iter(NS + "g") if e.get("class") == "trick"}
    assert len(rows) >= 2


# --- Looks ---------------------------------------------------------------------------------------


def brightness(colour: str) -> float:
    """Relative luminance, 0 to 1."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    dark, light = sorted(map(brightness, (one, other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colours", [_LIGHT, _DARK, _LIGHT_PIECES, _DARK_PIECES])
def test_what_is_written_can_be_read_and_players_differ_without_colour(colours):
    for ground in (colours.ground, colours.table, *colours.faces.values()):
        assert contrast(colours.ink, ground) > 6
    assert contrast(colours.faint, colours.ground) > 4.5
    for badge, ink in colours.players.values():
        assert contrast(badge, ink) > 4.5
    assert contrast(colours.players["x"][0], colours.players["y"][0]) > 2.5


def test_the_theme_follows_the_deck():
    chess = svg(mate.Deal.parse(DEAL, mate.DECKS["chess"]))
    french = svg(mate.Deal.parse(DEAL))
    assert chess == svg(mate.Deal.parse(DEAL, mate.DECKS["chess"]), "chess")
    assert french == svg(mate.Deal.parse(DEAL), "french") != svg(mate.Deal.parse(DEAL), "chess")
    assert Theme.of(mate.DECKS["double24"], dark=True).colours is _DARK
    assert "Blue King" in chess


def test_coloured_pieces_carry_the_letter_of_their_colour():
    root = parsed(svg(mate.Deal.parse(DEAL, mate.DECKS["chess"])))
    for card in (e for e in root.iter(NS + "g") if e.get("class") == "card"):
        letter = dict(zip("cshd", "BGYR", strict=True))[card.get("data-card")[1]]
        assert letter in [e.text for e in card.iter(NS + "text")]


def test_the_golden_picture():
    golden = make_golden_svg.FILE.read_text(encoding="utf-8")
    assert svg(make_golden_svg.game()) == golden


# --- Notebooks -----------------------------------------------------------------------------------


def test_notebooks_are_shown_pictures():
    game = played(MATE[:3])
    for what in (mate.Deal.parse(DEAL), game, game.position):
        assert what._repr_svg_() == svg(what)


def test_an_analysis_is_the_position_and_a_table_of_all_moves():
    state = mate.Position.parse("Q.TK..TQ/A.AQ7..A x - 6 -/- -")
    analysis = mate.analyze(state)
    page = parsed(analysis._repr_html_())
    assert len(page.findall(NS + "svg")) == 1
    rows = [["".join(cell.itertext()) for cell in row] for row in page.iter("tr")]
    assert rows[0] == ["move", "value", "for X", "best line"]
    assert [row[0] for row in rows[1:]] == [move.move for move in analysis.moves]
    assert rows[1] == ["Qd", "+80", "wins 80, trick 8, Td", "6.Qd Ad 7.Qs Ts 8.Td"]
    assert "X mates with the Ten of Diamonds" in page.find("p/b").text


def test_the_analysis_of_a_game_that_is_over_has_no_table():
    page = parsed(mate.analyze(played(MATE))._repr_html_())
    assert not list(page.iter("tr"))
    assert page.find("p/b").text.startswith("The game is over. X mates")


def test_pictures_need_none_of_the_slow_imports():
    code = (
        "import sys, mate; assert 'mate.render.svg' not in sys.modules\n"
        f"mate.Game({DEAL!r})._repr_svg_()\n"
        "print(sorted({'numpy', 'typer', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_no_number_of_a_picture_has_more_than_two_decimals():
    found = re.findall(r' (?:x|y|width|height|cx|cy)="([^"]+)"', svg(played(MATE)))
    assert all(re.fullmatch(r"\d+(\.\d{1,2})?", text) for text in found)


# --- Documents -----------------------------------------------------------------------------------

DOCS = Path(__file__).parents[1] / "docs"


def test_the_figures_of_the_documents_are_of_this_version(tmp_path):
    subprocess.run([sys.executable, DOCS / "pictures.py", tmp_path], check=True)
    page = (DOCS / "pictures.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"\(figures/(.*)\)", page))
    assert shown == {path.name for path in tmp_path.iterdir()}
    for path in tmp_path.iterdir():
        assert path.read_text() == (DOCS / "figures" / path.name).read_text(encoding="utf-8")


def test_the_examples_of_the_document():
    failed, tried = doctest.testfile(str(DOCS / "pictures.md"), False, encoding="utf-8")
    assert (failed, tried) == (0, 5)
