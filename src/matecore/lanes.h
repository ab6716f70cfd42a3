/* Byte lanes: the same few loops for every machine, chosen at run time.
 *
 * A lane is one position, its value a signed code for the leader's margin. The lanes of a union of
 * cards are the subsets that the leader may hold, in increasing order as numbers. Where the leader
 * plays a card and the follower another, what they hold after it keeps that order; so the lanes of
 * the child, read one after the other, belong to the lanes of the parent in which the leader held
 * the one and the follower the other: an expansion under a mask of bits.
 *
 * The codes lie within +-(NONE - 1); NONE says that there is no such reply. All paths give the
 * same bytes. They read up to 64 bytes beyond a child; they write up to 64 before and after what
 * they reverse, and after what they select.
 */
#ifndef MATECORE_LANES_H
#define MATECORE_LANES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LANES_BLOCK 64 /* lanes done at a time, one word of a mask */

/* A reply: the child's lanes still to be read, and in which lanes the leader holds that card. */
typedef struct {
    const char *from;
    const uint64_t *held;
} lanes_reply_t;

/* Raises `best`, in the lanes where the leader holds the card led, to what the lead is worth.
 * First the replies[counts[0]] he must choose from, then the replies[counts[1]] if he has none of
 * those, then the replies[counts[2]] he may choose as well if he has one of the first. Moves
 * `from` of the replies on. */
typedef void (*lanes_lead_t)(
    char *best, size_t blocks, const uint64_t *held, lanes_reply_t *replies, const int *counts,
    int mate);

/* to[i] = -from[lanes - 1 - i]: the other player's view of the same positions. */
typedef void (*lanes_reverse_t)(char *to, const char *from, size_t lanes);

/* The lanes of a mask one after the other, and their negatives. */
typedef void (*lanes_select_t)(
    char *to, char *negated, const char *from, const uint64_t *mask, size_t blocks);

typedef struct {
    const char *name;
    size_t width; /* bytes in a lane */
    lanes_lead_t lead;
    lanes_reverse_t reverse;
    lanes_select_t select;
} lanes_t;

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
static __forceinline int lanes_lowest(uint64_t set) {
    unsigned long index;
    if (_BitScanForward(&index, (unsigned long)set)) {
        return (int)index;
    }
    _BitScanForward(&index, (unsigned long)(set >> 32));
    return (int)index + 32;
}
#else
static inline int lanes_lowest(uint64_t set) { return __builtin_ctzll(set); }
#endif

/* --- Plain C, for lanes of one and of two bytes ---------------------------------------------- */

