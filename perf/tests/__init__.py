# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Tests of the scripts in perf and .ci: python3 -m unittest discover -s perf/tests -t ."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))
