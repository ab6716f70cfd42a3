"""Variants and decks: presets, settings, and every contradiction named by its field."""

import pickle
from dataclasses import replace

import pytest

import mate

BGA = mate.PRESETS["bga"]
DECK = BGA.deck
TABLE = tuple(tuple(range(1, 11)) for _ in range(4))


def test_presets_are_those_of_section_7():
    assert list(mate.PRESETS) == [
        "bga", "bga-king", "bga-figure", "bga-free", "abril", "tempos", "capellen", "double",
        "pieces",
    ]  # fmt: skip


# name: deck, privileged, declared, free, foreplace (rule, alone, differs, twice), second leader,
# round leader, rounds, target
SECTION_7 = {
    "bga": ("single", "", False, False, None, "other", "other", 2, None),
    "bga-king": ("single", "K", False, False, None, "other", "other", 2, None),
    "bga-figure": ("single", "KQ", False, False, None, "other", "other", 2, None),
    "bga-free": ("single", "", False, True, None, "other", "other", 2, None),
    "abril": ("single", "", False, False, None, "loser", "other", None, 200),
    "tempos": (
        "single", "", False, False, ("tempos", True, False, True), "loser", "winner", 2, None,
    ),
    "capellen": (
        "single", "", False, False, ("capellen", False, True, True), "other", "other", 2, None,
    ),
    "double": (
        "double", "", False, False, ("capellen", False, True, True), "other", "other", 2, None,
    ),
    "pieces": (
        "chess", "A", True, False, ("pieces", True, False, False), "other", "other", 3, None,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("name", "fields"), SECTION_7.items())
def test_every_field_of_every_preset(name, fields):
    variant = mate.PRESETS[name]
    rule = variant.foreplace
    assert fields == (
        variant.deck.name, "".join(sorted(variant.privileged)), variant.privilege_declared,
        variant.free_move,
        rule and (rule.weights, rule.second_alone, rule.second_differs, rule.last_card_twice),
        variant.second_leader, variant.round_leader, variant.rounds, variant.target,
    )  # fmt: skip
    assert variant.name == name


def test_the_decks_are_those_of_section_3():
    assert {name: deck.slots for name, deck in mate.DECKS.items()} == {
        "single": ("ATKQ7", "ATKQ7", "ATKQ7", "ATKQ7"),
        "chess": ("ATKQ7", "ATKQ7", "ATKQ7", "ATKQ7"),
        "double": ("ATK77", "ATKK7", "ATTK7", "AATK7"),
        "double24": ("ATKQ77", "ATKKQ7", "ATTKQ7", "AATKQ7"),
    }
    for deck in mate.DECKS.values():
        points = dict(zip(deck.ranks, deck.points, strict=True))
        assert points.items() <= {"A": 11, "T": 10, "K": 4, "Q": 3, "7": 7}.items()


def test_a_name_does_not_make_a_variant_another_one():
    assert replace(BGA, name="mine") == BGA
    assert hash(replace(BGA, name="mine")) == hash(BGA)
    assert mate.PRESETS["abril"] != BGA


def test_variants_pickle():
    for variant in mate.PRESETS.values():
        assert variant.rules.n_cards
        assert b"Rules" not in pickle.dumps(variant)  # what is derived is derived again
        assert pickle.loads(pickle.dumps(variant)) == variant
        assert pickle.loads(pickle.dumps(variant.rules)) == variant.rules


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("bga,free_move=yes", "free_move", True),
        ("bga,privileged=kq", "privileged", frozenset("KQ")),
        ("capellen,deck=double24", "deck", mate.DECKS["double24"]),
        ("tempos,foreplace=none", "foreplace", None),
        ("bga,foreplace=pieces", "foreplace", mate.PRESETS["pieces"].foreplace),
        ("bga,rounds=5", "rounds", 5),
        ("abril,second_leader=other", "second_leader", "other"),
        ("bga,rounds=none,target=100", "target", 100),
        ("bga,target=100,rounds=none", "target", 100),
        ("bga,privilege_declared=yes,privileged=K", "privilege_declared", True),
    ],
)
def test_settings_in_text(text, field, value):
    variant = mate.Variant.of(text)
    assert getattr(variant, field) == value
    assert variant.name == text


