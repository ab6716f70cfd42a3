"""Work shared out among threads, piece by piece, that can be interrupted at once."""

import operator
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from mate.errors import MateError, excerpt

Worker = TypeVar("Worker")
Progress = Callable[[int, int], None]


def thread_count(threads: int | None) -> int:
    """Return how many threads to use, one a core unless told.

    Raises:
        MateError: it is no integer of 1 to 256.
    """
    if threads is None:
        return _cores()
    try:
        number = operator.index(threads)
    except TypeError:
        number = 0
    if not 1 <= number <= 256:
        raise MateError(f"threads {excerpt(threads)}: an integer of 1 to 256")
    return number


def _cores() -> int:
    # Those that this process may use, where the system tells: of Python 3.13 on, of Linux before.
    if hasattr(os, "process_cpu_count"):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def workers_for(total: int, piece: int, threads: int | None) -> int:
    """Return how many threads are of use for so many pieces."""
    return min(thread_count(threads), -(-total // piece))


def share_out(
    total: int,
    piece: int,
    workers: Sequence[Worker],
    work: Callable[[Worker, int, int], Any],
    progress: Progress | None = None,
    stop: Callable[[], None] | None = None,
) -> None:
    """Have each piece of 0 .. total done by one of the workers, each on a thread of its own.

    What a worker raises ends it all, as an interruption does: no further piece is begun.

    Arguments:
        total: how much there is to do.
        piece: how much of it is done at a time.
        workers: what the threads work with.
        work: called with a worker and the first and the end of a piece.
        progress: called now and then with what is done, and the total.
        stop: makes the workers leave even the piece they are at.
    """
    from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait  # slow to import

    todo: SimpleQueue[int] = SimpleQueue()
    for start in range(0, total, piece):
        todo.put(start)

    def run(worker: Worker) -> None:
        with suppress(Empty):
            while True:
                start = todo.get_nowait()
                work(worker, start, min(start + piece, total))

    def give_up() -> None:
        with suppress(Empty):
            while True:
                todo.get_nowait()
        if stop is not None:
            stop()

    with ThreadPoolExecutor(max(len(workers), 1)) as pool:
        running = [pool.submit(run, worker) for worker in workers]
        try:
            while True:
                done, rest = wait(running, timeout=0.1, return_when=FIRST_EXCEPTION)
                for worker in done:
                    worker.result()
                if not rest:
                    break
                if progress is not None:
                    progress(max(total - piece * (todo.qsize() + len(workers)), 0), total)
        finally:
            give_up()
    if progress is not None:
        progress(total, total)
