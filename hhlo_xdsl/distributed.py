"""Several processes that compute together: `initialize`, and `Group`.

Sessions opened while a group is there see the devices of all its processes, and collectives reach across. The processes
find each other through the coordinator, which process 0 runs, and talk over TCP.
"""

from __future__ import annotations

import contextlib
import threading
from typing import Any, Self, final

from hhlo_xdsl.errors import PluginError
from hhlo_xdsl.runtime.client import load_jaxlib, set_process_group

_lock = threading.Lock()
_groups: list[Group] = []
"""The group that this process belongs to, if any."""


@final
class Group:
    """Processes that compute together. Leaving the context, or `shutdown`, ends this process's part in it."""

    def __init__(self, handle: Any, service: Any, process_id: int, num_processes: int, timeout: float):
        self._handle = handle
        self._service = service
        self._timeout = timeout
        self.process_id = process_id
        """The number of this process, from 0."""
        self.num_processes = num_processes
        """How many processes there are."""

    def barrier(self, name: str, *, timeout: float | None = None) -> None:
        """Wait until every process has come to the barrier `name`, which may be used once.

        timeout : seconds, the group's if None; raises PluginError when somebody has not come by then
        """
        seconds = self._timeout if timeout is None else timeout
        try:
            self._handle.wait_at_barrier(name, int(1000 * seconds))
        except RuntimeError as error:
            raise PluginError(
                f"barrier {name!r}: not all of {self.num_processes} processes came within {seconds:g} s; look at the"
                f" output of the others ({_first_line(error)})"
            ) from error

    def shutdown(self) -> None:
        """Wait for the others, as long as the group's timeout, and leave. Close sessions before."""
        with _lock:
            if self not in _groups:
                return
            _groups.remove(self)
            set_process_group({})
        with contextlib.suppress(PluginError):
            self.barrier("hhlo end")
        self._handle.shutdown()
        if self._service is not None:
            self._service.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.shutdown()

    def __repr__(self) -> str:
        return f"Group(process {self.process_id} of {self.num_processes})"


def initialize(
    coordinator: str, num_processes: int, process_id: int, *, timeout: float = 60.0, address: str | None = None
) -> Group:
    """Meet the other processes; every one calls this with the same coordinator and count, and its own number.

    coordinator : the address and port of process 0 that the others reach, as "10.0.0.1:8476"
    timeout     : seconds to wait for the others
    address     : how the others reach this process; the address of its host name if None

    Raises PluginError when not all processes are there in time (some seconds later than `timeout`), when the address is
    of no use, or when this process is in a group already. A process that ends later makes the others' collectives fail.
    """
    _check(coordinator, num_processes, process_id, timeout)
    with _lock:
        if _groups:
            raise PluginError(f"distributed: this process belongs to {_groups[0]!r} already; shut it down first")
        jaxlib, seconds = load_jaxlib(), max(1, round(timeout))
        try:
            service = jaxlib.coordinator(coordinator, num_processes, seconds) if process_id == 0 else None
            handle = jaxlib.join_group(coordinator, process_id, seconds)
        except RuntimeError as error:
            raise PluginError(
                f"distributed: process {process_id} waited {timeout:g} s at {coordinator} for {num_processes}"
                " processes, and not all of them came; start them all, with one address that all reach and a port"
                " that is free"
            ) from error
        set_process_group(jaxlib.group_arguments(handle, process_id, num_processes, address))
        _groups.append(Group(handle, service, process_id, num_processes, timeout))
        return _groups[0]


def _check(coordinator: Any, num_processes: Any, process_id: Any, timeout: Any) -> None:
    host, _, port = coordinator.rpartition(":") if isinstance(coordinator, str) else ("", "", "")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise PluginError(
            f'distributed: coordinator is {coordinator!r}; an address and port as "10.0.0.1:8476" was expected'
        )
    if type(num_processes) is not int or num_processes < 1:
        raise PluginError(f"distributed: num_processes is {num_processes!r}; an integer of at least 1 was expected")
    if type(process_id) is not int or not 0 <= process_id < num_processes:
        raise PluginError(f"distributed: process_id is {process_id!r}; a number in 0..{num_processes - 1} was expected")
    if not timeout > 0:
        raise PluginError(f"distributed: timeout is {timeout!r}; seconds above 0 were expected")


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
