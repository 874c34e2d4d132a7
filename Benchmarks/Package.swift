// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the library itself depends on nothing and its users never fetch what only
// measurements need.
let package = Package(
  name: "weir-benchmarks",
  dependencies: [
    .package(name: "weir", path: ".."),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    // Weir is compared with these, so they stay what they were when the figures on record were measured.
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
  ],
  targets: [
    .target(name: "CBenchSupport"),
    .target(name: "MutexBaseline"),
    .target(name: "BenchmarkKit", dependencies: ["CBenchSupport", .product(name: "Weir", package: "weir")]),
    .executableTarget(
      name: "WeirBench",
      dependencies: [
        "BenchmarkKit", "CBenchSupport", "MutexBaseline",
        .product(name: "Weir", package: "weir"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ]),
    .executableTarget(
      name: "WeirMemory",
      dependencies: [
        "BenchmarkKit", "CBenchSupport", "MutexBaseline",
        .product(name: "Weir", package: "weir"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ]),
    // A mixed load that goes on for minutes, for perf/soak.
    .executableTarget(
      name: "WeirSoak",
      dependencies: [
        "BenchmarkKit", "CBenchSupport", .product(name: "Weir", package: "weir"),
        .product(name: "WeirTesting", package: "weir"),
      ]),
    // Changing threads, beside other libraries, which nothing else links.
    .executableTarget(
      name: "HopBench",
      dependencies: [
        "BenchmarkKit", "CBenchSupport", .product(name: "Weir", package: "weir"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ]),
    // The worked example of a scheduler of one's own.
    .target(
      name: "EventLoopScheduler",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "Weir", package: "weir"),
      ]),
    // The event server: what Weir is for, from end to end, and the same over others. WeirServer runs it,
    // ServerLoad measures it.
    .target(
      name: "EventServer",
      dependencies: [
        "EventLoopScheduler", "MutexBaseline",
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "OpenCombine", package: "OpenCombine"), .product(name: "Weir", package: "weir"),
      ]),
    .executableTarget(
      name: "WeirServer",
      dependencies: ["BenchmarkKit", "EventServer", .product(name: "NIOCore", package: "swift-nio")]),
    .executableTarget(
      name: "ServerLoad",
      dependencies: [
        "BenchmarkKit", "CBenchSupport", "EventServer",
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .testTarget(name: "MutexBaselineTests", dependencies: ["MutexBaseline"]),
    .testTarget(
      name: "BenchmarkTests", dependencies: ["BenchmarkKit", "HopBench", "WeirBench", "WeirMemory"]),
    .testTarget(
      name: "EventServerTests",
      dependencies: [
        "BenchmarkKit", "EventServer", "ServerLoad", "WeirServer",
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .testTarget(
      name: "EventLoopSchedulerTests",
      dependencies: [
        "EventLoopScheduler", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"), .product(name: "Weir", package: "weir"),
      ]),
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