static const uint8_t lanes_bits[16][4] = {
    {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 0}, {1, 0, 1, 0},
    {0, 1, 1, 0}, {1, 1, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {1, 1, 0, 1},
    {0, 0, 1, 1}, {1, 0, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, 1}};

#define LANES_PLAIN(lane_t, NONE, name)                                                            \
    static inline lanes_reply_t *lanes_##name##_least(                                             \
        lane_t *least, uint64_t held, size_t block, lanes_reply_t *reply, int count)               \
    {                                                                                              \
        for (int i = 0; i < LANES_BLOCK; i++) {                                                    \
            least[i] = NONE;                                                                       \
        }                                                                                          \
        for (; count > 0; count--, reply++) {                                                      \
            const lane_t *from = (const lane_t *)reply->from;                                      \
            for (uint64_t left = held & ~reply->held[block]; left; left &= left - 1) {             \
                int i = lanes_lowest(left);                                                        \
                lane_t value = *from++;                                                            \
                least[i] = value < least[i] ? value : least[i];                                    \
            }                                                                                      \
            reply->from = (const char *)from;                                                      \
        }                                                                                          \
        return reply;                                                                              \
    }                                                                                              \
                                                                                                   \
    static void lanes_##name##_lead(                                                               \
        char *bytes, size_t blocks, const uint64_t *held, lanes_reply_t *replies,                  \
        const int *counts, int mate)                                                               \
    {                                                                                              \
        lane_t *best = (lane_t *)bytes;                                                            \
        lane_t first[LANES_BLOCK], second[LANES_BLOCK], also[LANES_BLOCK];                         \
        uint8_t lanes[LANES_BLOCK];                                                                \
        for (size_t block = 0; block < blocks; block++, best += LANES_BLOCK) {                     \
            lanes_reply_t *reply = replies;                                                        \
            if (!held[block]) {                                                                    \
                continue;                                                                          \
            }                                                                                      \
            reply = lanes_##name##_least(first, held[block], block, reply, counts[0]);             \
            reply = lanes_##name##_least(second, held[block], block, reply, counts[1]);            \
            lanes_##name##_least(also, held[block], block, reply, counts[2]);                      \
            for (int i = 0; i < LANES_BLOCK; i += 4) {                                             \
                memcpy(lanes + i, lanes_bits[held[block] >> i & 15], 4);                           \
            }                                                                                      \
            for (int i = 0; i < LANES_BLOCK; i++) {                                                \
                lane_t value = first[i] < also[i] ? first[i] : also[i];                            \
                lane_t other = second[i] == NONE ? (lane_t)mate : second[i];                       \
                value = first[i] == NONE ? other : value;                                          \
                value = lanes[i] ? value : best[i];                                                \
                best[i] = value > best[i] ? value : best[i];                                       \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void lanes_##name##_reverse(char *to, const char *from, size_t lanes)                   \
    {                                                                                              \
        for (size_t i = 0; i < lanes; i++) {                                                       \
            ((lane_t *)to)[i] = (lane_t)-((const lane_t *)from)[lanes - 1 - i];                    \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void lanes_##name##_select(                                                             \
        char *to, char *negated, const char *from, const uint64_t *mask, size_t blocks)            \
    {                                                                                              \
        lane_t *kept = (lane_t *)to, *turned = (lane_t *)negated;                                  \
        const lane_t *block = (const lane_t *)from;                                                \
        for (size_t i = 0; i < blocks; i++, block += LANES_BLOCK) {                                \
            for (uint64_t left = mask[i]; left; left &= left - 1) {                                \
                lane_t value = block[lanes_lowest(left)];                                          \
                *kept++ = value;                                                                   \
                *turned++ = (lane_t)-value;                                                        \
            }                                                                                      \
        }                                                                                          \
    }

LANES_PLAIN(int8_t, INT8_MAX, plain)
LANES_PLAIN(int16_t, INT16_MAX, wide)

/* --- Tables, for eight lanes at a time ------------------------------------------------------- */

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))

/* For each byte of a mask: for each lane its place among the lanes of the mask, or 0x80. */
#define LANES_IS(m, k) ((m) >> (k) & 1)
#define LANES_BELOW(m, k)                                                                          \
    ((k > 0) * LANES_IS(m, 0) + (k > 1) * LANES_IS(m, 1) + (k > 2) * LANES_IS(m, 2)                \
     + (k > 3) * LANES_IS(m, 3) + (k > 4) * LANES_IS(m, 4) + (k > 5) * LANES_IS(m, 5)              \
     + (k > 6) * LANES_IS(m, 6))
#define LANES_PLACE(m, k) (LANES_IS(m, k) ? LANES_BELOW(m, k) : 0x80)
#define LANES_1(m)                                                                                 \
    {LANES_PLACE(m, 0), LANES_PLACE(m, 1), LANES_PLACE(m, 2), LANES_PLACE(m, 3),                   \
     LANES_PLACE(m, 4), LANES_PLACE(m, 5), LANES_PLACE(m, 6), LANES_PLACE(m, 7)}
#define LANES_4(of, m) of(m), of(m + 1), of(m + 2), of(m + 3)
#define LANES_16(of, m) LANES_4(of, m), LANES_4(of, m + 4), LANES_4(of, m + 8), LANES_4(of, m + 12)
#define LANES_64(of, m)                                                                            \
    LANES_16(of, m), LANES_16(of, m + 16), LANES_16(of, m + 32), LANES_16(of, m + 48)
#define LANES_256(of) LANES_64(of, 0), LANES_64(of, 64), LANES_64(of, 128), LANES_64(of, 192)

static const uint8_t lanes_places[256][8] = {LANES_256(LANES_1)};

/* The reverse, for each byte of a mask: its lanes in their order, the first in the lowest byte. */
#define LANES_NTH(m, k) ((uint64_t)(LANES_IS(m, k) * k) << 8 * LANES_BELOW(m, k))
#define LANES_LIST(m)                                                                              \
    (LANES_NTH(m, 1) | LANES_NTH(m, 2) | LANES_NTH(m, 3) | LANES_NTH(m, 4) | LANES_NTH(m, 5)       \
     | LANES_NTH(m, 6) | LANES_NTH(m, 7))

static const uint64_t lanes_lists[256] = {LANES_256(LANES_LIST)};
#endif

/* --- AVX-512 --------------------------------------------------------------------------------- */

#if defined(__GNUC__) && defined(__x86_64__)
#define LANES_X86 1
#include <immintrin.h>
#define LANES_AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,bmi")))

LANES_AVX512 static inline __m512i lanes_avx512_least(
    uint64_t held, size_t block, lanes_reply_t *reply, int count)
{
    __m512i least = _mm512_set1_epi8(INT8_MAX);
    for (; count > 0; count--, reply++) {
        uint64_t mask = held & ~reply->held[block];
        __m512i child = _mm512_maskz_expand_epi8(mask, _mm512_loadu_si512(reply->from));
        least = _mm512_mask_min_epi8(least, mask, least, child);
        reply->from += __builtin_popcountll(mask);
    }
    return least;
}

LANES_AVX512 static void lanes_avx512_lead(
    char *best, size_t blocks, const uint64_t *held, lanes_reply_t *replies, const int *counts,
    int mate)
{
    const __m512i none = _mm512_set1_epi8(INT8_MAX), mates = _mm512_set1_epi8((char)mate);
    lanes_reply_t *seconds = replies + counts[0], *alsos = seconds + counts[1];
    for (size_t block = 0; block < blocks; block++, best += LANES_BLOCK) {
        if (!held[block]) {
            continue;
        }
        __m512i first = lanes_avx512_least(held[block], block, replies, counts[0]);
        __m512i second = lanes_avx512_least(held[block], block, seconds, counts[1]);
        __m512i also = lanes_avx512_least(held[block], block, alsos, counts[2]);
        __mmask64 no_first = _mm512_cmpeq_epi8_mask(first, none);
        __mmask64 no_second = _mm512_cmpeq_epi8_mask(second, none);
        __m512i value = _mm512_min_epi8(first, also);
        value = _mm512_mask_mov_epi8(value, no_first, second);
        value = _mm512_mask_mov_epi8(value, no_first & no_second, mates);
        __m512i old = _mm512_loadu_si512(best);
        _mm512_storeu_si512(best, _mm512_mask_max_epi8(old, held[block], old, value));
    }
}

LANES_AVX512 static void lanes_avx512_reverse(char *to, const char *from, size_t lanes)
{
    const __m512i descending = _mm512_set_epi8(
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
        25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
        48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63);
    for (size_t i = 0; i < lanes; i += LANES_BLOCK) {
        __m512i block = _mm512_permutexvar_epi8(descending, _mm512_loadu_si512(from + i));
        block = _mm512_sub_epi8(_mm512_setzero_si512(), block);
        _mm512_storeu_si512(to + lanes - i - LANES_BLOCK, block);
    }
}

LANES_AVX512 static void lanes_avx512_select(
    char *to, char *negated, const char *from, const uint64_t *mask, size_t blocks)
{
    for (size_t i = 0; i < blocks; i++) {
        __m512i block = _mm512_loadu_si512(from + LANES_BLOCK * i);
        block = _mm512_maskz_compress_epi8(mask[i], block);
        _mm512_storeu_si512(to, block);
        _mm512_storeu_si512(negated, _mm512_sub_epi8(_mm512_setzero_si512(), block));
        to += __builtin_popcountll(mask[i]);
        negated += __builtin_popcountll(mask[i]);
    }
}
#endif

/* --- AVX2 ------------------------------------------------------------------------------------ */

#if defined(LANES_X86)
#define LANES_AVX2 __attribute__((target("avx2,popcnt,bmi")))

/* Two reads of eight bytes. */
LANES_AVX2 static inline __m128i lanes_avx2_pair(const void *low, const void *high)
{
    __m128 bytes = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)low));
    return _mm_castps_si128(_mm_loadh_pi(bytes, (const __m64 *)high));
}

