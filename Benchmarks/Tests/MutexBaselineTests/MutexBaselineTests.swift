// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("The mutex baseline is a correct subject in each of its forms")
struct MutexBaselineTests {
  @Test(arguments: Form.allCases)
  func `values arrive in order, and within one value in the order of subscription`(form: Form) {
    let subject = form.makeSubject()
    let log = Log<String>()
    for name in ["a", "b", "c"] { subject.subscribe { log.append("\(name)\($0)") } }
    subject.send(1)
    subject.send(2)
    #expect(log.entries == ["a1", "b1", "c1", "a2", "b2", "c2"])
  }

  @Test(arguments: Form.allCases)
  func `a disposed subscriber receives nothing more, and the others keep their order`(form: Form) {
    let subject = form.makeSubject()
    let log = Log<String>()
    subject.subscribe { log.append("a\($0)") }
    let dispose = subject.subscribe { log.append("b\($0)") }
    subject.subscribe { log.append("c\($0)") }
    dispose()
    dispose()
    subject.send(1)
    #expect(log.entries == ["a1", "c1"])
  }

  @Test(arguments: Form.allCases)
  func `a callback may dispose itself and a later subscriber during the same value`(form: Form) {
    let subject = form.makeSubject()
    let log = Log<String>()
    let (own, later) = (Slot(), Slot())
    own.fill(
      subject.subscribe {
        log.append("a\($0)")
        own.dispose()
        later.dispose()
      })
    later.fill(subject.subscribe { log.append("b\($0)") })
    subject.subscribe { log.append("c\($0)") }
    subject.send(1)
    subject.send(2)
    #expect(log.entries == ["a1", "c1", "c2"])
  }

  @Test(arguments: Form.allCases)
  func `a callback may subscribe and send; the new subscriber receives the nested value only`(form: Form) {
    let subject = form.makeSubject()
    let log = Log<String>()
    subject.subscribe { value in
      log.append("a\(value)")
      if value == 1 {
        subject.subscribe { log.append("b\($0)") }
        subject.send(2)
      }
    }
    subject.send(1)
    #expect(log.entries == ["a1", "a2", "b2"])
    subject.complete()  // releases the callback, which refers to the subject
  }

  @Test(arguments: Form.allCases)
  func `completion is delivered once, also to later subscribers, and no value follows it`(form: Form) {
    let subject = form.makeSubject()
    let log = Log<String>()
    subject.subscribe {
      log.append("a\($0)")
    } completed: {
      log.append("a|")
    }
    let dispose = subject.subscribe {
      log.append("b\($0)")
    } completed: {
      log.append("b|")
    }
    dispose()
    subject.complete()
    subject.complete()
    subject.send(1)
    subject.subscribe {
      log.append("c\($0)")
    } completed: {
      log.append("c|")
    }
    subject.send(2)
    #expect(log.entries == ["a|", "c|"])
  }

  @Test(arguments: Form.allCases)
  func `disposing and completing release the callbacks`(form: Form) {
    let subject = form.makeSubject()
    weak var disposed: Log<Int>?
    weak var completed: Log<Int>?
    do {
      let (first, second) = (Log<Int>(), Log<Int>())
      (disposed, completed) = (first, second)
      let dispose = subject.subscribe { first.append($0) }
      subject.subscribe { second.append($0) }
      dispose()
    }
    #expect(disposed == nil)
    #expect(completed != nil)
    subject.complete()
    #expect(completed == nil)
  }
}
