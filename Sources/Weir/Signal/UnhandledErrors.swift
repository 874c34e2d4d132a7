// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Glibc

/// Where errors go that nobody receives: the failure of a signal subscribed without `failed`, a failure sent
/// to an observer or a subject behind its first terminal event, one that waits for a scheduler that is shut
/// down, or for its turn while its run is disposed, and what a closure of an operator or a source throws when
/// its run has ended, as it does if it disposes that before. Such an error does not vanish, and does not take
/// the process down.
///
/// A hot source (a subject, a connection, a shared signal) keeps the error that it has ended with for those
/// who subscribe later; that nobody listened is not reported. A shared signal that is
/// ``ShareLifetime/whileConnected`` keeps none: one that comes in its grace period, when nobody is there, is
/// reported.
///
/// What a source that was disposed would still have failed with is no error in this sense: nobody asks for it
/// any more, and it is dropped, also if the source does send it to its ``Observer``.
///
/// A failure that was sent before is reported, also if something on its way disposes the run, or has another
/// signal take over:
///
/// - a closure that is called with it, such as that of ``SignalConvertible/finally(_:)``,
///   ``SignalConvertible/mapError(_:)``, ``SignalConvertible/log(_:to:)`` or of a ``RetryPolicy``;
/// - the release of a value that is dropped for it;
/// - the clean-up of another signal of `merge` or `zip`, or of a trigger, which ends with it;
/// - the clean-up of the failed signal itself, in front of ``SignalConvertible/concat(_:_:)``,
///   ``SignalConvertible/retry(_:)`` or ``SignalConvertible/catch(_:)->Signal<Self.Value,NewFailure>`` (whose
///   closures are not called then), ``SignalConvertible/observe(on:_:waiting:failures:)``, or an ``Observer``
///   that it is forwarded to.
///
/// If such a clean-up has another signal of the operator fail, which has not been disposed yet, that failure
/// is reported, too: a closure may have thrown it. One that comes to an ``Observer`` in this way is dropped.
/// So may one be that a disposal on another thread meets on its way: it might as well have been sent later.
/// What the closure of `catch` was called with has been received.
///
/// One that has arrived, and waits for the scheduler of ``SignalConvertible/observe(on:_:waiting:failures:)``
/// or for a task, is dropped if the subscriber disposes or the task is cancelled: who has left asks for no
/// error.
///
/// By default each place in the code reports its first error of each type, in one line on standard error;
/// runs that are ``SignalConvertible/named(_:)`` do so each for itself. An error that was sent after the end,
/// or thrown behind it, has no place of yours, but one in Weir, which is the same for all of its kind: a
/// program that wants each of those sets a handler. Names tell apart what was thrown; an error that was sent
/// comes without one, as a rule.
///
/// ReactiveObjC has none: it drops them.
public enum UnhandledErrors {
  /// A function that receives such errors, on the thread on which they come.
  public typealias Handler = @Sendable (UnhandledError) -> Void

  static let state = State()

  /// Replaces what is done with such errors; for the whole process. Pass ``printOncePerSite`` to go back to
  /// the default. From any thread; an error that is being reported may still go to the handler before.
  public static func setHandler(_ handler: @escaping Handler) { _ = state.cell.exchange(handler) }

  /// Hands over an error that nobody receives: calls the handler, on the calling thread.
  ///
  /// - Parameters:
  ///   - error: the error.
  ///   - name: what ``SignalConvertible/named(_:)`` calls the run that failed.
  ///   - fileID: the place that was left to deal with it, with `line`.
  ///   - line: see `fileID`.
  public static func report(
    _ error: any Error, in name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let handler = state.cell.load()
    handler(UnhandledError(error: error, name: name, fileID: fileID, line: line))
  }

  /// Prints the first error of each type, place and name to standard error. It remembers 1,024 of those;
  /// errors of others are printed each time.
  public static let printOncePerSite: Handler = { report in
    guard state.isFirst(report) else { return }
    let name = report.name.map { "in \($0) " } ?? ""
    let remedy = report.isOfUser ? "pass failed: to subscribe" : "it came when what takes it had ended"
    let text = """
      weir: unhandled error \(name)at \(report.fileID):\(report.line): \(report.error) \
      (\(remedy); said once)

      """
    text.utf8CString.withUnsafeBytes { _ = write(2, $0.baseAddress, $0.count - 1) }
  }

  /// The handler in force and the sites that have spoken. Lives as long as the process.
  final class State: @unchecked Sendable {  // the cell's pin protocol, and atomic words
    static let siteCount = 1024
    private let words = weir_block_allocate(8 * (ValueCell<Handler>.wordCount + siteCount))
      .assumingMemoryBound(to: UInt64.self)
    let cell: ValueCell<Handler>

    init() {
      cell = ValueCell(words: words)
      cell.publishFirst { UnhandledErrors.printOncePerSite($0) }
    }

    /// Enters the site into a fixed table. When that is full, every further site counts as new.
    func isFirst(_ report: UnhandledError) -> Bool {
      var hasher = Hasher()
      hasher.combine(ObjectIdentifier(type(of: report.error)))
      hasher.combine(report.fileID.description)
      hasher.combine(report.line)
      hasher.combine(report.name)
      return isFirst(UInt64(bitPattern: Int64(hasher.finalize())) | 1)
    }

    /// The same for a site by its key, which is not 0.
    func isFirst(_ key: UInt64) -> Bool {
      let sites = words + ValueCell<Handler>.wordCount
      for probe in 0..<Self.siteCount {
        let site = AtomicWord(sites + Int((key >> 1 + UInt64(probe)) % UInt64(Self.siteCount)))
        if site.loadAcquire() == 0, site.compareExchange(0, key) { return true }
        if site.loadAcquire() == key { return false }
      }
      return true
    }
  }
}

/// An error that nobody received, as ``UnhandledErrors`` hands it on.
public struct UnhandledError: Sendable {
  /// The error.
  public let error: any Error
  /// What ``SignalConvertible/named(_:)`` calls the run that failed with it; nil if it has no name.
  public let name: String?
  /// The place that was left to deal with it, with ``line``: where it was subscribed, as a rule.
  public let fileID: StaticString
  /// The line in ``fileID``.
  public let line: UInt

  /// Whether the place is one where somebody might have dealt with it.
  var isOfUser: Bool { !fileID.description.hasPrefix("Weir/") }
}
