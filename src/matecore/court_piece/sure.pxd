"""Tricks that are sure without a search, at the beginning of a trick.

Each function adds to `rests_on` cards such that any position of the same lengths, in which the
same seats hold those cards and all higher ones left of their suits, has these tricks too.
"""
from libc.stdint cimport uint32_t, uint64_t

from matecore.court_piece.cards cimport SUITS
from matecore.court_piece.state cimport state_t


# Tricks that the leader's side takes at once: the leader takes his winners, then perhaps crosses
# to winners of his partner. No more than `enough` are looked for.
cdef int quick_tricks(const state_t* s, int enough, bint late, uint64_t* rests_on) noexcept nogil

# Tricks that the leader himself takes at once, one after the other.
cdef int own_tricks(const state_t* s, int enough, uint64_t* rests_on) noexcept nogil

# Tricks that the other side takes sooner or later with its highest trumps.
cdef int late_tricks(const state_t* s, int enough, uint64_t* rests_on) noexcept nogil
