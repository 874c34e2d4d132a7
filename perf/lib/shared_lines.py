# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Finds atomic operations on global variables in a program's machine code."""

import re

import package

# Why it may be one: memory blocks are counted in it only once somebody has asked for their number, as tests do.
ALLOWED = {"blocks_alive"}
# On x86-64, where a global variable is addressed from the instruction: exchanges are atomic without a prefix.
ATOMIC = re.compile(r"\s(?:lock\s.*|xchg\s.*)\(%rip\).*<(\w+)(?:\+0x[0-9a-f]+)?>")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")


def counted_by_all(program):
    """Yields a line for each function with an atomic operation on a global variable.

    All threads share the cache line of that variable, also where they have nothing else in common. Two processors do not show
    what that costs; so it is looked for in the code."""
    yield from found(package.output_of(["objdump", "-d", "--no-show-raw-insn", program]).splitlines())


def found(lines):
    function, seen = None, set()
    for line in lines:
        if start := FUNCTION.match(line):
            function = start[1]
        elif (operation := ATOMIC.search(line)) and operation[1] not in ALLOWED and (function, operation[1]) not in seen:
            seen.add((function, operation[1]))
            yield f"{operation[1]} in {function}"
