# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""What no test may do, and no compiler finds."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Conventions(unittest.TestCase):
    def test_no_test_has_a_limit_of_time(self):
        # It counts what the other tests take, too: on a slow machine a test fails before it has a thread. .ci/watched names what hangs.
        suites = [path for folder in ("Tests", "Benchmarks/Tests") for path in (ROOT / folder).rglob("*.swift")]
        self.assertGreater(len(suites), 100)
        limited = [str(path.relative_to(ROOT)) for path in suites if re.search(r"\.timeLimit\b", path.read_text())]
        self.assertEqual(limited, [], "leave the limit out; .ci/watched ends what hangs, and names it")


if __name__ == "__main__":
    unittest.main()