@pytest.mark.parametrize("switch", ["second_alone", "second_differs", "last_card_twice"])
def test_fields_of_foreplacing_in_text(switch):
    for text, value in (("yes", True), ("no", False)):
        assert getattr(mate.Variant.of(f"capellen,{switch}={text}").foreplace, switch) is value
    assert mate.Variant.of("bga,foreplace=pieces,weights=tempos").foreplace.weights == "tempos"


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("chess", "variant"), ("", "variant"), ("bga,", "variant"), ("bga,deck", "variant"),
        ("bga,deck=tarot", "deck"), ("bga,free_move=1", "free_move"), ("bga,size=3", "size"),
        ("bga,name=x", "name"), ("bga,rounds=-1", "rounds"), ("bga,rounds=0", "rounds"),
        ("bga,rounds=²", "rounds"), ("bga,rounds=99999999999", "rounds"),
        ("bga,target=5", "target"), ("bga,privileged=X", "privileged"),
        ("bga,privilege_declared=yes", "privilege_declared"), ("bga,foreplace=yes", "foreplace"),
        ("bga,second_leader=x", "second_leader"), ("bga,round_leader=loser", "round_leader"),
        ("double,privileged=Q", "privileged"), ("bga,second_alone=yes", "second_alone"),
        ("capellen,weights=x", "foreplace.weights"), ("capellen,second_alone=1", "second_alone"),
        ("capellen,foreplace=none,second_alone=yes", "second_alone"),
    ],
)  # fmt: skip
def test_bad_settings_in_text(text, field):
    with pytest.raises(mate.VariantError) as caught:
        mate.Variant.of(text)
    assert caught.value.field == field
    assert field in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize("value", [None, 5, b"bga", ["bga"], DECK])
