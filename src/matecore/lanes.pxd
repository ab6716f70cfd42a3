"""Byte lanes (lanes.h), and which path of them is taken."""
from libc.stdint cimport uint64_t


cdef extern from "lanes.h":
    enum:
        BLOCK "LANES_BLOCK"
        PATHS "LANES_PATHS"

    ctypedef struct lanes_reply_t:
        const char* from_ "from"
        const uint64_t* held

    ctypedef struct lanes_t:
        const char* name
        size_t width
        void lead(
            char* best, size_t blocks, const uint64_t* held, lanes_reply_t* replies,
            const int* counts, int mate
        ) noexcept nogil
        void reverse(char* to, const char* from_, size_t lanes) noexcept nogil
        void select(
            char* to, char* negated, const char* from_, const uint64_t* mask, size_t blocks
        ) noexcept nogil

    const lanes_t[PATHS] lanes_paths
    const lanes_t lanes_two_bytes
    bint lanes_runs(const lanes_t* path) noexcept nogil


# The path that the environment variable MATECORE_LANES names, else the first that runs here.
cdef const lanes_t* chosen_lanes() except NULL

cdef bint uses_bits() except -1
