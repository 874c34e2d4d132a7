// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import MutexBaseline
import Weir

/// A subject that the operators of a scenario listen to.
protocol HotSource: AnyObject, Sendable {
  static var implementation: Implementation { get }
  /// The number that subscribers of this kind of subject add, see `MeasuredSource.mark`. Each scenario adds a
  /// mark of its own.
  static var mark: Int { get }
  init()
  func send(_ value: Int)
}

typealias WeirSource = Subject<Int, Never>
typealias MutexCopySource = MutexCopySubject<Int>
typealias MutexInsideSource = MutexInsideSubject<Int>

extension Subject: HotSource where Value == Int, Failure == Never {
  static var implementation: Implementation { .weir }
  static var mark: Int { 1 }
}

/// A subject on which the operators of the mutex baseline run. They call inside a lock of their own, whatever
/// the subject does.
protocol MutexSource: HotSource, MutexSubject<Int> {}

extension MutexCopySubject: HotSource, MutexSource where Value == Int {
  static var implementation: Implementation { .mutexCopy }
  static var mark: Int { 2 }
}

extension MutexInsideSubject: HotSource, MutexSource where Value == Int {
  static var implementation: Implementation { .mutexInside }
  static var mark: Int { 3 }
}
