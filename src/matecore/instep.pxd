"""Games played in step, each drawing from the stream of its unit."""
from libc.stdint cimport uint64_t

from matecore.cards cimport places_t
from matecore.dealing cimport deals_t
from matecore.policy cimport source_t
from matecore.rng cimport stream_t
from matecore.search cimport Solver
from matecore.tablebase cimport Tablebase
from matecore.vector cimport Vector


#   seed, number    the key of the streams
#   streams         one a row
#   source          of exact values; its table is NULL until one is needed
ctypedef struct instep_t:
    uint64_t seed
    uint64_t number
    stream_t* streams
    deals_t* deals
    places_t places
    source_t source


cdef class InStep(Vector):
    cdef readonly Tablebase tablebase
    cdef Solver solver
    cdef instep_t s
    cdef int take_values(self) except -1
    cdef int end_values(self) except -1
