# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Prints results as tables with a row for each scenario and a column for each implementation."""

import statistics

import families
from limits import limit_of

MUTEXES = ("mutex-copy", "mutex-inside", "mutex-snapshot")
ASYNCHRONOUS = ["async-stream", "async-algorithms", "async-channel"]
LIMITS = ["limit-condition", "limit"]
WEIR = ["weir", "weir-spinning", "weir-thread", "weir-one", "weir-values", "weir-chunks"]
IMPLEMENTATIONS = [*WEIR, *MUTEXES, "dispatch", "opencombine", *ASYNCHRONOUS, *LIMITS]
# Scenarios with one thread, in families whose other scenarios have several.
ALONE = ("contended/1", "shared-calls/1")

NOTE = """\
ns per event, pair or element: the fastest repetition, the median in parentheses, and the ratio to weir (in rows
without weir, to the first of the columns weir-…). Above 1 is slower than Weir. Ratios compare the fastest
repetitions; with several threads they compare the medians, since there the fastest repetition is one in which the
threads hardly met."""

NOTE_ON_MEMORY = """\
bytes: the heap memory of each piece as glibc reserves it, rounded up and with the 8 bytes in front of each block.
blocks: the number of blocks it consists of. mutex: the subject mutex-copy, and the replay subject and the current
value of the mutex baseline."""
HOLDERS = ("weir", "mutex", "opencombine", "async-stream")


def by_name(results):
    return {(result["scenario"], result["implementation"]): result for result in results}


def meets_threads(scenario):
    """Whether several threads take part. If so, times and allocations depend on how they meet."""
    if scenario in ALONE:
        return False
    return "threads" in scenario or scenario.startswith(("hop/", "hop-latency", "spread/", "task/", "contended", "send-time", "shared-calls"))


def statistic(scenario):
    """The key of the figure that is compared in this scenario."""
    return "ns_median" if meets_threads(scenario) else "ns_min"


def noise(results):
    """A line on how quiet the machine was; none if no scenario with one thread was measured."""
    found = [result["ns_median"] / result["ns_min"] for result in results if not meets_threads(result["scenario"])]
    return [f"with one thread, the median repetition took {statistics.median(found):.2f} times as long as the fastest"] if found else []


def nanoseconds(value):
    """Three significant digits, or all digits before the decimal point."""
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f}"


def allocations(value):
    if value is None:
        return "not counted"
    return "0" if value < 0.001 else f"{value:.2f}"


def by_family(results):
    """A table for each family of scenarios."""
    index = by_name(results)
    tables = [f"## {title}\n\n{_rows(found, index)}" for title, found in families.grouped(results)]
    return "\n\n".join(tables + [NOTE] + _lost(results))


def _lost(results):
    """The losses of implementations that do not promise delivery."""
    lost = [result for result in results if result.get("failed")]
    lines = [
        f"{each['implementation']} lost {each['failed']} of {each['operations']} events of {each['scenario']}" for each in lost
    ]
    return ["\n".join(lines)] if lines else []


def _rows(results, index):
    """A table of these results. A scenario without a limit of its own gets the one in `index` that belongs to it."""
    scenarios = list(dict.fromkeys(result["scenario"] for result in results))
    found = {scenario: [index.get((scenario, name)) for name in IMPLEMENTATIONS] for scenario in scenarios}
    for scenario, row in found.items():
        row[-1] = row[-1] or index.get((limit_of(scenario), "limit"))
    columns = [number for number in range(len(IMPLEMENTATIONS)) if any(row[number] for row in found.values())]
    counts = ["allocations of weir"] if any(row[0] for row in found.values()) else []
    lines = [["scenario"] + [IMPLEMENTATIONS[number] for number in columns] + counts]
    for scenario, row in found.items():
        first = next((result for result in row[: len(WEIR)] if result), None)
        cells = [_cell(row[number], first) for number in columns]
        lines.append([scenario] + cells + [allocations(row[0]["allocations"]) if row[0] else "" for _ in counts])
    return aligned(lines)


def memory(results):
    """A table of the heap memory that each piece takes."""
    index = {(result["piece"], result["source"], result["implementation"]): result for result in results}
    lines = [["piece"] + [heading for name in HOLDERS for heading in (f"{name}: bytes", "blocks")]]
    for piece, source in dict.fromkeys((result["piece"], result["source"]) for result in results):
        line = [f"{piece}: {source}"]
        for implementation in HOLDERS:
            result = index.get((piece, source, implementation))
            line += [f"{result['bytes']:.1f}", f"{result['blocks']:.2f}"] if result else ["", ""]
        lines.append(line)
    return aligned(lines) + "\n\n" + NOTE_ON_MEMORY


def aligned(lines):
    """Rows of text as a table: the first column flush left, the others flush right, and a rule under the first row."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    rows = []
    for line in lines:
        first = line[0].ljust(widths[0])
        rows.append("  ".join([first] + [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]).rstrip())
    return "\n".join([rows[0], "  ".join("-" * width for width in widths)] + rows[1:])


def _cell(result, weir):
    if result is None:
        return ""
    text = f"{nanoseconds(result['ns_min'])} ({nanoseconds(result['ns_median'])})"
    if weir is None or result is weir:
        return text
    figure = statistic(weir["scenario"])
    return f"{text} {result[figure] / weir[figure]:.2f}x"
