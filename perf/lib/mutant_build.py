# Part of Weir. SPDX-License-Identifier: Apache-2.0
"""Makes a copy of the package that has all mutants in it, and builds its tests once."""

import hashlib
import re
import sys
from pathlib import Path

import package
from command import Failure, needs
from mutant_sites import ROOT

SCRATCH = ROOT / ".build" / "mutants"
COPY = SCRATCH / "package"
# What was built last: a digest of the sources, and the path of the tests.
BUILT = SCRATCH / "built.txt"
# The last four: without copies of local variables for a debugger, as in CI: see shell.sh.
FLAGS = ["--build-tests", "--sanitize=thread", "--scratch-path", str(SCRATCH / "build"), "-Xcc", "-DWEIR_ATOMICS_HOOK=1"]
FLAGS += ["-Xswiftc", "-Xfrontend", "-Xswiftc", "-disable-debugger-shadow-copies"]
# Targets that no mutant needs.
TARGETS = ("logstats", "LogstatsTests", "WeirFoundation", "WeirFoundationTests", "ChainCheck", "CProbeSupport", "WeirProbe")
TESTS = re.compile("Tests/WeirTests/(CompileTime|Laws|TestKit|Sources|DocumentationTests|Scheduling/HeapTests)")

# The primitives that have a weaker form, by width.
ACCESSES = {"load": ("acquire", "seq_cst"), "store": ("release",), "add": ("seq_cst",)}
ORDERS = {
    ("u32", "uint32_t"): {**ACCESSES, "or": ("seq_cst",), "store": ("release", "fenced")},
    ("u64", "uint64_t"): {**ACCESSES, **dict.fromkeys(("sub", "or", "exchange", "compare_exchange"), ("seq_cst",))},
}
# The methods of AtomicWord, each with its 64-bit primitive and its parameters.
METHODS = {
    "load": ("load_seq_cst", ""),
    "loadAcquire": ("load_acquire", ""),
    "storeRelease": ("store_release", "_ value: UInt64"),
    "exchange": ("exchange_seq_cst", "_ value: UInt64"),
    "add": ("add_seq_cst", "_ value: UInt64"),
    "subtract": ("sub_seq_cst", "_ value: UInt64"),
    "formUnion": ("or_seq_cst", "_ value: UInt64"),
    "compareExchange": ("compare_exchange_seq_cst", "_ expected: UInt64, _ desired: UInt64"),
}

# Comparing the number of the mutant costs a load of a global variable: a plain load, because nothing writes it once threads run. All
# threads write `reached`; mutant_run.py makes the sanitizer ignore that.
HEADER = """
extern uint32_t weir_mutant;
extern bool weir_mutant_reached;
WEIR_INLINE bool weir_is_mutant(uint32_t number) {
  if (__builtin_expect(weir_mutant != number, 1)) return false;
  weir_mutant_reached = true;
  return true;
}
WEIR_RMW(uint32_t, u32, add, __atomic_fetch_add, relaxed, __ATOMIC_RELAXED)
WEIR_RMW(uint32_t, u32, or, __atomic_fetch_or, relaxed, __ATOMIC_RELAXED)
WEIR_RMW(uint64_t, u64, or, __atomic_fetch_or, relaxed, __ATOMIC_RELAXED)
WEIR_RMW(uint64_t, u64, exchange, __atomic_exchange_n, relaxed, __ATOMIC_RELAXED)
"""
DEFINITIONS = """
uint32_t weir_mutant;
bool weir_mutant_reached;
__attribute__((constructor)) static void choose_mutant(void) {
  const char *number = getenv("WEIR_MUTANT");
  if (number != NULL) weir_mutant = (uint32_t)atoi(number);
}
__attribute__((destructor)) static void tell_mutant(void) {
  if (weir_mutant_reached) write(2, "mutant reached\\n", 15);
}
"""


def shim():
    """C functions that do what the primitives do, or a weaker form of it for one mutant."""
    lines = [HEADER]
    for (width, kind), operations in ORDERS.items():
        for operation, orders in operations.items():
            for order in orders:
                lines.append(_function(operation, order, width, kind))
    return "\n".join(lines)


def _function(operation, order, width, kind):
    name = f"weir_{operation}_{order}_{width}"
    weak = f"weir_{operation}_relaxed_{width}"
    if operation == "compare_exchange":
        return f"""WEIR_INLINE bool {name}_mutant(uint32_t number, {kind} *_Nonnull p, {kind} expected, {kind} desired) {{
  if (weir_is_mutant(number)) return {weak}(p, expected, desired);
  if (weir_is_mutant(number + 1)) {{
    (void)weir_exchange_seq_cst_{width}(p, desired);
    return true;
  }}
  return {name}(p, expected, desired);
}}"""
    if operation == "load":
        return f"""WEIR_INLINE {kind} {name}_mutant(uint32_t number, const {kind} *_Nonnull p) {{
  return weir_is_mutant(number) ? {weak}(p) : {name}(p);
}}"""
    answer = "void" if operation == "store" else kind
    back = "" if operation == "store" else "return "
    return f"""WEIR_INLINE {answer} {name}_mutant(uint32_t number, {kind} *_Nonnull p, {kind} value) {{
  if (weir_is_mutant(number)) {{ {back}{weak}(p, value); }} else {{ {back}{name}(p, value); }}
}}"""


