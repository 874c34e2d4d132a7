# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Finds what can be mutated in the Swift sources, names it, and rewrites it so that a number selects the mutant at run time."""

import re
from pathlib import Path
from typing import NamedTuple

import mutant_records as records
from command import Failure

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"
# The primitives themselves, which are not mutated, except for the checks of AtomicWord.change in checks.tsv.
PRIMITIVES = "Weir/LockFree/AtomicWord.swift"

METHODS = {
    "load": ["relaxed"],
    "loadAcquire": ["relaxed"],
    "loadRelaxed": [],
    "storeRelaxed": [],
    "storeRelease": ["relaxed"],
    "exchange": ["relaxed"],
    "add": ["relaxed"],
    "addRelaxed": [],
    "subtract": ["relaxed"],
    "subtractRelaxed": [],
    "formUnion": ["relaxed"],
    # blind: stores the desired value whatever the current one is, and reports success.
    "compareExchange": ["relaxed", "blind"],
}
OPERATION = re.compile(
    r"(?:(?P<receiver>\w+|[)\]])\s*\.(?P<method>" + "|".join(METHODS) + r")\((?!as:)"
    r"|\bweir_(?P<function>load|store|exchange|compare_exchange|add|sub|or|and)_(?P<order>relaxed|acquire|release|acq_rel|seq_cst|fenced)"
    r"_(?P<width>u32|u64)\()\s*(?P<empty>\))?"
)
# Receivers that have methods of these names but are not atomic words: lists of disposables, and value cells. A receiver that is missing
# here gets mutants, which do not compile, and `--check` fails, as they have no verdict.
NOT_WORDS = {(name, "add") for name in "list subscription table upstreams ending timer undecided connection".split()} | {
    ("cell", name) for name in ("load", "exchange", "compareExchange")
}
# A word that a file declares.
WORD = re.compile(r"\b(?:let|var)\s+(\w+)\s*[:=]\s*AtomicWord\b")

QUIET = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
STRUCTURE = re.compile(
    r"\bfunc\s+(?P<function>\w+|==)|\b(?P<special>init|deinit|subscript)\b(?=[?\s(<{])|\bvar\s+(?P<variable>\w+)\s*:|(?P<mark>[{}\n=])"
)


class Site(NamedTuple):
    """An operation in a file: its name, where its argument list begins, and the kinds of its mutants."""

    name: str
    match: re.Match
    kinds: list


class Check(NamedTuple):
    """A line of checks.tsv."""

    name: str
    file: str
    text: str
    replacement: str


def quiet(text):
    """The text with comments and strings replaced by spaces, so that all positions stay the same."""
    return QUIET.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def functions(code):
    """Where each named function, initialiser or computed property begins and ends: [(begin, end, name)]."""
    found, stack, pending, isStored = [], [], None, False
    for match in STRUCTURE.finditer(code):
        if name := match["function"] or match["special"]:
            pending, isStored = name, False
        elif name := match["variable"]:
            pending, isStored = name, True
        elif match["mark"] == "{":
            stack.append((match.start(), pending))
            pending = None
        elif match["mark"] == "}" and stack:
            begin, name = stack.pop()
            if name:
                found.append((begin, match.end(), name))
        elif isStored:
            # A stored variable: with an initial value, or without a body.
            pending, isStored = None, False
    return found


def sites(path, text):
    """The atomic operations of a file, in order."""
    code = quiet(text)
    ranges = functions(code)
    words = set(WORD.findall(code))
    seen = {}
    for match in OPERATION.finditer(code):
        if (match["receiver"], match["method"]) in NOT_WORDS:
            if match["receiver"] in words:
                raise Failure(
                    f"Sources/{path}: {match['receiver']} is an atomic word here, but NOT_WORDS in perf/lib/mutant_sites.py says that"
                    f" {match['receiver']}.{match['method']} is none, so it would get no mutants; rename the word"
                )
            continue
        inside = [(end - begin, name) for begin, end, name in ranges if begin <= match.start() < end]
        function = min(inside)[1] if inside else "top"
        operation = match["method"] or f"weir_{match['function']}_{match['order']}_{match['width']}"
        name = f"{Path(path).stem}.{function}.{operation}"
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > 1:
            name += f"#{seen[name]}"
        yield Site(name, match, kinds(match))


