"""Random numbers by counter: what a game draws depends on the seed and its number alone.

The generator is Philox4x64-10 (Salmon and others, 2011): ten rounds of multiplication make four
64-bit words out of a key of two words and a counter of four. The stream of unit i has the key
(seed, stream) and the counters (b, i, 0, 0) for b = 1, 2, 3, ...; each 64-bit word gives two of 32
bits, the low half first. numpy draws the same words:

    numpy.random.Philox(key=[seed, stream], counter=[0, i, 0, 0]).random_raw()
"""
from libc.stdint cimport uint32_t, uint64_t

cdef enum:
    BLOCKS = 2          # made at a time, side by side
    WORDS = 8 * BLOCKS  # of 32 bits in them


#   words[at ..]    what is left of the last blocks
ctypedef struct stream_t:
    uint64_t key[2]
    uint64_t unit
    uint64_t block
    uint32_t words[WORDS]
    int at


cdef inline void begin_stream(
    stream_t* s, uint64_t seed, uint64_t stream, uint64_t unit
) noexcept nogil:
    s.key[0], s.key[1] = seed, stream
    s.unit = unit
    s.block = 0
    s.at = WORDS


# Makes the next words.
cdef void next_words(stream_t* s) noexcept nogil


cdef inline uint32_t word32(stream_t* s) noexcept nogil:
    cdef uint32_t word
    if s.at == WORDS:
        next_words(s)
    word = s.words[s.at]
    s.at += 1
    return word


cdef inline uint64_t word64(stream_t* s) noexcept nogil:
    cdef uint64_t low = word32(s)
    return low | <uint64_t>word32(s) << 32


# One of 0 .. n-1, each exactly as likely, n from 1; a word is drawn even if there is one only.
cdef inline uint32_t below(stream_t* s, uint32_t n) noexcept nogil:
    cdef uint64_t product = <uint64_t>word32(s) * n
    # The lowest 2^32 mod n products of each number are one too many; they are rare.
    if <uint32_t>product < n:
        while <uint32_t>product < (0 - n) % n:
            product = <uint64_t>word32(s) * n
    return <uint32_t>(product >> 32)