def methods():
    """The methods of AtomicWord that take the number of a mutant."""
    lines = ["", "extension AtomicWord {"]
    for method, (primitive, parameters) in METHODS.items():
        arguments = "".join(", " + name for name in re.findall(r"_ (\w+):", parameters))
        answer = " -> Bool" if "compare" in primitive else "" if "store" in primitive else " -> UInt64"
        lines += [
            "  @inlinable @inline(__always)" + ("" if not answer or "load" in primitive or "compare" in primitive else " @discardableResult"),
            f"  func {method}(mutant number: UInt32{', ' + parameters if parameters else ''}){answer} {{",
            f"    weir_{primitive}_u64_mutant(number, address{arguments})",
            "  }",
        ]
    return "\n".join(lines + ["}", ""])


def copied(schemata):
    """All files of the copy, by path."""
    files = {}
    for folder in ("Sources", "Tests"):
        for file in sorted((ROOT / folder).rglob("*")):
            path = file.relative_to(ROOT)
            if file.is_file() and path.parts[1] not in TARGETS and not TESTS.match(str(path)):
                files[str(path)] = file.read_bytes()
    for path, text in schemata.texts.items():
        if "weir_is_mutant(" in text:
            # Inlinable code needs the import to be public.
            text = "public import CWeirAtomics\n" + re.sub(r"^(public )?import CWeirAtomics$", "", text, flags=re.MULTILINE)
        files["Sources/" + path] = text.encode()
    files["Package.swift"] = manifest((ROOT / "Package.swift").read_text()).encode()
    _append(files, "Sources/CWeirAtomics/include/CWeirAtomics.h", shim(), before="/// Replaces the two words")
    _append(files, "Sources/CWeirAtomics/CWeirAtomics.c", DEFINITIONS)
    _append(files, "Sources/Weir/LockFree/AtomicWord.swift", methods())
    # A minute of patience with a mutant that leaks would be wasted.
    _replace(files, "Tests/WeirStressTests/Support/Rounds.swift", "< .seconds(60)", "< .seconds(6)")
    return files


def manifest(original):
    """The manifest of the copy, without the declarations of targets that it lacks."""
    names = "|".join(TARGETS)
    # With the lines that continue it, which are indented further.
    declaration = rf'^ *\.(target|executableTarget|testTarget|library|executable)\(\s*name: "({names})".*\n( {{6,}}.*\n)*'
    # The last alternative drops the setting that makes warnings errors: the copy has warnings about public imports that are not needed.
    return re.sub(rf"{declaration}|^.*\.treatAllWarnings.*\n", "", original, flags=re.MULTILINE)


def _append(files, path, text, before=None):
    old = files[path].decode()
    if before is None:
        files[path] = (old + text).encode()
    else:
        _replace(files, path, before, text + "\n\n" + before)


def _replace(files, path, old, new):
    text = files[path].decode()
    if text.count(old) != 1:
        raise Failure(f"{path}: '{old}' no longer occurs exactly once; correct perf/lib/mutant_build.py")
    files[path] = text.replace(old, new).encode()


def build(schemata):
    """Builds the copy, unless that was done before, and returns the path of its tests."""
    # First, so that what is missing does not depend on what was built before.
    needs("swift")
    files = copied(schemata)
    digest = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()
    if BUILT.exists():
        before, tests = BUILT.read_text().split(maxsplit=1)
        if before == digest and Path(tests).exists():
            return Path(tests)
    BUILT.unlink(missing_ok=True)
    changed = False
    for path, content in files.items():
        file = COPY / path
        if not file.exists() or file.read_bytes() != content:
            changed = changed or not file.exists()
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    for file in COPY.rglob("*"):
        if file.is_file() and str(file.relative_to(COPY)) not in files:
            file.unlink()
            changed = True
    if changed:
        # SwiftPM does not notice added and removed files; see package.py.
        for plan in (SCRATCH / "build").glob("*.yaml"):
            plan.unlink()
    print(f"building {len(schemata.names)} mutants in {SCRATCH}", file=sys.stderr, flush=True)
    command = ["swift", "build", "--package-path", str(COPY), *FLAGS]
    package.run(command, stdout=sys.stderr)
    tests = Path(package.output_of(command + ["--show-bin-path"]).strip()) / "weirPackageTests.xctest"
    if not tests.exists():
        raise Failure(f"the build succeeded, but {tests} does not exist; delete {SCRATCH} and try again")
    BUILT.write_text(f"{digest} {tests}")
    return tests
