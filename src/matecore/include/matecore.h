/* The C interface of matecore: the rules of Mate, exact search and look-up, for any extension.
 *
 *     #include <matecore.h>
 *     const matecore_api *mate = matecore_import();    with the GIL; NULL with an exception set
 *     if (mate == NULL) return NULL;
 *
 * Compile with matecore.get_include() among the include directories. Nothing is linked: the
 * functions come at run time, by pointers out of a capsule.
 *
 * Versions. `version` changes when something that is here changes its meaning: then nothing fits and
 * matecore_import fails. `size` grows when functions are added at the end, so an extension that was
 * compiled against an earlier header goes on working.
 *
 * Threads. Functions under "with the GIL" need it. All others need no GIL and never keep what they
 * are given; rules may be read by any number of threads at once. `value` takes the GIL by itself now
 * and then to look for signals: hold no lock around it that a thread with the GIL may wait for.
 *
 * Positions are values: copy one to keep it, and so take a move back. A position comes from `start`,
 * `position_of` or another position by `play`; what comes from elsewhere has no meaning. Players
 * are 0, X, and 1, Y. Cards, masks and actions are numbered as in the package's notation: in a deck
 * of N cards, play card i = i, decline to foreplace = N, foreplace i = N + 1 + i, lead i and declare
 * its privilege = 2N + 1 + i.
 */
#ifndef MATECORE_H
#define MATECORE_H

#include <Python.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MATECORE_API_VERSION 1
#define MATECORE_CAPSULE "matecore.capi.API"
#define MATECORE_MOST_ACTIONS 32 /* that a position can have */

enum {
    MATECORE_NONE = 254,     /* no card: nothing led, nothing foreplaced */
    MATECORE_UNDECIDED = 255 /* may still foreplace */
};

/* What functions that can fail return: 0 or more if they did not. */
enum {
    MATECORE_OK = 0,
    MATECORE_ILLEGAL = -1,     /* the action is not legal; nothing was changed */
    MATECORE_NO_DEAL = -2,     /* the hands do not halve the deck, or there is no such leader */
    MATECORE_DAMAGED = -3,     /* the tablebase's file is damaged; it answers nothing any more */
    MATECORE_STOPPED = -4      /* the solver was stopped, or a signal came in */
};

typedef struct matecore_rules matecore_rules;
typedef struct matecore_solver matecore_solver;
typedef struct matecore_tablebase matecore_tablebase;

/* 16 bytes. While a lead is on the table its card has left the leader's hand, except a last card
 * that is played twice. */
typedef struct {
    uint32_t hand[2];
    uint8_t fore[2];  /* the card each player foreplaced, NONE or UNDECIDED */
    uint8_t to_move;  /* who acts */
    uint8_t led;      /* the card to be answered, + 32 if it declares its privilege; or NONE */
    uint8_t trick;    /* from 1; beyond the last, all is played */
    uint8_t free;     /* the free move is still to be had */
} matecore_position;

/* What the player to act may do, as sets of cards; with `decline` he may foreplace nothing. */
typedef struct {
    uint32_t play;
    uint32_t declare;
    uint32_t fore;
    int decline;
} matecore_moves;

typedef struct {
    uint32_t version;
    uint32_t size; /* of this structure, in bytes, as the library has it */

    /* --- With the GIL --- */

    /* What a Python object holds: matecore.Solver, Tablebase, and the rules of matecore.Rules or of
     * either of these. Borrowed: it is valid as long as the object, so keep a reference. NULL with
     * TypeError set. */
    const matecore_rules *(*rules_of)(PyObject *rules);
    matecore_solver *(*solver_of)(PyObject *solver);
    matecore_tablebase *(*tablebase_of)(PyObject *tablebase);
    /* The state of a matecore.Position; MATECORE_OK, or -1 with TypeError set, or ValueError where
     * the position is of other rules. */
    int (*position_of)(
        PyObject *position, const matecore_rules *rules, matecore_position *out);

    /* --- Rules: without the GIL, from any number of threads --- */

    int (*n_cards)(const matecore_rules *rules);
    int (*hand_size)(const matecore_rules *rules);
    /* The first position of a game; MATECORE_OK or MATECORE_NO_DEAL. */
    int (*start)(
        const matecore_rules *rules, uint32_t x, uint32_t y, int leader, matecore_position *out);
    /* What may be done; returns how many actions that is, 0 when the game is over. */
    int (*legal)(
        const matecore_rules *rules, const matecore_position *position, matecore_moves *out);
    /* The same as numbers, ascending by kind, copies of a card each; returns how many. */
    int (*legal_actions)(
        const matecore_rules *rules, const matecore_position *position,
        int8_t out[MATECORE_MOST_ACTIONS]);
    /* Does an action; MATECORE_OK or MATECORE_ILLEGAL. */
    int (*play)(const matecore_rules *rules, matecore_position *position, int action);
    /* Does an action that `legal` or `legal_actions` told of here; with any other the behaviour is
     * undefined. */
    void (*play_unchecked)(const matecore_rules *rules, matecore_position *position, int action);
    int (*is_over)(const matecore_rules *rules, const matecore_position *position);
    /* X's margin in points in a game that is over; of any other it means nothing. */
    int (*margin)(const matecore_rules *rules, const matecore_position *position);
    /* Equal for equal positions and for no others; copies of a card are not told apart. */
    void (*key)(
        const matecore_rules *rules, const matecore_position *position, uint64_t out[2]);

    /* --- Exact values: without the GIL --- */

    /* The exact margin for the player to act; MATECORE_OK, or MATECORE_STOPPED: either Solver.stop
     * was called, or a signal came in, whose exception is then set: with the GIL, if PyErr_Occurred
     * tells so, return NULL. One thread at a time may use a solver, and Python must not use it
     * meanwhile. The position must be of the solver's rules. */
    int (*value)(matecore_solver *solver, const matecore_position *position, int *out);
    /* The same by look-up, from any number of threads; MATECORE_OK or MATECORE_DAMAGED. The position
     * must be of the tablebase's rules. */
    int (*probe)(matecore_tablebase *tablebase, const matecore_position *position, int *out);
} matecore_api;

/* The functions, or NULL with ImportError set. */
static inline const matecore_api *matecore_import(void)
{
    const matecore_api *api;
    PyObject *module = PyImport_ImportModule("matecore.capi");
    if (module == NULL)
        return NULL;
    Py_DECREF(module); /* it stays in sys.modules */
    api = (const matecore_api *)PyCapsule_Import(MATECORE_CAPSULE, 0);
    if (api == NULL)
        return NULL;
    if (api->version != MATECORE_API_VERSION || api->size < sizeof(matecore_api)) {
        PyErr_Format(
            PyExc_ImportError, "matecore has C interface %u of %u bytes; compiled for %u of %u",
            (unsigned)api->version, (unsigned)api->size, (unsigned)MATECORE_API_VERSION,
            (unsigned)sizeof(matecore_api));
        return NULL;
    }
    return api;
}

#ifdef __cplusplus
}
#endif

#endif
