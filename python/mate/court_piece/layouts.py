"""The ways in which unseen cards can lie, counted exactly and drawn each as likely."""

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import comb

# How many cards of one group go to each holder, and how many layouts come of that.
Split = tuple[tuple[int, ...], int]


class Layouts:
    """The ways to lay cards into hands of given sizes, where not every hand may hold every card.

    Cards that the same hands may hold are alike: a layout is drawn by how many of each such group
    lie in each hand, as often as there are layouts of that, and then by which they are.

    Arguments:
        groups: sets of cards that do not overlap, as masks, by who may hold them: bit h for hand h.
        sizes: how many cards each hand takes; together as many as there are.

    >>> kings, queens = 1 << 1 | 1 << 14, 1 << 2
    >>> layouts = Layouts({0b11: kings, 0b01: queens}, (2, 1))
    >>> layouts.count
    2
    >>> sorted({tuple(layouts.draw(random.Random(seed))) for seed in range(20)})
    [(6, 16384), (16388, 2)]
    """

    def __init__(self, groups: Mapping[int, int], sizes: Sequence[int]):
        # The fewer hands are open to a group, the earlier it is dealt: fewer ways are to be tried.
        holders = sorted((by for by in groups if groups[by]), key=lambda by: (by.bit_count(), by))
        self._holders = [[hand for hand in range(len(sizes)) if by >> hand & 1] for by in holders]
        self._cards = [_cards_of(groups[by]) for by in holders]
        self._sizes = tuple(sizes)
        self._counts: dict[tuple[int, tuple[int, ...]], int] = {}
        self._splits: dict[tuple[int, tuple[int, ...]], tuple[list[Split], list[int]]] = {}
        self.count: int = self._ways(0, self._sizes)

    def draw(self, chances: random.Random) -> list[int]:
        """Return the hands of one layout as masks, each of `count` as likely."""
        hands, room = [0] * len(self._sizes), self._sizes
        for group, cards in enumerate(self._cards):
            taken = self._drawn_split(group, room, chances)
            mixed, start = cards.copy(), 0
            chances.shuffle(mixed)
            for hand in self._holders[group]:
                end = start + taken[hand]
                hands[hand] += sum(mixed[start:end])
                start = end
            room = _less(room, taken)
        return hands

    def _drawn_split(
        self, group: int, room: tuple[int, ...], chances: random.Random
    ) -> tuple[int, ...]:
        splits, bounds = self._weighed(group, room)
        if len(splits) == 1:
            return splits[0][0]
        drawn = chances.randrange(bounds[-1])
        return next(split for (split, _), end in zip(splits, bounds, strict=True) if drawn < end)

    # The splits of a group that lead to a layout, and their numbers of layouts summed up.
    def _weighed(self, group: int, room: tuple[int, ...]) -> tuple[list[Split], list[int]]:
        key = group, room
        if key not in self._splits:
            every = self._possible(group, room)
            splits = [
                (taken, ways * self._ways(group + 1, _less(room, taken))) for taken, ways in every
            ]
            splits = [(taken, ways) for taken, ways in splits if ways]
            self._splits[key] = splits, list(accumulate(ways for _, ways in splits))
        return self._splits[key]

    # How many layouts there are of this group and those after it.
    def _ways(self, group: int, room: tuple[int, ...]) -> int:
        if group == len(self._cards):
            return int(not any(room))
        key = group, room
        if key not in self._counts:
            bounds = self._weighed(group, room)[1]
            self._counts[key] = bounds[-1] if bounds else 0
        return self._counts[key]

    def _possible(self, group: int, room: tuple[int, ...]) -> Iterator[Split]:
        n_cards, holders = len(self._cards[group]), self._holders[group]
        if group == len(self._cards) - 1:
            # Who comes last takes what is left.
            taken = tuple(size if hand in holders else 0 for hand, size in enumerate(room))
            if taken == room and sum(room) == n_cards and min(room) >= 0:
                yield taken, _multinomial(room)
            return
        yield from _compositions(n_cards, holders, room)


# Every way to give so many cards to those hands, with how many layouts it stands for.
def _compositions(n_cards: int, holders: Sequence[int], room: tuple[int, ...]) -> Iterator[Split]:
    hand, *others = holders
    if not others:
        if n_cards <= room[hand]:
            yield tuple(n_cards * (hand == at) for at in range(len(room))), 1
        return
    for n in range(min(n_cards, room[hand]) + 1):
        for taken, ways in _compositions(n_cards - n, others, room):
            yield (*taken[:hand], n, *taken[hand + 1 :]), ways * comb(n_cards, n)


def _multinomial(parts: Sequence[int]) -> int:
    ways, total = 1, 0
    for part in parts:
        total += part
        ways *= comb(total, part)
    return ways


def _less(room: tuple[int, ...], taken: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(size - n for size, n in zip(room, taken, strict=True))


def _cards_of(mask: int) -> list[int]:
    return [1 << card for card in range(mask.bit_length()) if mask >> card & 1]
