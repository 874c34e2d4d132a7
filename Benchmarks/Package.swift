// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the library itself depends on nothing and its users never fetch what only
// measurements need.
let package = Package(
  name: "weir-benchmarks",
  dependencies: [
    .package(name: "weir", path: "..")
  ],
  targets: [
    .target(name: "CBenchSupport"),
    .target(name: "MutexBaseline"),
    .target(name: "BenchmarkKit", dependencies: ["CBenchSupport", .product(name: "Weir", package: "weir")]),
    .executableTarget(
      name: "WeirBench",
      dependencies: [
        "BenchmarkKit", "CBenchSupport", "MutexBaseline", .product(name: "Weir", package: "weir"),
      ]),
    // A module of its own, as Weir is one: operators reach the benchmarks across a module boundary.
    .target(name: "ShapeAlternatives"),
    .executableTarget(
      name: "ShapeStudy",
      dependencies: ["BenchmarkKit", "ShapeAlternatives", .product(name: "Weir", package: "weir")]),
    .executableTarget(
      name: "WeirProbe",
      dependencies: ["CBenchSupport", .product(name: "Weir", package: "weir")]),
    .executableTarget(
      name: "WeirMemory",
      dependencies: ["CBenchSupport", "MutexBaseline", .product(name: "Weir", package: "weir")]),
    .testTarget(name: "MutexBaselineTests", dependencies: ["MutexBaseline"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "CBenchSupport" {
  target.swiftSettings = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
  ]
}