def kinds(match):
    if match["method"]:
        return METHODS[match["method"]]
    if match["order"] == "relaxed":
        return []
    return METHODS["compareExchange"] if match["function"] == "compare_exchange" else ["relaxed"]


def source_files():
    """The texts of all Swift files of the library with atomic operations or checks, by path below Sources."""
    found, checked = {}, {check.file for check in checks()}
    for file in sorted((SOURCES / "Weir").rglob("*.swift")):
        path = str(file.relative_to(SOURCES))
        text = file.read_text()
        if path in checked or any(path != PRIMITIVES for _ in sites(path, text)):
            found[path] = text
    return found


def checks():
    return [Check(*(cell.replace("\\n", "\n") for cell in row)) for row in records.rows("checks.tsv", 4)]


class Schemata:
    """The mutated sources: the `names` of the mutants in the order of their numbers, from 1 on, and the `texts` by path below Sources."""

    def __init__(self, texts):
        self.names, self.texts, self.paths = [], {}, {}
        wanted = checks()
        for path, text in sorted(texts.items()):
            before = [] if path == PRIMITIVES else [site.name for site in sites(path, text)]
            for check in wanted:
                if check.file == path:
                    text = self._checked(check, text)
            if path != PRIMITIVES:
                found = list(sites(path, text))
                if [site.name for site in found] != before:
                    raise Failure(f"perf/mutation/checks.tsv: a line for {path} changes its atomic operations; change only conditions")
                text = self._ordered(path, text, found)
            self.texts[path] = text
        for name in self.names:
            if self.names.count(name) > 1:
                raise Failure(f"two mutants are called {name}; rename the one in perf/mutation/checks.tsv, or one of the files")

    def _number(self, name, path):
        self.names.append(name)
        self.paths[name] = path
        return len(self.names)

    def _checked(self, check, text):
        count = text.count(check.text)
        if count != 1:
            raise Failure(
                f"perf/mutation/checks.tsv: {check.name}: '{check.text}' occurs {count} times in Sources/{check.file} instead of once. If"
                " the check has moved or changed, correct the line; if it is gone, remove the line and what is recorded of the mutant"
            )
        number = str(self._number(f"{Path(check.file).stem}.{check.name}", check.file))
        return text.replace(
            check.text, check.replacement.replace("{mutant}", f"weir_is_mutant({number})").replace("{number}", number)
        )

    def _ordered(self, path, text, found):
        edits = []
        for site in found:
            if not site.kinds:
                continue
            first = [self._number(f"{site.name}:{kind}", path) for kind in site.kinds][0]
            match = site.match
            open = text.index("(", match.start("method") if match["method"] else match.start("function"))
            separator = "" if match["empty"] else ", "
            if match["method"]:
                edits.append((open + 1, f"mutant: {first}{separator}"))
            else:
                edits.append((open, "_mutant"))
                edits.append((open + 1, f"{first}, "))
        for place, insertion in sorted(edits, reverse=True):
            text = text[:place] + insertion + text[place:]
        return text


def covered():
    """The schemata of all covered files."""
    suites, there, texts = records.files(), {str(file.relative_to(SOURCES)) for file in SOURCES.rglob("*.swift")}, source_files()
    for path in sorted({check.file for check in checks()} - there):
        raise Failure(f"perf/mutation/checks.tsv names {path}, which does not exist in Sources; correct or remove its lines")
    for path in sorted(texts.keys() - suites.keys()):
        raise Failure(
            f"Sources/{path} has atomic operations, but no line in perf/mutation/files.tsv; add one with the suites that exercise it"
        )
    for path in sorted(suites.keys() - texts.keys()):
        raise Failure(f"perf/mutation/files.tsv names {path}, which has no atomic operations or does not exist in Sources; remove the line")
    return Schemata({path: text for path, text in texts.items() if suites[path]})
