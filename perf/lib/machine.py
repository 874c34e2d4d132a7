# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Says what a measurement ran on, without which a figure means little."""

import os
import platform
import subprocess
from pathlib import Path


def description():
    return "\n".join(
        [
            f"machine  {_processor()}, {len(os.sched_getaffinity(0))} cores",
            f"kernel   {platform.system()} {platform.release()} {platform.machine()}",
            f"swift    {_swift()}",
        ]
    )


def _processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return "unknown processor"


def _swift():
    output = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True).stdout
    return output.splitlines()[0]
