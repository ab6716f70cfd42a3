/* An engine of one's own in C: random games, and exact values, by the C interface of matecore.
 *
 *     python setup.py build_ext --inplace
 *     python -c "import mate, randommate; game = mate.Game('AQ7.A7.TK7.AT'); \\
 *                print(randommate.perft(game.variant.rules, game.core, 4))"
 */
#include <matecore.h>

static const matecore_api *mate;

/* A small generator of random numbers (xorshift); good enough to play with. */
static uint32_t below(uint64_t *state, uint32_t n)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(((*state >> 32) * n) >> 32);
}

static int play_out(
    const matecore_rules *rules, matecore_position position, uint64_t *state, long long *steps)
{
    int8_t actions[MATECORE_MOST_ACTIONS];
    int n;
    while ((n = mate->legal_actions(rules, &position, actions)) > 0) {
        mate->play_unchecked(rules, &position, actions[below(state, (uint32_t)n)]);
        ++*steps;
    }
    return mate->margin(rules, &position);
}

static PyObject *random_games(PyObject *module, PyObject *args)
{
    PyObject *object;
    unsigned int x, y;
    int games, i, wrong;
    long long total = 0, steps = 0;
    uint64_t state = 88172645463325252u;
    const matecore_rules *rules;
    matecore_position start;
    (void)module;
    if (!PyArg_ParseTuple(args, "OIIi", &object, &x, &y, &games))
        return NULL;
    rules = mate->rules_of(object);
    if (rules == NULL)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    wrong = mate->start(rules, x, y, 0, &start);
    for (i = 0; i < games && !wrong; i++)
        total += play_out(rules, start, &state, &steps);
    Py_END_ALLOW_THREADS
    if (wrong) {
        PyErr_SetString(PyExc_ValueError, "the hands do not halve the deck");
        return NULL;
    }
    return Py_BuildValue("LL", total, steps);
}

/* How many sequences of exactly `depth` actions there are. */
static long long perft(const matecore_rules *rules, const matecore_position *position, int depth)
{
    int8_t actions[MATECORE_MOST_ACTIONS];
    int i, n = mate->legal_actions(rules, position, actions);
    long long total = 0;
    if (depth <= 1)
        return depth < 1 ? 1 : n;
    for (i = 0; i < n; i++) {
        matecore_position child = *position; /* the way back is the copy that stays */
        mate->play_unchecked(rules, &child, actions[i]);
        total += perft(rules, &child, depth - 1);
    }
    return total;
}

static PyObject *count_sequences(PyObject *module, PyObject *args)
{
    PyObject *rules_object, *position_object;
    const matecore_rules *rules;
    matecore_position position;
    int depth;
    long long total;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOi", &rules_object, &position_object, &depth))
        return NULL;
    rules = mate->rules_of(rules_object);
    if (rules == NULL || mate->position_of(position_object, rules, &position) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    total = perft(rules, &position, depth);
    Py_END_ALLOW_THREADS
    return PyLong_FromLongLong(total);
}

static PyObject *exact_margin(PyObject *module, PyObject *args)
{
    PyObject *solver_object, *position_object;
    matecore_solver *solver;
    const matecore_rules *rules;
    matecore_position position;
    int value, wrong;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &solver_object, &position_object))
        return NULL;
    solver = mate->solver_of(solver_object);
    rules = mate->rules_of(solver_object);
    if (solver == NULL || rules == NULL || mate->position_of(position_object, rules, &position) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    wrong = mate->value(solver, &position, &value);
    Py_END_ALLOW_THREADS
    if (wrong) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_RuntimeError, "the solver was stopped");
        return NULL;
    }
    return PyLong_FromLong(value);
}

/* The game in which everybody plays the first legal action: X's margin, the moves, and of the last
 * position the key. */
static PyObject *first_game(PyObject *module, PyObject *args)
{
    PyObject *object;
    unsigned int x, y;
    int leader, n, plies = 0;
    int8_t actions[MATECORE_MOST_ACTIONS];
    uint64_t key[2];
    const matecore_rules *rules;
    matecore_position position;
    (void)module;
    if (!PyArg_ParseTuple(args, "OIIi", &object, &x, &y, &leader))
        return NULL;
    rules = mate->rules_of(object);
    if (rules == NULL)
        return NULL;
    if (mate->start(rules, x, y, leader, &position) == MATECORE_NO_DEAL)
        return PyErr_Format(
            PyExc_ValueError, "no deal of %d cards, %d each", mate->n_cards(rules),
            mate->hand_size(rules));
    while (!mate->is_over(rules, &position)) {
        n = mate->legal_actions(rules, &position, actions);
        if (n == 0 || mate->play(rules, &position, actions[0]) != MATECORE_OK)
            return PyErr_Format(PyExc_RuntimeError, "no legal action, and not over");
        plies++;
    }
    mate->key(rules, &position, key);
    return Py_BuildValue(
        "iiKK", mate->margin(rules, &position), plies, (unsigned long long)key[0],
        (unsigned long long)key[1]);
}

/* Plays an action; how many are legal after it. */
static PyObject *play(PyObject *module, PyObject *args)
{
    PyObject *rules_object, *position_object;
    const matecore_rules *rules;
    matecore_position position;
    matecore_moves moves;
    int action;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOi", &rules_object, &position_object, &action))
        return NULL;
    rules = mate->rules_of(rules_object);
    if (rules == NULL || mate->position_of(position_object, rules, &position) < 0)
        return NULL;
    if (mate->play(rules, &position, action) == MATECORE_ILLEGAL) {
        PyErr_Format(PyExc_ValueError, "action %d is not legal", action);
        return NULL;
    }
    return PyLong_FromLong(mate->legal(rules, &position, &moves));
}

static PyObject *look_up(PyObject *module, PyObject *args)
{
    PyObject *tablebase_object, *position_object;
    matecore_tablebase *tablebase;
    const matecore_rules *rules;
    matecore_position position;
    int value, wrong;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &tablebase_object, &position_object))
        return NULL;
    tablebase = mate->tablebase_of(tablebase_object);
    rules = mate->rules_of(tablebase_object);
    if (tablebase == NULL || rules == NULL || mate->position_of(position_object, rules, &position) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    wrong = mate->probe(tablebase, &position, &value);
    Py_END_ALLOW_THREADS
    if (wrong) {
        PyErr_SetString(PyExc_ValueError, "the tablebase is damaged");
        return NULL;
    }
    return PyLong_FromLong(value);
}

static PyMethodDef methods[] = {
    {"random_games", random_games, METH_VARARGS,
     "random_games(rules, x, y, games): the sum of X's margins, and the moves in all."},
    {"perft", count_sequences, METH_VARARGS,
     "perft(rules, position, depth): how many sequences of so many actions there are."},
    {"exact_margin", exact_margin, METH_VARARGS,
     "exact_margin(solver, position): the margin for the player to act."},
    {"first_game", first_game, METH_VARARGS,
     "first_game(rules, x, y, leader): X's margin, the moves, and the key at the end."},
    {"play", play, METH_VARARGS,
     "play(rules, position, action): how many actions are legal after it."},
    {"look_up", look_up, METH_VARARGS,
     "look_up(tablebase, position): the margin for the player to act."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "randommate", NULL, -1, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit_randommate(void)
{
    mate = matecore_import();
    return mate == NULL ? NULL : PyModule_Create(&definition);
}
