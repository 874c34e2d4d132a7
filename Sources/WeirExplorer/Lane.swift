// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Glibc

/// A thread of the explorer, which stays for all runs of a search.
final class Lane: @unchecked Sendable {  // everything belongs to the thread that runs
  typealias Work = [(label: String, body: () -> Void)]

  let index: Int
  let baton = Semaphore()
  private unowned let stage: Stage
  private var thread = pthread_t()
  private var work: Work = []

  private(set) var label = ""
  private(set) var isFinished = true
  /// The step after which it was the turn of somebody else.
  var lastStep = 0
  /// Whether it may go on for once when it gives way: what follows a courtesy, at once, is worth trying, too.
  private var mayInsist = true
  /// Whether it has done anything since it gave way last. Several pauses are as good as one.
  private var hasActed = true

  init(_ index: Int, of stage: Stage) {
    self.index = index
    self.stage = stage
    let context = Unmanaged.passRetained(self).toOpaque()
    let status = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Lane>.fromOpaque(context).takeRetainedValue().main() }
        return nil
      }, context)
    precondition(status == 0, "weir: the system refused to start a thread (error \(status))")
  }

  func join() { pthread_join(thread, nil) }

  func prepare(_ work: Work) {
    self.work = work
    label = work.first?.label ?? ""
    lastStep = 0
    isFinished = false
    hasActed = true
  }

  private func main() {
    while true {
      baton.wait()
      if stage.isClosed { return }
      let context = Unmanaged.passUnretained(self).toOpaque()
      weir_observe_thread(
        { context, operation, address, size in
          Unmanaged<Lane>.fromOpaque(context).takeUnretainedValue().step(operation, address, size)
        }, context)
      for operation in work {
        label = operation.label
        mayInsist = true
        operation.body()
      }
      weir_observe_thread(nil, nil)
      // What the closures hold goes with the run, whoever ends it.
      work = []
      isFinished = true
      stage.finish(self)
    }
  }

  /// Called before each atomic operation, and for what else the shim tells. Answers whether that is done
  /// with.
  private func step(_ operation: UnsafePointer<CChar>, _ address: UnsafeRawPointer?, _ size: Int) -> Bool {
    if size > 0, let address { return stage.keep(address, size) }
    if let address {
      hasActed = true
      guard let found = stage.step(self, operation, address) else { return false }
      weir_answer_load(found)
      return true
    }
    if hasActed {
      hasActed = false
      stage.giveWay(self, operation, mustWait: !mayInsist)
      mayInsist = false
    }
    return true
  }
}
