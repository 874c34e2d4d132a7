// swift-tools-version: 6.2
import PackageDescription

/// ThreadSanitizer finds nothing in tests of one thread, and building them for it takes minutes:
/// `WEIR_TESTS=threads`, as in `.ci/run thread`, leaves out what has hardly any others.
let isForThreads = Context.environment["WEIR_TESTS"] == "threads"
let withThreads = [
  "Async", "Disposables", "LockFree", "Multicast", "Operators/Scheduling", "Scheduling", "State", "Subjects",
  "Subscribing", "Support",
]

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
    .testTarget(
      name: "WeirTests", dependencies: ["Weir", "WeirTesting", "WeirOracle", "CWeirAtomics"],
      sources: isForThreads ? withThreads : nil),
    .testTarget(
      name: "WeirStressTests", dependencies: ["Weir", "WeirTesting", "WeirOracle", "CWeirAtomics"]),
    .testTarget(
      name: "WeirExplorerTests", dependencies: ["Weir", "WeirExplorer", "WeirTesting", "CWeirAtomics"]),
    .testTarget(name: "WeirFoundationTests", dependencies: ["Weir", "WeirFoundation", "WeirTesting"]),
    .testTarget(name: "LogstatsTests", dependencies: ["logstats"]),
  ],
  swiftLanguageModes: [.v6]
)

if isForThreads { package.targets.removeAll { ["LogstatsTests", "WeirExplorerTests"].contains($0.name) } }

for target in package.targets where !target.name.hasPrefix("CWeir") {
  target.swiftSettings = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
  ]
}