/* The lanes of a mask of 32 from the bytes at `from`; INT8_MAX in the others. */
LANES_AVX2 static inline __m256i lanes_avx2_expand(uint32_t mask, const char *from)
{
    const __m256i eights = _mm256_set_epi64x(
        0x0808080808080808, 0, 0x0808080808080808, 0);
    __m256i bytes = _mm256_inserti128_si256(
        _mm256_castsi128_si256(
            lanes_avx2_pair(from, from + __builtin_popcount(mask & 0xFF))),
        lanes_avx2_pair(
            from + __builtin_popcount(mask & 0xFFFF),
            from + __builtin_popcount(mask & 0xFFFFFF)),
        1);
    __m256i places = _mm256_inserti128_si256(
        _mm256_castsi128_si256(
            lanes_avx2_pair(lanes_places[mask & 0xFF], lanes_places[mask >> 8 & 0xFF])),
        lanes_avx2_pair(lanes_places[mask >> 16 & 0xFF], lanes_places[mask >> 24]), 1);
    places = _mm256_or_si256(places, eights);
    return _mm256_blendv_epi8(
        _mm256_shuffle_epi8(bytes, places), _mm256_set1_epi8(INT8_MAX), places);
}

typedef struct {
    __m256i low, high;
} lanes_avx2_t;

