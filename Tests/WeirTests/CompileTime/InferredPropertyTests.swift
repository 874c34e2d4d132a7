// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

// Chains on hot sources in globals and properties whose types are inferred: this file must compile. A type of
// Weir's that is internal must not become part of what is inferred for a declaration of a user's module.

private let rate = CurrentValue<Double, Never>(1)
let highRate = rate.filter { $0 > 2 }
let recentRates = ReplaySubject<Double, Never>(capacity: 2)
let recentHighRates = recentRates.filter { $0 > 2 }
let mutableRate = MutableProperty(1.0)
let highMutableRate = mutableRate.signal.filter { $0 > 2 }

final class RateService {
  let current = CurrentValue<Int, Never>(0)
  let recent = ReplaySubject<Int, Oops>(capacity: 3)
  let subject = Subject<Int, Oops>()
  lazy var large = current.filter { $0 > 100 }
  lazy var recentlyLarge = recent.filter { $0 > 100 }
  lazy var texts = subject.map { "\($0)" }
  lazy var either = recent.merge(with: subject).scan(0) { $0 + $1 }
  lazy var shared = current.share(replay: 1)
  private lazy var doubled = current.map { $0 * 2 }

  func sendLargest() -> [Int] {
    let recorder = Recorder(doubled)
    current.send(7)
    return recorder.values
  }
}

struct InferredPropertyTests {
  @Test("globals and properties can be chains on subjects, current values and properties, without a type")
  func inferred() {
    let service = RateService()
    let large = Recorder(service.large)
    service.current.send(101)
    #expect(large.values == [101])
    #expect(service.sendLargest() == [202, 14])
    let (rates, recent) = (Recorder(highRate), Recorder(recentHighRates))
    rate.send(3)
    recentRates.send(4)
    #expect(rates.values == [3] && recent.values == [4])
  }
}
