"""Philox4x64-10."""

from libc.stdint cimport uint32_t, uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #define MATECORE_PHILOX_0 UINT64_C(0xD2E7470EE14C6C93)
    #define MATECORE_PHILOX_1 UINT64_C(0xCA5A826395121157)
    #define MATECORE_PHILOX_KEY_0 UINT64_C(0x9E3779B97F4A7C15)
    #define MATECORE_PHILOX_KEY_1 UINT64_C(0xBB67AE8584CAA73B)
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    static __forceinline uint64_t matecore_product(uint64_t a, uint64_t b, uint64_t* high) {
        *high = __umulh(a, b);
        return a * b;
    }
    #elif !defined(__SIZEOF_INT128__)
    #error "matecore needs a compiler for 64-bit machines"
    #else
    static inline uint64_t matecore_product(uint64_t a, uint64_t b, uint64_t* high) {
        unsigned __int128 product = (unsigned __int128)a * b;
        *high = (uint64_t)(product >> 64);
        return (uint64_t)product;
    }
    #endif
    """
    # The low half of a product; the high one is written.
    uint64_t product "matecore_product" (uint64_t a, uint64_t b, uint64_t* high) noexcept nogil
    # The constants of the generator.
    const uint64_t FIRST "MATECORE_PHILOX_0"
    const uint64_t SECOND "MATECORE_PHILOX_1"
    const uint64_t KEY_STEP "MATECORE_PHILOX_KEY_0"
    const uint64_t SECOND_KEY_STEP "MATECORE_PHILOX_KEY_1"

cdef enum:
    ROUNDS = 10


cdef inline void make_block(const stream_t* s, uint64_t block, uint32_t* words) noexcept nogil:
    cdef uint64_t a = block, b = s.unit, c = 0, d = 0, k0 = s.key[0], k1 = s.key[1]
    cdef uint64_t high_a, low_a, high_c, low_c
    cdef int i
    for _ in range(ROUNDS):
        low_a = product(FIRST, a, &high_a)
        low_c = product(SECOND, c, &high_c)
        a, b, c, d = high_c ^ b ^ k0, low_c, high_a ^ d ^ k1, low_a
        k0 += KEY_STEP
        k1 += SECOND_KEY_STEP
    cdef uint64_t[4] made = [a, b, c, d]
    for i in range(4):
        words[2 * i] = <uint32_t>made[i]
        words[2 * i + 1] = <uint32_t>(made[i] >> 32)


cdef void next_words(stream_t* s) noexcept nogil:
    cdef int i
    for i in range(BLOCKS):
        make_block(s, s.block + i + 1, &s.words[8 * i])
    s.block += BLOCKS
    s.at = 0
