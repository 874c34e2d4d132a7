// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing
import Weir
import WeirFoundation
import WeirTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The examples of WeirFoundation.md, so that they compile.
struct ArticleTests {
  private final class Server: Sendable {
    func stop() {}
  }

  @Test("the examples of the article are signals that can be subscribed to, and nothing happens before")
  func examples() throws {
    let (server, session, center) = (Server(), URLSession(configuration: .ephemeral), NotificationCenter())
    let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:1/")))
    let commands = Subject<String, Never>()
    let answers = Subject<Data, Never>()
    let reloaded = Counter()
    let reload: @Sendable (String) -> Void = { if $0 == "here" { reloaded.add() } }
    let examples: [() -> Subscription] = [
      { Signal.system(SIGINT, SIGTERM).take(first: 1).subscribe { _ in server.stop() } },
      {
        Signal.chunks(of: STDIN_FILENO).lines(upTo: 4_096)
          .subscribe(next: { commands.send($0) }, failed: { print($0) }, completed: { commands.complete() })
      },
      {
        session.response(to: request)
          .timeout(.idle(.seconds(5)), on: .pool, failing: URLError(.timedOut))
          .retry(upTo: 2)
          .subscribe(next: { answers.send($0.data) }, failed: { print("no answer:", $0) })
      },
      {
        center.signal(for: .configurationChanged) { $0.userInfo?["path"] as? String }
          .subscribe { reload($0) }
      },
    ]
    // The last one is harmless; the others are run by the tests of what they are made of.
    let subscription = examples[3]()
    center.post(name: .configurationChanged, object: nil, userInfo: ["path": "here"])
    subscription.dispose()
    #expect(reloaded.value == 1)
  }
}

extension Notification.Name {
  fileprivate static let configurationChanged = Notification.Name("configurationChanged")
}
