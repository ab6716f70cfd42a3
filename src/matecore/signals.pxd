"""Looking for signals from within a long search.

A handler may search in turn, and a signal that comes faster than its handler ends would begin
search in search until the stack is full. So beyond a depth, told by thread, nobody looks: the
signals wait until the searches further out look again.
"""

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #define MATECORE_OF_THREAD __declspec(thread)
    #else
    #define MATECORE_OF_THREAD __thread
    #endif
    #define MATECORE_DEEPEST 8
    static MATECORE_OF_THREAD int matecore_depth = 0;
    static int matecore_check_signals(void) {
        int found;
        if (matecore_depth == MATECORE_DEEPEST) return 0;
        matecore_depth++;
        found = PyErr_CheckSignals();
        matecore_depth--;
        return found;
    }
    """
    # With the GIL; without `except`: the exception that it leaves is raised when the search has
    # unwound.
    int check_signals "matecore_check_signals" () noexcept
    # The same, raising it.
    int raise_signals "matecore_check_signals" () except -1