LANES_AVX2 static inline lanes_avx2_t lanes_avx2_least(
    uint64_t held, size_t block, lanes_reply_t *reply, int count)
{
    lanes_avx2_t least = {_mm256_set1_epi8(INT8_MAX), _mm256_set1_epi8(INT8_MAX)};
    for (; count > 0; count--, reply++) {
        uint64_t mask = held & ~reply->held[block];
        const char *middle = reply->from + __builtin_popcount((uint32_t)mask);
        least.low = _mm256_min_epi8(least.low, lanes_avx2_expand((uint32_t)mask, reply->from));
        least.high = _mm256_min_epi8(least.high, lanes_avx2_expand(mask >> 32, middle));
        reply->from += __builtin_popcountll(mask);
    }
    return least;
}

/* Raises 32 lanes. */
LANES_AVX2 static inline void lanes_avx2_raise(
    char *best, uint32_t held, __m256i first, __m256i second, __m256i also, __m256i mates)
{
    const __m256i none = _mm256_set1_epi8(INT8_MAX);
    const __m256i bytes_of = _mm256_set_epi64x(
        0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
    const __m256i bits = _mm256_set1_epi64x((long long)0x8040201008040201);
    __m256i value = _mm256_blendv_epi8(second, mates, _mm256_cmpeq_epi8(second, none));
    value = _mm256_blendv_epi8(
        _mm256_min_epi8(first, also), value, _mm256_cmpeq_epi8(first, none));
    __m256i lanes = _mm256_shuffle_epi8(_mm256_set1_epi32((int)held), bytes_of);
    lanes = _mm256_cmpeq_epi8(_mm256_and_si256(lanes, bits), bits);
    __m256i old = _mm256_loadu_si256((const __m256i *)best);
    value = _mm256_blendv_epi8(old, _mm256_max_epi8(old, value), lanes);
    _mm256_storeu_si256((__m256i *)best, value);
}

LANES_AVX2 static void lanes_avx2_lead(
    char *best, size_t blocks, const uint64_t *held, lanes_reply_t *replies, const int *counts,
    int mate)
{
    const __m256i mates = _mm256_set1_epi8((char)mate);
    lanes_reply_t *seconds = replies + counts[0], *alsos = seconds + counts[1];
    for (size_t block = 0; block < blocks; block++, best += LANES_BLOCK) {
        if (!held[block]) {
            continue;
        }
        lanes_avx2_t first = lanes_avx2_least(held[block], block, replies, counts[0]);
        lanes_avx2_t second = lanes_avx2_least(held[block], block, seconds, counts[1]);
        lanes_avx2_t also = lanes_avx2_least(held[block], block, alsos, counts[2]);
        lanes_avx2_raise(
            best, (uint32_t)held[block], first.low, second.low, also.low, mates);
        lanes_avx2_raise(
            best + 32, held[block] >> 32, first.high, second.high, also.high, mates);
    }
}

LANES_AVX2 static void lanes_avx2_select(
    char *to, char *negated, const char *from, const uint64_t *mask, size_t blocks)
{
    for (size_t i = 0; i < 8 * blocks; i++) {
        int part = mask[i / 8] >> i % 8 * 8 & 0xFF;
        __m128i list = _mm_loadl_epi64((const __m128i *)&lanes_lists[part]);
        __m128i bytes = _mm_loadl_epi64((const __m128i *)(from + 8 * i));
        bytes = _mm_shuffle_epi8(bytes, list);
        _mm_storel_epi64((__m128i *)to, bytes);
        _mm_storel_epi64((__m128i *)negated, _mm_sub_epi8(_mm_setzero_si128(), bytes));
        to += __builtin_popcount(part);
        negated += __builtin_popcount(part);
    }
}

LANES_AVX2 static void lanes_avx2_reverse(char *to, const char *from, size_t lanes)
{
    const __m256i descending = _mm256_set_epi8(
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (size_t i = 0; i < lanes; i += 32) {
        __m256i block = _mm256_loadu_si256((const __m256i *)(from + i));
        block = _mm256_permute4x64_epi64(_mm256_shuffle_epi8(block, descending), 0x4E);
        block = _mm256_sub_epi8(_mm256_setzero_si256(), block);
        _mm256_storeu_si256((__m256i *)(to + lanes - i - 32), block);
    }
}
#endif

/* --- NEON ------------------------------------------------------------------------------------ */

#if defined(__GNUC__) && defined(__aarch64__)
#define LANES_NEON 1
#include <arm_neon.h>

/* The lanes of a mask of 16 from the bytes at `from`, which it moves on; `none` in the others. */
static inline int8x16_t lanes_neon_expand(uint32_t mask, const char **from, int8x16_t none)
{
    const int8_t *low = (const int8_t *)*from;
    const int8_t *high = low + __builtin_popcount(mask & 0xFF);
    *from += __builtin_popcount(mask & 0xFFFF);
    int8x16_t bytes = vcombine_s8(vld1_s8(low), vld1_s8(high));
    uint8x8_t upper = vorr_u8(vld1_u8(lanes_places[mask >> 8 & 0xFF]), vdup_n_u8(8));
    return vqtbx1q_s8(none, bytes, vcombine_u8(vld1_u8(lanes_places[mask & 0xFF]), upper));
}

static inline void lanes_neon_least(
    int8x16_t *least, uint64_t held, size_t block, lanes_reply_t *reply, int count)
{
    const int8x16_t none = vdupq_n_s8(INT8_MAX);
    least[0] = least[1] = least[2] = least[3] = none;
    for (; count > 0; count--, reply++) {
        uint64_t mask = held & ~reply->held[block];
        for (int i = 0; i < 4; i++) {
            int8x16_t child = lanes_neon_expand((uint32_t)(mask >> 16 * i), &reply->from, none);
            least[i] = vminq_s8(least[i], child);
        }
    }
}

/* Raises 16 lanes. */
static inline void lanes_neon_raise(
    int8_t *best, uint32_t held, int8x16_t first, int8x16_t second, int8x16_t also,
    int8x16_t mates)
{
    const int8x16_t none = vdupq_n_s8(INT8_MAX);
    const uint8x8_t bits = vcreate_u8(0x8040201008040201);
    uint8x16_t lanes = vtstq_u8(
        vcombine_u8(vdup_n_u8((uint8_t)held), vdup_n_u8((uint8_t)(held >> 8))),
        vcombine_u8(bits, bits));
    int8x16_t value = vbslq_s8(vceqq_s8(second, none), mates, second);
    value = vbslq_s8(vceqq_s8(first, none), value, vminq_s8(first, also));
    int8x16_t old = vld1q_s8(best);
    vst1q_s8(best, vbslq_s8(lanes, vmaxq_s8(old, value), old));
}

static void lanes_neon_lead(
    char *best, size_t blocks, const uint64_t *held, lanes_reply_t *replies, const int *counts,
    int mate)
{
    const int8x16_t mates = vdupq_n_s8((int8_t)mate);
    lanes_reply_t *seconds = replies + counts[0], *alsos = seconds + counts[1];
    int8x16_t first[4], second[4], also[4];
    for (size_t block = 0; block < blocks; block++, best += LANES_BLOCK) {
        if (!held[block]) {
            continue;
        }
        lanes_neon_least(first, held[block], block, replies, counts[0]);
        lanes_neon_least(second, held[block], block, seconds, counts[1]);
        lanes_neon_least(also, held[block], block, alsos, counts[2]);
        for (int i = 0; i < 4; i++) {
            lanes_neon_raise(
                (int8_t *)best + 16 * i, (uint32_t)(held[block] >> 16 * i), first[i], second[i],
                also[i], mates);
        }
    }
}

static void lanes_neon_select(
    char *to, char *negated, const char *from, const uint64_t *mask, size_t blocks)
{
    for (size_t i = 0; i < 8 * blocks; i++) {
        int part = mask[i / 8] >> i % 8 * 8 & 0xFF;
        int8x8_t bytes = vld1_s8((const int8_t *)from + 8 * i);
        bytes = vtbl1_s8(bytes, vcreate_s8(lanes_lists[part]));
        vst1_s8((int8_t *)to, bytes);
        vst1_s8((int8_t *)negated, vneg_s8(bytes));
        to += __builtin_popcount(part);
        negated += __builtin_popcount(part);
    }
}

static void lanes_neon_reverse(char *to, const char *from, size_t lanes)
{
    for (size_t i = 0; i < lanes; i += 16) {
        int8x16_t block = vrev64q_s8(vld1q_s8((const int8_t *)from + i));
        block = vnegq_s8(vextq_s8(block, block, 8));
        vst1q_s8((int8_t *)to + lanes - i - 16, block);
    }
}
#endif

/* --- The choice ------------------------------------------------------------------------------ */

static const lanes_t lanes_paths[] = {
#if defined(LANES_X86)
    {"avx512", 1, lanes_avx512_lead, lanes_avx512_reverse, lanes_avx512_select},
    {"avx2", 1, lanes_avx2_lead, lanes_avx2_reverse, lanes_avx2_select},
#endif
#if defined(LANES_NEON)
    {"neon", 1, lanes_neon_lead, lanes_neon_reverse, lanes_neon_select},
#endif
    {"plain", 1, lanes_plain_lead, lanes_plain_reverse, lanes_plain_select},
};

/* Lanes of two bytes know one path. */
static const lanes_t lanes_two_bytes = {
    "plain", 2, lanes_wide_lead, lanes_wide_reverse, lanes_wide_select};

enum { LANES_PATHS = sizeof(lanes_paths) / sizeof(lanes_paths[0]) };

static inline int lanes_runs(const lanes_t *path)
{
#if defined(LANES_X86)
    __builtin_cpu_init();
    if (!strcmp(path->name, "avx512")) {
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
            && __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2")
            && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
    }
    if (!strcmp(path->name, "avx2")) {
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt")
            && __builtin_cpu_supports("bmi");
    }
#endif
    (void)path;
    return 1;
}

#endif
