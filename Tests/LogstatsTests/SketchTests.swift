// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing

@testable import logstats

/// Small numbers are frequent, large ones rare, as in logs.
private func skewed(_ count: Int, below limit: Int) -> [Int] {
  var state: UInt64 = 42
  return (0..<count).map { _ in
    let draws = (0..<3).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / Double(1 << 53)
    }
    return Int(draws.reduce(Double(limit), *))
  }
}

@Suite struct SpaceSavingTests {
  @Test func exactUpToItsCapacity() {
    var sketch = SpaceSaving<Int>()
    var truth: [Int: Int] = [:]
    let keys = skewed(100_000, below: 9999) + Array(0..<10_000)
    for key in keys {
      sketch.observe(key)
      truth[key, default: 0] += 1
    }
    #expect(sketch.counters.count == 10_000)
    #expect(sketch.counters.allSatisfy { truth[$0.key] == $0.count && $0.error == 0 })
    #expect(sketch.isExact)
    #expect(sketch.top(20).map(\.count) == Array(truth.values.sorted(by: >).prefix(20)))
  }

  @Test(arguments: [(100, 50_000), (1000, 20_000)])
  func guaranteesBeyondItsCapacity(capacity: Int, distinct: Int) {
    var sketch = SpaceSaving<Int>(capacity: capacity)
    var truth: [Int: Int] = [:]
    let keys = skewed(200_000, below: distinct) + Array(0..<distinct)
    for key in keys {
      sketch.observe(key)
      truth[key, default: 0] += 1
    }
    #expect(sketch.counters.count == capacity && !sketch.isExact)
    #expect(sketch.counters.reduce(0) { $0 + $1.count } == keys.count)
    for counter in sketch.counters {
      let count = truth[counter.key] ?? 0
      #expect(counter.count - counter.error <= count && count <= counter.count)
      #expect(counter.error <= keys.count / capacity)
    }
    let present = Set(sketch.counters.map(\.key))
    #expect(truth.allSatisfy { $0.value <= keys.count / capacity || present.contains($0.key) })
  }

  @Test func topIsSortedAndTiesKeepTheirOrder() {
    var sketch = SpaceSaving<String>()
    for key in ["a", "b", "c", "b", "d", "c"] { sketch.observe(key) }
    #expect(sketch.top(3).map(\.key) == ["b", "c", "a"])
    #expect(sketch.top(9).map(\.key) == ["b", "c", "a", "d"])
  }
}

@Suite struct QuantileSketchTests {
  @Test(arguments: [0.0, 0.25, 0.5, 0.95, 0.99, 0.999, 1])
  func withinOnePercentOfTheTruth(fraction: Double) throws {
    let values = skewed(50_000, below: 10_000_000).map { Double($0 + 1) / 1000 }
    var sketch = QuantileSketch()
    for value in values { sketch.observe(value) }
    let truth = values.sorted()[Int(fraction * Double(values.count - 1))]
    let estimate = try #require(sketch.quantile(fraction))
    #expect(abs(estimate - truth) <= 0.01 * truth * (1 + 1e-9))
  }

  @Test func zeroIsExactAndExtremesCollapse() {
    var sketch = QuantileSketch()
    #expect(sketch.quantile(0.5) == nil)
    sketch.observe(nil)
    #expect(sketch.quantile(0.5) == nil)
    sketch.observe(0)
    #expect(sketch.quantile(0.99) == 0)
    sketch.observe(1e18)
    #expect((sketch.quantile(1) ?? 0) > 1e9)
  }
}
