"""A filter of system calls that closes what Landlock leaves open of the network; see seccomp(2).

Of internet sockets, Landlock knows those of TCP alone, and these only from Linux 6.7. It knows sockets
that are files only from 7.1. So a thread and what it starts get no others, except those of the kernel
(netlink). They may make connected pairs, by which Node.js and others talk to their own processes, but
no pairs for datagrams, which can send to any address. TCP Fast Open is refused, since it connects
without asking Landlock. All of these calls fail as if the user had no right. Asynchronous calls, which
no filter sees, do not exist.
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
_LOAD, _AND, _IF_EQUAL, _IF_ANY, _RETURN = 0x20, 0x54, 0x15, 0x45, 0x06
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_AT_NUMBER, _AT_PROCESSOR = 0, 4
_AT_DOMAIN, _AT_TYPE, _AT_PROTOCOL = 16, 24, 32
_AT_THIRD, _AT_FOURTH = 32, 40
_IO_URING_SETUP = 425  # the same for all processors
_WITHOUT_VARIANT = 0x3FFFFFFF  # Intel's calls with 32-bit pointers have one more bit
_KIND_OF_SOCKET = 0xF
_MSG_FASTOPEN = 0x20000000
_KERNEL_SOCKETS = 16  # AF_NETLINK


class _SystemCalls(NamedTuple):
    """What the kernel calls a processor, and the numbers of system calls there.

    `sends` are those that send, and where in their data the flags are. `short` is the name of the
    processor for programs with 32 bits, and `short_refused` are the numbers of their calls for
    sockets, all of which are refused.
    """

    name: int
    socket: int
    socketpair: int
    sends: dict[int, int]
    short: int
    short_refused: tuple[int, ...]


_PROCESSORS = {
    "x86_64": _SystemCalls(
        name=0xC000003E,
        socket=41,
        socketpair=53,
        # The last two are the variants for programs with 32-bit pointers.
        sends={
            44: _AT_FOURTH,
            46: _AT_THIRD,
            307: _AT_FOURTH,
            518: _AT_THIRD,
            538: _AT_FOURTH,
        },
        short=0x40000003,
        short_refused=(102, 345, 359, 360, 369, 370),
    ),
    "aarch64": _SystemCalls(
        name=0xC00000B7,
        socket=198,
        socketpair=199,
        sends={206: _AT_FOURTH, 211: _AT_THIRD, 269: _AT_FOURTH},
        short=0x40000028,
        short_refused=(281, 288, 290, 296, 374),
    ),
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


def close_network(*, tcp_is_closed: bool, local_is_closed: bool) -> None:
    """Take sockets from this thread and what it starts; it must not gain privileges any more.

    Those of TCP stay if Landlock closes them already, and so do those that are files. Raises OSError if
    the kernel refuses.
    """
    if not is_available():
        return
    processor = _PROCESSORS[platform.machine()]
    program = assembled(
        steps(processor, tcp_is_closed=tcp_is_closed, local_is_closed=local_is_closed)
    )
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_SECCOMP, _MODE_FILTER, header, 0, 0):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def steps(
    processor: _SystemCalls, *, tcp_is_closed: bool, local_is_closed: bool
) -> list[_Instruction]:
    """Return the filter's instructions."""
    return [
        _Instruction(_LOAD, _AT_PROCESSOR),
        _Instruction(_IF_EQUAL, processor.name, "native"),
        _Instruction(_IF_EQUAL, processor.short, "short"),
        _Instruction(_RETURN, _ERROR | errno.ENOSYS),  # there is no other
        _Instruction(_LOAD, _AT_NUMBER, label="short"),
        *(_Instruction(_IF_EQUAL, number, "refuse") for number in processor.short_refused),
        _Instruction(_IF_EQUAL, _IO_URING_SETUP, "no such call"),
        _Instruction(_RETURN, _ALLOW),
        _Instruction(_LOAD, _AT_NUMBER, label="native"),
        _Instruction(_AND, _WITHOUT_VARIANT),
        _Instruction(_IF_EQUAL, _IO_URING_SETUP, "no such call"),
        _Instruction(_IF_EQUAL, processor.socket, "socket"),
        *([] if local_is_closed else [_Instruction(_IF_EQUAL, processor.socketpair, "pair")]),
        *(_Instruction(_IF_EQUAL, call, f"flags {at}") for call, at in processor.sends.items()),
        _Instruction(_RETURN, _ALLOW),
        *_of_flags(_AT_THIRD),
        *_of_flags(_AT_FOURTH),
        *_of_socket(tcp_is_closed=tcp_is_closed, local_is_closed=local_is_closed),
        *([] if local_is_closed else _of_pair()),
        _Instruction(_RETURN, _ERROR | errno.EACCES, label="refuse"),
        _Instruction(_RETURN, _ERROR | errno.ENOSYS, label="no such call"),
        _Instruction(_RETURN, _ALLOW, label="allow"),
    ]


def _of_flags(place: int) -> list[_Instruction]:
    """Return what refuses TCP Fast Open, by the flags at a place of a call's data."""
    return [
        _Instruction(_LOAD, place, label=f"flags {place}"),
        _Instruction(_IF_ANY, _MSG_FASTOPEN, "refuse"),
        _Instruction(_RETURN, _ALLOW),
    ]


def _of_socket(*, tcp_is_closed: bool, local_is_closed: bool) -> list[_Instruction]:
    """Return what decides about a new socket, by its domain, kind and protocol."""
    domains = [_KERNEL_SOCKETS, *([int(socket.AF_UNIX)] if local_is_closed else [])]
    internet = [int(socket.AF_INET), int(socket.AF_INET6)] if tcp_is_closed else []
    return [
        _Instruction(_LOAD, _AT_DOMAIN, label="socket"),
        *(_Instruction(_IF_EQUAL, domain, "allow") for domain in domains),
        *(_Instruction(_IF_EQUAL, domain, "internet") for domain in internet),
        _Instruction(_RETURN, _ERROR | errno.EACCES),
        _Instruction(_LOAD, _AT_TYPE, label="internet"),
        _Instruction(_AND, _KIND_OF_SOCKET),
        _Instruction(_IF_EQUAL, int(socket.SOCK_STREAM), "stream"),
        _Instruction(_RETURN, _ERROR | errno.EACCES),
        _Instruction(_LOAD, _AT_PROTOCOL, label="stream"),
        _Instruction(_IF_EQUAL, 0, "allow"),
        _Instruction(_IF_EQUAL, int(socket.IPPROTO_TCP), "allow"),
        _Instruction(_RETURN, _ERROR | errno.EACCES),
    ]


def _of_pair() -> list[_Instruction]:
    """Return what lets only such pairs be made as cannot be connected to anything else."""
    return [
        _Instruction(_LOAD, _AT_TYPE, label="pair"),
        _Instruction(_AND, _KIND_OF_SOCKET),
        _Instruction(_IF_EQUAL, int(socket.SOCK_STREAM), "allow"),
        _Instruction(_IF_EQUAL, int(socket.SOCK_SEQPACKET), "allow"),
    ]


def assembled(program: list[_Instruction]) -> bytes:
    """Return the instructions as the kernel reads them; jumps only lead forward."""
    places = {step.label: index for index, step in enumerate(program) if step.label}
    code = b""
    for index, step in enumerate(program):
        jump = places[step.then] - index - 1 if step.then else 0
        code += struct.pack("=HBBI", step.code, jump, 0, step.value)
    return code
