// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Glibc

/// A thread of the explorer, used for all runs of a search.
final class Lane: @unchecked Sendable {  // everything belongs to the thread that runs
  typealias Work = [(label: String, body: () -> Void)]

  let index: Int
  let baton = Semaphore()
  private unowned let stage: Stage
  private var thread = pthread_t()
  private var work: Work = []

  private(set) var label = ""
  private(set) var isFinished = true
  /// The number of steps taken when it last came to a choice.
  var lastStep = 0
  /// Whether it may continue once although it has paused or yielded: the search tries that as well.
  private var mayInsist = true
  /// Whether it has done anything since its last pause or yield. Several pauses in a row count as one.
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
      // What the closures retain is released with the run, on whichever thread ends it.
      work = []
      isFinished = true
      stage.finish(self)
    }
  }

  /// Called before each atomic operation, and for everything else that the shim reports. Returns whether the
  /// shim must skip the operation because it has been done here.
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
