# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Results as Markdown tables."""

from implementations import in_order, look
from overview import main_scenarios, times
from results import Result, lost, machines
from series import Figures
from table import allocations, by_name, nanoseconds, noise

NOTE = (
    "ns per event; in parentheses, how many times as long as Weir. The limit is the same work without any library. Allocations per event"
    " are those of Weir."
)


def tables(results: list[Result]) -> str:
    """A table of the main scenarios with only the fastest mutex, then one of all scenarios and implementations."""
    figures = Figures(results)
    labels = main_scenarios(figures)
    main = {scenario: figures.summed_up(scenario) for scenario in labels}
    revisions = sorted({f"Weir at {result['revision']}" for result in results if result.get("revision")})
    parts = [*machines(results), *revisions, *noise(results), rendered(main, results, labels) if main else ""]
    parts += [rendered(figures.ns, results, {}), NOTE]
    return "\n\n".join(part for part in parts if part) + "\n"


def rendered(rows: dict[str, dict[str, float]], results: list[Result], labels: dict[str, str]) -> str:
    """A table with a row for each scenario and a column for each implementation."""
    index = by_name(results)
    names = in_order(set().union(*rows.values()))
    lines = [["scenario", *(look(name, names).name for name in names), "allocations"]]
    for scenario, found in rows.items():
        weir = index.get((scenario, "weir"), {})
        label = f"{labels[scenario]} (`{scenario}`)" if scenario in labels else f"`{scenario}`"
        counted = weir.get("allocations")
        lines.append(
            [label, *(cell(name, found, index.get((scenario, name), {})) for name in names)]
            + ["" if counted is None else allocations(counted)]
        )
    rule = ["---"] + ["---:"] * (len(lines[0]) - 1)
    return "\n".join("| " + " | ".join(line) + " |" for line in [lines[0], rule, *lines[1:]])


def cell(name: str, found: dict[str, float], result: Result) -> str:
    if name not in found:
        return ""
    text = f"**{nanoseconds(found[name])}**" if name == "weir" else nanoseconds(found[name])
    if name != "weir" and "weir" in found:
        text += f" ({times(found[name] / found['weir'])})"
    # Said in the cell, because losing values can make an implementation fast.
    return f"{text}, loses {lost(result):.1%}" if lost(result) else text
