"""A filter of system calls that closes what Landlock leaves open of the network; see seccomp(2).

Landlock knows TCP alone, and that only from Linux 6.7. So a thread and what it starts get no internet
sockets but those of TCP, and where Landlock has no rule for these, none at all. Calls that ask for
others fail as if the user had no right. Asynchronous calls, which no filter sees, do not exist.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import socket
import struct
from typing import NamedTuple

# From <linux/seccomp.h>, <linux/bpf_common.h> and <linux/audit.h>.
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2
_LOAD, _AND, _IF_EQUAL, _RETURN = 0x20, 0x54, 0x15, 0x06
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_AT_NUMBER, _AT_PROCESSOR, _AT_DOMAIN, _AT_TYPE, _AT_PROTOCOL = 0, 4, 16, 24, 32
_INTEL_32 = 0x40000003
_SOCKET_CALLS_OF_INTEL_32 = (102, 359)  # socketcall and socket
_IO_URING_SETUP = 425  # the same for all processors
_WITHOUT_VARIANT = 0x3FFFFFFF  # Intel's calls with 32-bit pointers have one more bit
_KIND_OF_SOCKET = 0xF
_PACKETS, _VIRTUAL_MACHINES = 17, 40  # AF_PACKET and AF_VSOCK


class _SystemCalls(NamedTuple):
    """What the kernel calls a processor, and the number of `socket` there."""

    name: int
    socket: int


_PROCESSORS = {
    "x86_64": _SystemCalls(0xC000003E, 41),
    "aarch64": _SystemCalls(0xC00000B7, 198),
}


class _Instruction(NamedTuple):
    """One instruction; of a comparison `then` is the label to go to, or else the next step follows."""

    code: int
    value: int = 0
    then: str = ""
    label: str = ""


def is_available() -> bool:
    """Return whether the numbers of system calls are known here."""
    return platform.machine() in _PROCESSORS


def close_network(*, tcp_is_closed: bool) -> None:
    """Take internet sockets from this thread and what it starts; it must not gain privileges any more.

    TCP's stay if Landlock closes them. Raises OSError if the kernel refuses.
    """
    if not is_available():
        return
    program = assembled(steps(_PROCESSORS[platform.machine()], tcp_is_closed=tcp_is_closed))
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_SECCOMP, _MODE_FILTER, header, 0, 0):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def steps(processor: _SystemCalls, *, tcp_is_closed: bool) -> list[_Instruction]:
    """Return the filter's instructions."""
    streams = [
        _Instruction(_LOAD, _AT_PROTOCOL, label="stream"),
        _Instruction(_IF_EQUAL, 0, "tcp"),
        _Instruction(_IF_EQUAL, int(socket.IPPROTO_TCP), "tcp"),
        _Instruction(_RETURN, _ERROR | errno.EACCES),
        _Instruction(_RETURN, _ALLOW, label="tcp"),
    ]
    return [
        _Instruction(_LOAD, _AT_PROCESSOR),
        _Instruction(_IF_EQUAL, processor.name, "native"),
        _Instruction(_IF_EQUAL, _INTEL_32, "intel 32"),
        _Instruction(_RETURN, _ALLOW),
        _Instruction(_LOAD, _AT_NUMBER, label="intel 32"),
        *(_Instruction(_IF_EQUAL, number, "refuse") for number in _SOCKET_CALLS_OF_INTEL_32),
        _Instruction(_IF_EQUAL, _IO_URING_SETUP, "missing"),
        _Instruction(_RETURN, _ALLOW),
        _Instruction(_LOAD, _AT_NUMBER, label="native"),
        _Instruction(_AND, _WITHOUT_VARIANT),
        _Instruction(_IF_EQUAL, _IO_URING_SETUP, "missing"),
        _Instruction(_IF_EQUAL, processor.socket, "socket"),
        _Instruction(_RETURN, _ALLOW),
        _Instruction(_LOAD, _AT_DOMAIN, label="socket"),
        *(_Instruction(_IF_EQUAL, domain, "refuse") for domain in (_PACKETS, _VIRTUAL_MACHINES)),
        *(
            _Instruction(_IF_EQUAL, int(kind), "internet")
            for kind in (socket.AF_INET, socket.AF_INET6)
        ),
        _Instruction(_RETURN, _ALLOW),
        _Instruction(_LOAD, _AT_TYPE, label="internet"),
        _Instruction(_AND, _KIND_OF_SOCKET),
        *([_Instruction(_IF_EQUAL, int(socket.SOCK_STREAM), "stream")] if tcp_is_closed else []),
        _Instruction(_RETURN, _ERROR | errno.EACCES, label="refuse"),
        _Instruction(_RETURN, _ERROR | errno.ENOSYS, label="missing"),
        *(streams if tcp_is_closed else []),
    ]


def assembled(program: list[_Instruction]) -> bytes:
    """Return the instructions as the kernel reads them; jumps only lead forward."""
    places = {step.label: index for index, step in enumerate(program) if step.label}
    code = b""
    for index, step in enumerate(program):
        jump = places[step.then] - index - 1 if step.then else 0
        code += struct.pack("=HBBI", step.code, jump, 0, step.value)
    return code