def test_what_is_no_variant(value):
    with pytest.raises(mate.VariantError):
        mate.Variant.of(value)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"deck": "single"}, "deck"),
        ({"privileged": "K"}, "privileged"),
        ({"privileged": frozenset([1])}, "privileged"),
        ({"privileged": frozenset("X")}, "privileged"),
        ({"privilege_declared": True}, "privilege_declared"),
        ({"privilege_declared": 1}, "privilege_declared"),
        ({"free_move": "no"}, "free_move"),
        ({"foreplace": "capellen"}, "foreplace"),
        ({"foreplace": mate.Foreplacing((*TABLE[:3], (1,)))}, "foreplace.weights"),
        ({"foreplace": mate.Foreplacing(((3000,) * 10,) * 4)}, "foreplace.weights"),
        ({"second_leader": "winner"}, "second_leader"),
        ({"round_leader": "loser"}, "round_leader"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": True}, "rounds"),
        ({"rounds": 2.0}, "rounds"),
        ({"rounds": None}, "target"),
        ({"target": 100}, "target"),
        ({"target": -1, "rounds": None}, "target"),
    ],
)
def test_contradictory_fields_are_refused_by_name(change, field):
    with pytest.raises(mate.VariantError) as caught:
        replace(BGA, **change)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"weights": "bga"}, "foreplace.weights"),
        ({"weights": None}, "foreplace.weights"),
        ({"weights": ((40_000,) * 10,) * 4}, "foreplace.weights"),
        ({"weights": TABLE[:3]}, "foreplace.weights"),
        ({"weights": (*TABLE[:3], (-1,) * 10)}, "foreplace.weights"),
        ({"weights": (*TABLE[:3], (1.5,) * 10)}, "foreplace.weights"),
        ({"second_alone": 1}, "foreplace.second_alone"),
        ({"second_differs": None}, "foreplace.second_differs"),
        ({"last_card_twice": "yes"}, "foreplace.last_card_twice"),
    ],
)
def test_bad_foreplacing(change, field):
    with pytest.raises(mate.VariantError) as caught:
        replace(mate.Foreplacing("capellen"), **change)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"suits": ""}, "deck.suits"), ({"suits": "cshh"}, "deck.suits"),
        ({"suits": "CSHD"}, "deck.suits"), ({"suits": None}, "deck.suits"),
        ({"ranks": "ATKQ."}, "deck.ranks"), ({"ranks": "ATKQA"}, "deck.ranks"),
        ({"slots": ("ATKQ7",) * 3}, "deck.slots"), ({"slots": ["ATKQ7"] * 4}, "deck.slots"),
        ({"slots": ("TAKQ7",) * 4}, "deck.slots"), ({"slots": ("ATKQX",) * 4}, "deck.slots"),
        ({"slots": ("ATKQ",) * 3 + ("ATKQ7",)}, "deck.slots"),
        ({"slots": ("ATKQQQ777",) * 4}, "deck.slots"), ({"slots": ("",) * 4}, "deck.slots"),
        ({"suits": "csh", "slots": ("ATK",) * 3, "suit_names": ()}, "deck.slots"),
        ({"points": (11, 10, 4, 3)}, "deck.points"),
        ({"points": (11, 10, 4, 3, -7)}, "deck.points"),
        ({"points": (11, 10, 4, 3, 7.0)}, "deck.points"),
        ({"points": (11, 10, 4, 3, 32768)}, "deck.points"),
        ({"rank_names": ("Ace",)}, "deck.rank_names"),
        ({"suit_names": "abcd"}, "deck.suit_names"), ({"name": 5}, "deck.name"),
        ({"card_name": None}, "deck.card_name"),
    ],
)  # fmt: skip
def test_bad_decks(change, field):
    with pytest.raises(mate.VariantError) as caught:
        replace(DECK, **change)
    assert caught.value.field == field


def test_points_that_a_mate_could_not_hold():
    deck = replace(DECK, points=(32767, 10, 4, 3, 7))
    with pytest.raises(mate.VariantError) as caught:
        replace(BGA, deck=deck)
    assert caught.value.field == "deck.points"


def test_foreplacing_needs_two_cards_a_hand():
    deck = mate.Deck("ab", "A", ("A", "A"), (1,))
    with pytest.raises(mate.VariantError) as caught:
        mate.Variant(deck=deck, foreplace=mate.Foreplacing("capellen"))
    assert caught.value.field == "foreplace"
    assert mate.Game("A./.A", mate.Variant(deck=deck)).legal_moves == ("Aa",)


def test_the_chess_theme_renames_without_changing_play():
    chess, single = mate.DECKS["chess"], mate.DECKS["single"]
    assert chess == single
    assert chess.name_of(0) == "Blue King"
    assert single.name_of(13) == "Queen of Hearts"
    assert chess.name_of(19) == "Red Knight"


# --- Section 5: the weights of the rule sets ---


@pytest.mark.parametrize(
    ("rule", "mater", "mated"),
    [
        ("capellen", [2, 3, 4, 5, 6, 7, 8, 9, 10, 22], list(range(1, 11))),
        ("tempos", [4, 6, 8, 10, 12, 14, 16, 18, 20, 22], list(range(1, 11))),
        ("pieces", [2, 4, 6, 8, 10, 12, 14, 16, 20, 20], [1, 2, 3, 4, 5, 6, 7, 8, 10, 10]),
    ],
)
def test_weights_by_who_foreplaced(rule, mater, mated):
    rows = mate.Foreplacing(rule).rows(10)
    assert [list(row) for row in rows] == [list(range(1, 11)), list(range(2, 12)), mater, mated]
    assert max(mater) * 11 == {"capellen": 242, "tempos": 242, "pieces": 220}[rule]
