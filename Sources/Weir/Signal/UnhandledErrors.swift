// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// Handles errors that nobody receives.
///
/// These are: the failure of a signal subscribed to without `failed`; a failure sent to an observer or a
/// subject after its first terminal event; one that waits for a scheduler that is shut down, or for its turn
/// while its run is disposed; and an error that a closure of an operator or a source throws after its run has
/// ended, perhaps because the closure disposed the run before it threw. Such an error is not lost, and does
/// not stop the process.
///
/// A hot source (a subject, a connection, a shared signal) keeps the error that it has ended with for later
/// subscribers; having no subscribers then is not reported. A shared signal that is
/// ``ShareLifetime/whileConnected`` keeps no error: one that comes in its grace period, when it has no
/// subscribers, is reported. One that its last subscribers cause, and dispose themselves before it has
/// reached them, is not.
///
/// A failure that a source would send, or does send to its ``Observer``, after its disposal is no error in
/// this sense: nobody wants it any more, and it is dropped.
///
/// A failure that was sent before disposal is reported, even if something on its way disposes the run, or has
/// another signal take over:
///
/// - a closure that is called with it, such as that of ``SignalConvertible/finally(_:)``,
///   ``SignalConvertible/mapError(_:)``, ``SignalConvertible/log(_:to:)`` or of a ``RetryPolicy``;
/// - the release of a value that is dropped because of it;
/// - the clean-up of another signal of `merge` or `zip`, or of a trigger, which ends with it;
/// - the clean-up of the failed signal itself, upstream of ``SignalConvertible/concat(_:_:)``,
///   ``SignalConvertible/retry(_:)`` or ``SignalConvertible/catch(_:)->Signal<Self.Value,NewFailure>`` (whose
///   closures are not called then), ``SignalConvertible/observe(on:_:waiting:failures:)``, or an ``Observer``
///   that it is forwarded to.
///
/// What such a clean-up makes other signals of the run do reaches nobody, and no closure of the run: all of
/// them have been stopped before the first clean-up is called. A failure may also be dropped if another
/// thread disposes the run while it is on its way: it might as well have been sent later. An error with which
/// the closure of `catch` was called has been received.
///
/// A failure that is buffered for the scheduler of ``SignalConvertible/observe(on:_:waiting:failures:)``, or
/// for a task, is dropped if the subscriber disposes or the task is cancelled: a disposed subscriber does not
/// want the error.
///
/// By default each place in the code reports its first error of each type, in one line on standard error;
/// each ``SignalConvertible/named(_:)`` run does so separately. An error that was sent or thrown after the
/// end has no place in your code, but one in Weir, which is the same for all of its kind: a program that
/// wants each of them sets a handler. Names distinguish errors that were thrown; an error that was sent
/// usually has none. The line is written on the thread on which the error occurs, which can block there if
/// standard error is a full pipe; if nobody reads the pipe any more, the line is lost. Control characters in
/// the description of an error are written as in source code, such as `\n`.
///
/// ReactiveObjC has none: it drops them.
public enum UnhandledErrors {
  /// A function that receives such errors, on the thread on which they occur.
  public typealias Handler = @Sendable (UnhandledError) -> Void

  static let state = State()

  /// Replaces the handler of such errors, for the whole process. Pass ``printOncePerSite`` to restore the
  /// default. May be called from any thread; an error that is being reported may still go to the previous
  /// handler.
  ///
  /// - Returns: the previous handler, for code that restores it, such as a test.
  @discardableResult
  public static func setHandler(_ handler: @escaping Handler) -> Handler {
    state.cell.exchange(Installed(handler: handler)).handler
  }

  /// Reports an error that nobody receives: calls the handler, on the calling thread.
  ///
  /// - Parameters:
  ///   - error: the error.
  ///   - name: the name that ``SignalConvertible/named(_:)`` gives the run that failed.
  ///   - fileID: the place that should have handled it, with `line`.
  ///   - line: see `fileID`.
  public static func report(
    _ error: any Error, in name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let installed = state.cell.load()
    installed.handler(UnhandledError(error: error, name: name, fileID: fileID.description, line: line))
  }

  /// Prints the first error of each type, place and name to standard error. It remembers 1,024 combinations
  /// of these; errors of further ones are printed each time.
  public static let printOncePerSite: Handler = { report in
    guard state.isFirst(report) else { return }
    let remedy =
      report.isOfUser
      ? "nothing receives it there, such as failed: of subscribe; its signal has ended"
      : "its receiver had ended, or was on a scheduler that was shut down"
    let text = """
      weir: \(report) (\(remedy); more of this type from there are not printed)

      """
    text.withCString { weir_write_error($0, text.utf8.count) }
  }

  /// A structure, because the optimiser of Swift 6.2 cannot specialise code for a function type.
  struct Installed: Sendable { let handler: Handler }

  /// The current handler, and the sites that have reported. Never deallocated.
  final class State: @unchecked Sendable {  // the cell's pin protocol, and atomic words
    static let siteCount = 1024
    private let words = weir_block_allocate(8 * (ValueCell<Installed>.wordCount + siteCount))
      .assumingMemoryBound(to: UInt64.self)
    let cell: ValueCell<Installed>

    init() {
      cell = ValueCell(words: words)
      cell.publishFirst(Installed(handler: UnhandledErrors.printOncePerSite))
    }

    /// Enters the site of an error into a fixed table; returns false if it was there. When the table is full,
    /// every further site counts as new.
    func isFirst(_ report: UnhandledError) -> Bool {
      var hasher = Hasher()
      hasher.combine(ObjectIdentifier(type(of: report.error)))
      hasher.combine(report.fileID)
      hasher.combine(report.line)
      hasher.combine(report.name)
      return isFirst(UInt64(bitPattern: Int64(hasher.finalize())) | 1)
    }

    /// The same for a site by its key, which is not 0.
    func isFirst(_ key: UInt64) -> Bool {
      let sites = words + ValueCell<Installed>.wordCount
      for probe in 0..<Self.siteCount {
        let site = AtomicWord(sites + Int(((key >> 1) + UInt64(probe)) % UInt64(Self.siteCount)))
        if site.loadAcquire() == 0, site.compareExchange(0, key) { return true }
        if site.loadAcquire() == key { return false }
      }
      return true
    }
  }
}

/// An error that nobody received, as ``UnhandledErrors`` passes it to its handler.
public struct UnhandledError: Sendable {
  /// The error.
  public let error: any Error
  /// The name that ``SignalConvertible/named(_:)`` gives the run that failed with it; nil if it has none.
  public let name: String?
  /// The place that should have handled it, with ``line``: usually where the signal was subscribed to.
  public let fileID: String
  /// The line in ``fileID``.
  public let line: UInt

  /// Creates a report, for a test of a handler. Weir reports errors by
  /// ``UnhandledErrors/report(_:in:fileID:line:)``.
  public init(error: any Error, name: String? = nil, fileID: String = #fileID, line: UInt = #line) {
    self.error = error
    self.name = name
    self.fileID = fileID
    self.line = line
  }

  /// Whether the place is in a user's code, where the error could have been handled.
  var isOfUser: Bool { !fileID.hasPrefix("Weir/") }
}

extension UnhandledError: CustomStringConvertible {
  /// The name, the place and the error in one line, as it is printed by default.
  public var description: String {
    let run = name.map { "in \(inOneLine($0)) " } ?? ""
    return "unhandled error \(run)at \(fileID):\(line): \(inOneLine("\(error)"))"
  }
}
