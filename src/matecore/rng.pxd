"""Random numbers by counter: what a game draws depends on the seed and its number alone.

The generator is Philox4x64-10 (Salmon and others, 2011): ten rounds of multiplication make four
64-bit words out of a key of two words and a counter of four. The stream of unit i has the key
(seed, stream) and the counters (b, i, 0, 0) for b = 1, 2, 3, ...; each 64-bit word gives two of 32
bits, the low half first. numpy draws the same words:

    numpy.random.Philox(key=[seed, stream], counter=[0, i, 0, 0]).random_raw()
"""
from libc.stdint cimport uint32_t, uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    #define matecore_high64(a, b) __umulh(a, b)
    #else
    static inline uint64_t matecore_high64(uint64_t a, uint64_t b) {
        return (uint64_t)(((unsigned __int128)a * b) >> 64);
    }
    #endif
    #define MATECORE_PHILOX_0 UINT64_C(0xD2E7470EE14C6C93)
    #define MATECORE_PHILOX_1 UINT64_C(0xCA5A826395121157)
    #define MATECORE_PHILOX_KEY_0 UINT64_C(0x9E3779B97F4A7C15)
    #define MATECORE_PHILOX_KEY_1 UINT64_C(0xBB67AE8584CAA73B)
    """
    # The high half of a product.
    uint64_t high64 "matecore_high64" (uint64_t a, uint64_t b) noexcept nogil
    # The constants of the generator.
    const uint64_t FIRST "MATECORE_PHILOX_0"
    const uint64_t SECOND "MATECORE_PHILOX_1"
    const uint64_t KEY_STEP "MATECORE_PHILOX_KEY_0"
    const uint64_t SECOND_KEY_STEP "MATECORE_PHILOX_KEY_1"


cdef enum:
    ROUNDS = 10
    WORDS = 8           # of 32 bits in a block


#   words[at ..]    what is left of the block
ctypedef struct stream_t:
    uint64_t key[2]
    uint64_t unit
    uint64_t block
    uint32_t words[WORDS]
    int at


cdef inline stream_t stream_of(uint64_t seed, uint64_t stream, uint64_t unit) noexcept nogil:
    cdef stream_t s
    s.key[0], s.key[1] = seed, stream
    s.unit = unit
    s.block = 0
    s.at = WORDS
    return s


cdef inline void next_block(stream_t* s) noexcept nogil:
    cdef uint64_t a, b = s.unit, c = 0, d = 0, k0 = s.key[0], k1 = s.key[1]
    cdef uint64_t high_a, low_a, high_c, low_c
    cdef uint64_t[4] made
    cdef int i
    s.block += 1
    a = s.block
    for _ in range(ROUNDS):
        high_a, low_a = high64(FIRST, a), FIRST * a
        high_c, low_c = high64(SECOND, c), SECOND * c
        a, b, c, d = high_c ^ b ^ k0, low_c, high_a ^ d ^ k1, low_a
        k0 += KEY_STEP
        k1 += SECOND_KEY_STEP
    made[0], made[1], made[2], made[3] = a, b, c, d
    for i in range(4):
        s.words[2 * i] = <uint32_t>made[i]
        s.words[2 * i + 1] = <uint32_t>(made[i] >> 32)
    s.at = 0


cdef inline uint32_t word32(stream_t* s) noexcept nogil:
    cdef uint32_t word
    if s.at == WORDS:
        next_block(s)
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
