// swift-tools-version: 6.2
import PackageDescription

/// What sanitizers look at, where building all unit tests takes minutes: what has threads, and what shares or
/// owns memory in ways that others do not. `WEIR_TESTS=threads` and `WEIR_TESTS=memory`, as in `.ci/run`;
/// without it there are all tests. Stress tests are about threads, some of them also about memory.
let folders: [String: [String]] = [
  "threads": ["Async", "Disposables", "LockFree", "Scheduling", "Subjects", "Subscribing", "Support"],
  "memory": [
    "Disposables", "Laws", "LockFree", "Operators/Scheduling", "Oracle", "Retention", "Subjects", "Support",
  ],
]
let chosen = Context.environment["WEIR_TESTS"]
let unitTests = chosen.flatMap { folders[$0] }
let stressTests = chosen == "memory" ? ["Memory", "Races", "Support"] : nil
precondition(
  chosen == nil || unitTests != nil, "WEIR_TESTS=\(chosen ?? "") is none of \(folders.keys.sorted())")

/// Warnings are errors for those who work on Weir, and not for those whose package depends on it by path: a newer
/// compiler may warn of more.
let isOwnBuild =
  Context.environment["PWD"].map { "\($0)/".hasPrefix("\(Context.packageDirectory)/") } ?? false

let package = Package(
  name: "weir",
  products: [
    .library(name: "Weir", targets: ["Weir"]),
    .library(name: "WeirFoundation", targets: ["WeirFoundation"]),
    .library(name: "WeirTesting", targets: ["WeirTesting"]),
    .executable(name: "logstats", targets: ["logstats"]),
  ],
  targets: [
    .target(name: "CWeirAtomics"),
    .target(name: "Weir", dependencies: ["CWeirAtomics"]),
    .target(name: "CWeirSystem"),
    .target(name: "WeirFoundation", dependencies: ["Weir", "CWeirSystem"]),
    .target(name: "WeirTesting", dependencies: ["Weir", "CWeirAtomics"]),
    .target(name: "WeirExplorer", dependencies: ["CWeirAtomics", "WeirTesting"]),
    .target(name: "WeirOracle", dependencies: ["Weir", "WeirTesting", "CWeirAtomics"]),
    .executableTarget(name: "logstats", dependencies: ["Weir"], exclude: ["Samples"]),
    // perf/fuzz compiles it with libFuzzer. Here only so that a change that breaks it is seen.
    .target(name: "FuzzOracle", dependencies: ["Weir", "WeirOracle"], path: "Tests/Fuzzing"),
    .target(name: "CTestSupport", path: "Tests/CTestSupport"),
    .testTarget(
      name: "WeirTests", dependencies: ["Weir", "WeirTesting", "WeirOracle", "CTestSupport", "CWeirAtomics"],
      sources: unitTests),
    .testTarget(
      name: "WeirStressTests",
      dependencies: ["Weir", "WeirTesting", "WeirOracle", "CTestSupport", "CWeirAtomics"],
      sources: stressTests),
    .testTarget(
      name: "WeirExplorerTests", dependencies: ["Weir", "WeirExplorer", "WeirTesting", "CWeirAtomics"]),
    .testTarget(
      name: "WeirFoundationTests",
      dependencies: ["Weir", "WeirFoundation", "WeirTesting", "CTestSupport", "CWeirAtomics"]),
    .testTarget(name: "LogstatsTests", dependencies: ["logstats"]),
    // What the optimiser makes of the library: chains, checked against the events they should deliver, and
    // the cost of an event, for perf/instructions. They are here so that one build with optimisation does for
    // all, and are compiled like a user's program, which does not belong to the package.
    .executableTarget(name: "ChainCheck", dependencies: ["Weir"], packageAccess: false),
    .target(name: "CProbeSupport", path: "Benchmarks/Sources/CBenchSupport"),
    .executableTarget(name: "WeirProbe", dependencies: ["CProbeSupport", "Weir"], packageAccess: false),
  ],
  swiftLanguageModes: [.v6]
)

if let chosen {
  var unneeded = ["LogstatsTests", "logstats", "FuzzOracle", "ChainCheck", "CProbeSupport", "WeirProbe"]
  if chosen == "threads" { unneeded += ["WeirExplorer", "WeirExplorerTests"] }
  package.targets.removeAll { unneeded.contains($0.name) }
  package.products.removeAll { unneeded.contains($0.name) }
}

let cTargets = ["CWeirAtomics", "CWeirSystem", "CTestSupport", "CProbeSupport"]
for target in package.targets where !cTargets.contains(target.name) {
  target.swiftSettings = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
  ]
  if isOwnBuild { target.swiftSettings?.append(.treatAllWarnings(as: .error)) }
}
