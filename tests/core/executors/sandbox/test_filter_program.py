"""What the filter of system calls answers on processors that this machine does not have.

The tests carry out its instructions as the kernel does.
"""

from __future__ import annotations

import errno
import struct

import pytest

from pollard.executors.sandbox.landlock import restrictions
from pollard.executors.sandbox.socket_filter import _PROCESSORS, assembled, steps
from pollard.oracle.sandbox_policy import SandboxLevel, SandboxPolicy

ALLOWED, DENIED, MISSING = "allowed", errno.EACCES, errno.ENOSYS
INTEL, INTEL_32, ARM, ARM_32 = 0xC000003E, 0x40000003, 0xC00000B7, 0x40000028
X32 = 0x40000000
FAST = 0x20000000


def answer(name: str, processor: int, number: int, *arguments: int) -> object:
    """Return what the filter for a processor answers to a call, or the error that it fails with."""
    program = steps(_PROCESSORS[name], tcp_is_closed=True, local_is_closed=False)
    code = list(struct.iter_unpack("=HBBI", assembled(program)))
    data = struct.pack("=IIQ6Q", number, processor, 0, *arguments, *[0] * (6 - len(arguments)))
    value = at = 0
    while True:
        kind, then, otherwise, operand = code[at]
        at += 1
        if kind == 0x20:
            (value,) = struct.unpack_from("=I", data, operand)
        elif kind == 0x54:
            value &= operand
        elif kind == 0x06:
            return ALLOWED if operand == 0x7FFF0000 else operand & 0xFFFF
        else:
            holds = value == operand if kind == 0x15 else bool(value & operand)
            at += then if holds else otherwise


CALLS = {
    "TCP": ((2, 1, 6), ALLOWED),
    "UDP": ((2, 2, 0), DENIED),
    "a file": ((1, 1, 0), DENIED),
    "not blocking": ((10, 1 | 0x800, 0), ALLOWED),
    "anything new": ((99, 1, 0), DENIED),
}


@pytest.mark.parametrize("case", CALLS)
@pytest.mark.parametrize(
    ("name", "processor", "number"),
    [("x86_64", INTEL, 41), ("x86_64", INTEL, X32 + 41), ("aarch64", ARM, 198)],
)
def test_sockets_are_opened_alike_on_all_processors(case, name, processor, number):
    arguments, expected = CALLS[case]
    assert answer(name, processor, number, *arguments) == expected


@pytest.mark.parametrize(
    ("name", "processor", "number", "place"),
    [
        ("x86_64", INTEL, 44, 3),
        ("x86_64", INTEL, 46, 2),
        ("x86_64", INTEL, 307, 3),
        ("x86_64", INTEL, X32 + 518, 2),
        ("x86_64", INTEL, X32 + 538, 3),
        ("aarch64", ARM, 206, 3),
        ("aarch64", ARM, 211, 2),
        ("aarch64", ARM, 269, 3),
    ],
)
def test_no_call_opens_fast(name, processor, number, place):
    assert answer(name, processor, number, *[0] * place, FAST) == DENIED
    assert answer(name, processor, number, *[FAST] * place, 0) == ALLOWED


@pytest.mark.parametrize(
    ("name", "processor", "numbers"),
    [("x86_64", INTEL_32, (102, 345, 359, 360, 369, 370)), ("aarch64", ARM_32, (281, 288, 290))],
)
def test_programs_with_32_bits_get_no_sockets(name, processor, numbers):
    assert {answer(name, processor, number, 2, 1) for number in numbers} == {DENIED}
    assert answer(name, processor, 425) == MISSING
    assert answer(name, processor, 4) == ALLOWED


def test_calls_for_another_processor_do_not_exist():
    assert answer("x86_64", ARM, 63) == MISSING


@pytest.mark.parametrize(
    ("version", "rights", "others"),
    [(3, 15, []), (4, 15, [3]), (5, 16, [3]), (6, 16, [3, 3]), (8, 16, [3, 3]), (9, 17, [3, 3])],
)
def test_landlock_is_asked_for_all_that_its_version_knows(version, rights, others):
    """It refuses what it does not know, and then nothing would be confined."""
    asked = restrictions(version, SandboxPolicy(SandboxLevel.DEFAULT))
    assert list(struct.unpack(f"={len(asked) // 8}Q", asked)) == [(1 << rights) - 1, *others]
