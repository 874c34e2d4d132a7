// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Testing
import Weir
import WeirTesting

@testable import WeirFoundation

/// Files and pipes in chunks, which arrive on a reading thread; tests wait for the end on semaphores.
struct ChunksTests {
  /// All chunks that were received, and how the signal ended.
  private final class Received: @unchecked Sendable {  // written serially, read when it has ended
    private(set) var pieces: [[UInt8]] = []
    private(set) var failure: ReadError?
    private let ended = DispatchSemaphore(value: 0)

    init(_ signal: Signal<[UInt8], ReadError>) {
      signal.subscribe(
        next: { self.pieces.append($0) },
        failed: {
          self.failure = $0
          self.ended.signal()
        }, completed: { self.ended.signal() })
      ended.wait()
    }

    var bytes: [UInt8] { pieces.flatMap { $0 } }
  }

  private func withFile(_ bytes: [UInt8], _ body: (String) -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(bytes).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    body(url.path)
  }

  private func makePipe() -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    precondition(pipe(&ends) == 0)
    return (ends[0], ends[1])
  }

  @Test(
    "X18: each subscription receives a file whole and in order, in chunks no larger than requested")
  func file() throws {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try withFile(bytes) { path in
      let signal = Signal.chunks(ofFile: path, upTo: 4_096)
      for _ in 0..<2 {
        let received = Received(signal)
        #expect(received.bytes == bytes)
        #expect(received.pieces.allSatisfy { (1...4_096).contains($0.count) })
        #expect(received.failure == nil)
      }
    }
    try withFile([]) { path in #expect(Received(.chunks(ofFile: path)).pieces.isEmpty) }
  }

  @Test(
    "X18: a file or descriptor that cannot be opened or read fails with its name, the reason and what to do")
  func failures() {
    let missing = Received(.chunks(ofFile: "/no/such/file")).failure
    #expect(missing == ReadError(source: .file("/no/such/file"), operation: .open, code: ENOENT))
    #expect(missing?.description.contains("/no/such/file: cannot open it: No such file") == true)
    // Inside `subscribe`, unlike everything else.
    let ended = Counter()
    Signal.chunks(ofFile: "/no/such/file").subscribe(failed: { _ in ended.add() })
    #expect(ended.value == 1)
    let directory = Received(.chunks(ofFile: "/")).failure
    #expect(directory == ReadError(source: .file("/"), operation: .read, code: EISDIR))
    #expect(directory?.description.hasPrefix("/: cannot read it") == true)
    #expect(directory?.description.contains("name a file") == true)
    let closed = Received(.chunks(of: -1)).failure
    #expect(closed == ReadError(source: .descriptor(-1), operation: .duplicate, code: EBADF))
    #expect(closed?.description.hasPrefix("descriptor -1: cannot duplicate it") == true)
    #expect(closed?.description.contains("leave it open until the subscription has begun") == true)
    let (reading, writing) = makePipe()
    let unreadable = Received(.chunks(of: writing)).failure
    #expect(unreadable == ReadError(source: .descriptor(writing), operation: .read, code: EBADF))
    close(reading)
    close(writing)
  }

  @Test(
    "X18: without descriptors for all that reading needs, the failure says which of its steps had none left")
  func noDescriptors() async {
    await #expect(processExitsWith: .success) {
      func failure(of signal: Signal<[UInt8], ReadError>) -> ReadError? {
        if case .failed(let error) = Recorder(signal).completion { error } else { nil }
      }
      var descriptors: [Int32] = []
      while case let opened = open("/dev/null", O_RDONLY), opened >= 0 { descriptors.append(opened) }
      func expect(ofFile: ReadError.Operation, ofDescriptor: ReadError.Operation) {
        let file = failure(of: .chunks(ofFile: "/dev/null"))
        #expect(file == ReadError(source: .file("/dev/null"), operation: ofFile, code: EMFILE))
        let source = ReadError.Source.descriptor(descriptors[0])
        let descriptor = failure(of: .chunks(of: descriptors[0]))
        #expect(descriptor == ReadError(source: source, operation: ofDescriptor, code: EMFILE))
      }
      expect(ofFile: .open, ofDescriptor: .duplicate)
      // Enough for the file, or the duplicate, but not for the pipe as well.
      for _ in 0..<2 {
        close(descriptors.removeLast())
        expect(ofFile: .prepare, ofDescriptor: .prepare)
      }
    }
  }

  @Test(
    "X18: a pipe's bytes arrive as they are written, closing it completes, and the caller's descriptor stays open"
  )
  func pipes() {
    let (reading, writing) = makePipe()
    let came = DispatchSemaphore(value: 0)
    let bytes = Counter()
    Signal.chunks(of: reading).subscribe(
      next: { piece in
        for byte in piece { for _ in 0..<byte { bytes.add() } }
        came.signal()
      }, completed: { came.signal() })
    for byte: UInt8 in 1...3 {
      withUnsafePointer(to: byte) { _ = write(writing, $0, 1) }
      came.wait()
    }
    close(writing)
    came.wait()
    #expect(bytes.value == 6)
    #expect(fcntl(reading, F_GETFD) >= 0)
    close(reading)
  }

  @Test(
    "X18: the caller may close its descriptor as soon as it has subscribed, and its number may be reused at once"
  )
  func numbersAreUsedAgain() {
    for round in 0..<200 {
      let (reading, writing) = makePipe()
      let came = DispatchSemaphore(value: 0)
      let bytes = Counter()
      Signal.chunks(of: reading).subscribe(
        next: { piece in for _ in piece { bytes.add() } }, completed: { came.signal() })
      if round.isMultiple(of: 2) { close(reading) }
      _ = write(writing, "weir", 4)
      close(writing)
      came.wait()
      #expect(bytes.value == 4)
      if !round.isMultiple(of: 2) { close(reading) }
    }
  }

  @Test("X18: files that cannot be waited for, such as those in /dev and /proc, are read as well")
  func alwaysReady() throws {
    #expect(Received(.chunks(ofFile: "/dev/null")).pieces.isEmpty)
    #expect(
      Received(Signal.chunks(ofFile: "/dev/zero", upTo: 10).take(first: 2)).bytes
        == [UInt8](repeating: 0, count: 20)
    )
    #expect(Received(.chunks(ofFile: "/proc/self/stat")).bytes.isEmpty == false)
  }

  @Test("X18: a non-blocking descriptor stays non-blocking, and a blocking one stays blocking")
  func blocking() {
    let (reading, writing) = makePipe()
    #expect(fcntl(reading, F_SETFL, O_NONBLOCK) == 0)
    _ = write(writing, "weir", 4)
    close(writing)
    #expect(Received(.chunks(of: reading)).bytes.count == 4)
    #expect(fcntl(reading, F_GETFL) & O_NONBLOCK != 0)
    close(reading)
    let (other, end) = makePipe()
    let (came, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Signal.chunks(of: other).subscribe(
      next: { _ in
        came.signal()
        goOn.wait()
      }, completed: { came.signal() })
    _ = write(end, "weir", 4)
    came.wait()
    #expect(fcntl(other, F_GETFL) & O_NONBLOCK == 0)
    goOn.signal()
    close(end)
    came.wait()
    close(other)
  }

  @Test("a chunk has at most 1 MiB, even if a larger bound is requested")
  func largest() throws {
    let bytes = [UInt8](repeating: 7, count: 3_000_000)
    try withFile(bytes) { path in
      let received = Received(.chunks(ofFile: path, upTo: .max))
      #expect(received.bytes == bytes)
      #expect(received.pieces.allSatisfy { (1...1_048_576).contains($0.count) })
    }
  }

  @Test("a path with a zero byte cannot be opened, even if there is a file with the path before that byte")
  func zeroInPath() throws {
    try withFile([1, 2, 3]) { path in
      let received = Received(.chunks(ofFile: path + "\0.txt"))
      #expect(received.failure == ReadError(source: .file(path + "\0.txt"), operation: .open, code: ENOENT))
      #expect(received.pieces.isEmpty)
    }
  }

  @Test("a system error while waiting for more bytes is delivered as a failure")
  func waitFails() async {
    await #expect(processExitsWith: .success) {
      var ends: [Int32] = [0, 0]
      precondition(pipe(&ends) == 0)
      let (came, goOn, failed) = (
        DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
      )
      Signal.chunks(of: ends[0]).subscribe(
        next: { _ in
          came.signal()
          goOn.wait()
        },
        failed: { if $0.operation == .read, $0.code == EINVAL { failed.signal() } })
      _ = write(ends[1], "weir", 4)
      came.wait()
      // Then it cannot wait for two descriptors at a time.
      var limit = rlimit()
      precondition(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      let usual = limit
      limit.rlim_cur = 1
      precondition(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      goOn.signal()
      precondition(failed.wait(timeout: .now() + 20) == .success)
      var back = usual
      precondition(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &back) == 0)
    }
  }

  @Test("X18: a slow subscriber slows the writer down: at most one chunk is read ahead")
  func slow() {
    let (reading, writing) = makePipe()
    let (entered, goOn, ended) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let received = Counter()
    Signal.chunks(of: reading, upTo: 100).subscribe(
      next: { piece in
        for _ in piece { received.add() }
        entered.signal()
        goOn.wait()
      }, completed: { ended.signal() })
    // Fills the pipe, and then fills it again after one chunk, and one ahead, have been read.
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    var written = 0
    let block = [UInt8](repeating: 1, count: 100)
    while case let count = write(writing, block, block.count), count > 0 { written += count }
    entered.wait()
    while case let count = write(writing, block, block.count), count > 0 { written += count }
    #expect(written <= 65_536 + 2 * 100)
    close(writing)
    for _ in 0...written { goOn.signal() }
    ended.wait()
    #expect(received.value == written)
    close(reading)
  }

  @Test(
    "X18: disposing during a read closes the file, delivers nothing more and releases the subscriber"
  )
  func disposed() throws {
    let resources = Resources()
    try withFile([UInt8](repeating: 1, count: 1_000_000)) { path in
      let (came, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let pieces = Counter()
      let subscription = Signal.chunks(ofFile: path, upTo: 1_000).subscribe(
        next: { [token = resources.make()] _ in
          withExtendedLifetime(token) {}
          pieces.add()
          came.signal()
          goOn.wait()
        }, completed: { Issue.record("it was disposed in the middle") })
      came.wait()
      #expect(openFiles(named: path) == 1)
      subscription.dispose()
      goOn.signal()
      // The thread closes the file and releases the subscriber when the callback has returned.
      while openFiles(named: path) > 0 || resources.alive > 0 { sched_yield() }
      #expect(pieces.value == 1)
    }
  }

  @Test("X18: the file is closed before the completion is delivered")
  func closedAtTheEnd() throws {
    try withFile([1, 2, 3]) { path in
      let (ended, open) = (DispatchSemaphore(value: 0), Counter())
      Signal.chunks(ofFile: path).subscribe(
        completed: { [self] in
          for _ in 0..<openFiles(named: path) { open.add() }
          ended.signal()
        })
      ended.wait()
      #expect(open.value == 0)
    }
  }

  @Test(
    "X18: subscribing to a named pipe does not wait for a writer; its bytes arrive, and closing it completes"
  )
  func namedPipe() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try #require(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let (ended, bytes) = (DispatchSemaphore(value: 0), Counter())
    Signal.chunks(ofFile: path).subscribe(
      next: { for _ in $0 { bytes.add() } }, completed: { ended.signal() })
    let writing = open(path, O_WRONLY)
    _ = write(writing, "weir", 4)
    close(writing)
    ended.wait()
    #expect(bytes.value == 4)
    Signal.chunks(ofFile: path).subscribe().dispose()
    while openFiles(named: path) > 0 { sched_yield() }
  }

  @Test("X18: a chunk is delivered as soon as there are bytes, without waiting for more")
  func whatHasCome() {
    var ends: [Int32] = [0, 0]
    precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    // One byte makes it readable, but a read that waits does so until there are a hundred.
    var least: Int32 = 100
    let size = socklen_t(MemoryLayout<Int32>.size)
    precondition(setsockopt(ends[0], SOL_SOCKET, SO_RCVLOWAT, &least, size) == 0)
    let came = DispatchSemaphore(value: 0)
    Signal.chunks(of: ends[0]).subscribe(next: { _ in came.signal() }, completed: { came.signal() })
    _ = write(ends[1], "w", 1)
    #expect(came.wait(timeout: .now() + 20) == .success)
    close(ends[1])
    came.wait()
    close(ends[0])
  }

  @Test("X18: of two subscriptions to a pipe one receives a byte; after disposal neither keeps the pipe open")
  func twoReadings() throws {
    for _ in 0..<100 {
      let (reading, writing) = makePipe()
      let name = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(reading)")
      let came = DispatchSemaphore(value: 0)
      let subscriptions = (0..<2).map { _ in
        Signal.chunks(of: reading).subscribe(next: { _ in came.signal() })
      }
      _ = write(writing, "w", 1)
      came.wait()
      for subscription in subscriptions { subscription.dispose() }
      // The test's own two ends stay, and nothing is written that the threads could wait for.
      while openFiles(named: name) > 2 { sched_yield() }
      close(reading)
      close(writing)
    }
  }

  /// The descriptors of the same pipe.
  private func descriptors(ofPipe end: Int32) -> [Int32] {
    var wanted = stat()
    fstat(end, &wanted)
    return (0..<1_000).filter { descriptor in
      var found = stat()
      return fstat(descriptor, &found) == 0 && (found.st_dev, found.st_ino) == (wanted.st_dev, wanted.st_ino)
    }
  }

  @Test("X18: a program that is started meanwhile does not inherit what a subscription reads from")
  func notInherited() {
    let (reading, writing) = makePipe()
    let signals = [Signal.chunks(of: reading), .chunks(ofFile: "/dev/fd/\(reading)")]
    let runs = signals.map { $0.subscribe(failed: { _ in }) }
    let opened = descriptors(ofPipe: reading).filter { ![reading, writing].contains($0) }
    #expect(opened.count == 2 && opened.allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC != 0 })
    for run in runs { run.dispose() }
    close(reading)
    close(writing)
  }

  @Test("a file that cannot be opened for an observer that has completed is not reported")
  func failsWhenEnded() async {
    await #expect(processExitsWith: .success) {
      UnhandledErrors.setHandler { fatalError("reported: \($0.error)") }
      let observer = Observer<[UInt8], ReadError>()
      observer.complete()
      Signal.chunks(ofFile: "/no/such/file").forward(to: observer)
    }
  }

  /// How many descriptors of this process are open for that file.
  private func openFiles(named path: String) -> Int {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return all.filter {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == path
    }.count
  }
}
