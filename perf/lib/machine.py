# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Describes the machine of a measurement, and what was measured; without that a figure means little."""

import functools
import os
import platform
import subprocess
from pathlib import Path


def description():
    return "\n".join(
        [
            f"machine  {processor()}, {len(os.sched_getaffinity(0))} cores",
            f"kernel   {platform.system()} {platform.release()} {platform.machine()}",
            f"swift    {swift()}",
            f"weir     {revision()}",
        ]
    )


def description_in_a_line():
    """The description for results and plots."""
    kernel = f"{platform.system()} {platform.release()} {platform.machine()}"
    return f"{processor()}, {len(os.sched_getaffinity(0))} cores; {kernel}; {swift()}"


@functools.cache
def revision():
    """The revision of Weir as git calls it, with `-dirty` if files differ from it. What it was when first asked: that
    is what was built, even if the checkout changes during a run."""
    command = ["git", "-C", str(Path(__file__).resolve().parent), "describe", "--always", "--dirty"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown revision"


def processor():
    """The name of the processor."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return "unknown processor"


def swift():
    """The version of the compiler."""
    output = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True).stdout
    return output.splitlines()[0]
