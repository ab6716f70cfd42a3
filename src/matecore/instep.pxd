"""Games played in step, each drawing from the stream of its unit."""
from matecore.cards cimport places_t
from matecore.dealing cimport deals_t
from matecore.policy cimport Policy, source_t
from matecore.rng cimport stream_t
from matecore.search cimport Solver
from matecore.tablebase cimport Tablebase
from matecore.vector cimport Vector


cdef class InStep(Vector):
    cdef Solver solver      # for exact values without a tablebase, once they are needed
    cdef stream_t* streams  # one a row
    cdef deals_t* deals
    cdef places_t places
    cdef source_t source_for(self, Policy policy, Tablebase tablebase) except *
