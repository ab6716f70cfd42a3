"""Double-dummy search: zero-window, over classes of positions that are the same to it."""
from libc.stdint cimport uint64_t

from matecore.court_piece.cards cimport SEATS, SLOTS
from matecore.court_piece.rules cimport position_t, rules_t
from matecore.court_piece.state cimport state_t
from matecore.court_piece.table cimport table_t


ctypedef struct solver_t:
    const rules_t* rules
    const rules_t* plain    # rules by which each trick is collected at once
    table_t table
    bint stopped            # for good, by another thread
    bint interrupted        # by a signal, while the search now running runs
    bint exhausted          # the search now running has had its nodes
    uint64_t nodes          # positions between tricks
    uint64_t last_node      # when there were so many, a search gives up


# A search of one position.
#
#   quick       whether tricks that are sure cut the search: collection is plain
#   late        ... also those that come some time: all tricks count
#   killer      the lead that was enough the last time, by the number of the trick and the leader
ctypedef struct search_t:
    solver_t* solver
    state_t s
    bint quick
    bint late
    int killer[SLOTS + 1][SEATS]


cdef inline bint halted(const solver_t* solver) noexcept nogil:
    return solver.stopped or solver.interrupted or solver.exhausted


# The search of a position in play under rules of collection, tricks up to `horizon` counting.
cdef void begin_search(
    search_t* c, solver_t* solver, const rules_t* rules, const position_t* position, int horizon
) noexcept nogil

# Whether side 0 still collects `need` tricks, the pile and the trick on the table counted;
# meaningless once the solver is stopped or interrupted. It takes the GIL now and then to look for
# signals: who calls it must, once he has the GIL again, call `end`, which raises what came in.
cdef bint reaches(search_t* c, int need) noexcept nogil
