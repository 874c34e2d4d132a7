# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""A report: a directory with results, plots and a table of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import plots
import results as files
from command import replaceable, writable_directory, write_whole
from latency_plot import latency, sending
from markdown import tables
from overview import overview
from plotting import drawn, require
from results import Result, machines
from series import Figures

DRAWN_FROM_FIGURES = {
    "overview": overview,
    "subscribers": plots.subscribers,
    "operators": plots.chain_length,
    "subscribing": plots.list_size,
    "threads": plots.throughput,
}
DRAWN_FROM_RESULTS = {"latency": latency, "sending": sending}


def checked(directory: Path, option: str) -> None:
    """Fails at once, and not after minutes of measuring, if the directory cannot be created or written to."""
    writable_directory(directory, option)
    for name in ("results.json", "memory.json", "table.md", *(f"{name}.svg" for name in DRAWN_FROM_FIGURES | DRAWN_FROM_RESULTS)):
        replaceable(directory / name, f"{option} {directory}: {name}")


def written(results: list[Result], directory: Path, memory: Sequence[dict[str, Any]] = ()) -> list[Path]:
    """Writes results.json, table.md, an SVG for each plot for which there are results, and memory.json if memory was counted. Returns the
    paths of these files."""
    require()
    directory.mkdir(parents=True, exist_ok=True)
    contents = {"results.json": files.text(results), "table.md": tables(results)} | pictures(results)
    if memory:
        contents["memory.json"] = files.text(memory)
    for name, text in contents.items():
        write_whole(directory / name, text)
    return [directory / name for name in contents]


def pictures(results: list[Result]) -> dict[str, str]:
    """The plots, by file name."""
    figures, caption = Figures(results), "; ".join(machines(results))
    made = {name: drawn(draw, figures, caption) for name, draw in DRAWN_FROM_FIGURES.items()}
    made |= {name: drawn(draw, results, caption) for name, draw in DRAWN_FROM_RESULTS.items()}
    return {f"{name}.svg": text for name, text in made.items() if text is not None}
