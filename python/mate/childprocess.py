"""Another program whose lines are read and written with time-outs, and of which nothing is left."""

import os
import queue
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from mate.errors import EngineError, excerpt

MOST_LINES = 1000  # that wait to be read; beyond them the program waits
LONGEST_LINE = 1 << 16  # bytes
AT_A_TIME = 1 << 16  # bytes
GRACE = 1.0  # seconds for what has been killed


class ChildProcess:
    """A program that is talked to line by line.

    It is read in a thread of its own, so that waiting for it can end. On POSIX systems it is the
    first of a process group, so that with it all that it started can be killed.

    Arguments:
        command: the program and its arguments.

    Raises:
        EngineError: it cannot be started.
    """

    def __init__(self, command: Sequence[str]):
        posix = os.name == "posix"
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                start_new_session=posix,
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise EngineError(f"{excerpt(command[0])} cannot be started: {why}") from None
        if posix:
            os.set_blocking(self._input.fileno(), False)
        self.closed = False
        self._writing = threading.Lock()
        self._lines: queue.Queue[bytes | None] = queue.Queue(MOST_LINES)
        self._reader = threading.Thread(target=self._read, daemon=True, name="engine reader")
        self._reader.start()

    @property
    def _input(self) -> Any:
        return self._process.stdin

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    # --- Talking ---

    def write(self, line: str) -> None:
        """Send a line; from any thread.

        Raises:
            EngineError: the program has ended or does not read.
        """
        data = f"{line}\n".encode()
        with self._writing:
            if self.closed:
                raise EngineError("it has been quitted")
            try:
                written = self._input.write(data)
            except (OSError, ValueError):  # ValueError: it is being killed in another thread
                raise EngineError(self._death()) from None
        if written != len(data):
            raise EngineError("it does not read its input")

    def read(self, deadline: float) -> str:
        """Return the next line.

        Arguments:
            deadline: until when to wait for it, in seconds of `time.monotonic`.

        Raises:
            EngineError: the program has ended, or sends what is no line.
            TimeoutError: it is too late.
        """
        try:
            line = self._lines.get(timeout=max(deadline - time.monotonic(), 0))
        except queue.Empty:
            raise TimeoutError from None
        if line is None:
            raise EngineError(self._death())
        if len(line) > LONGEST_LINE:
            raise EngineError(f"it sent a line of more than {LONGEST_LINE} bytes")
        return line.decode("utf-8", "replace")

    def _death(self) -> str:
        # What has ended already keeps its exit code; what only closed its output is ended now.
        self.kill()
        code = self._process.returncode
        if code >= 0:
            return f"it has ended with exit code {code}"
        return f"it has closed its output, or was ended by a signal ({-code})"

    # --- Reading, in its own thread ---

    def _read(self) -> None:
        output: Any = self._process.stdout
        rest = b""
        with output:
            while chunk := output.read(AT_A_TIME):
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    self._hand_over(line.rstrip(b"\r"))
                if len(rest) > LONGEST_LINE:
                    self._hand_over(rest)
                    rest = b""
        self._hand_over(None)

    def _hand_over(self, line: bytes | None) -> None:
        while not self.closed:
            try:
                return self._lines.put(line, timeout=0.1)
            except queue.Full:
                pass  # nobody reads just now

    # --- Ending ---

    def close(self, timeout: float) -> None:
        """Close the program's input, wait until its output ends, or it is too late, and kill it."""
        with self._writing:
            self.closed = True
            self._input.close()
        self._reader.join(timeout)
        self.kill()

    def kill(self) -> None:
        """End the program at once; nothing of it is left, neither process nor thread nor file."""
        self.closed = True
        if self._process.returncode is None:
            _kill_group(self._process)
            self._process.wait()
        self._input.close()
        self._reader.join(GRACE)
        with suppress(queue.Full):  # for who waits for a line in another thread
            self._lines.put_nowait(None)


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    if os.name != "posix":
        return process.kill()
    import signal

    with suppress(ProcessLookupError, PermissionError):  # it has ended already
        os.killpg(process.pid, signal.SIGKILL)
