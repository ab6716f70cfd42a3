"""How many threads are used unless it is told."""

import os

from mate.threads import thread_count


def test_a_core_that_may_not_be_used_is_not_counted(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.delattr(os, "process_cpu_count", raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 5, 9}, raising=False)
    assert thread_count(None) == 3
    monkeypatch.setattr(os, "process_cpu_count", lambda: 2, raising=False)
    assert thread_count(None) == 2
    monkeypatch.setattr(os, "process_cpu_count", lambda: None)
    assert thread_count(None) == 1


def test_where_the_system_tells_nothing_all_cores_are_counted(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.delattr(os, "process_cpu_count", raising=False)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert thread_count(None) == 64
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert thread_count(None) == 1
