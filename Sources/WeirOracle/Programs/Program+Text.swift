// Part of Weir. SPDX-License-Identifier: Apache-2.0

// How a program is shown in reports.

extension Program: CustomStringConvertible {
  package var description: String {
    var lines = sources.enumerated().map { "s\($0) = \($1)" }
    lines += shared.enumerated().map { "h\($0) = \($1.node).\($1.form)" }
    lines += trees.enumerated().map { "t\($0) = \($1)" }
    lines += steps.enumerated().map { "\($0 + 1). \($1)" }
    return lines.map { "  " + $0 }.joined(separator: "\n")
  }
}

extension Node: CustomStringConvertible {
  package var description: String {
    switch self {
    case .source(let index): "s\(index)"
    case .cold(let cold): "\(cold)"
    case .shared(let index): "h\(index)"
    case .never: "never"
    case .one(let name, let node): "\(node).\(name)"
    case .two(let name, let first, let second): "\(first).\(name)(\(second))"
    case .many(let name, let nodes): "\(name)\(nodes)"
    case .timed(let name, let node): "\(node).\(name)"
    case .cleaned(let cleanUp, let node): "\(node).\(cleanUp)"
    case .flat(let name, let node, let inner): "\(node).flatMap(.\(name), to: \(inner))"
    }
  }
}

extension Cold: CustomStringConvertible {
  package var description: String {
    "\(isPlain ? "plain" : "created")#\(id)(\(values), \(ending))"
  }
}

extension Ending: CustomStringConvertible {
  package var description: String {
    switch self {
    case .sends(let event): "\(event)"
    case .staysOpen: "open"
    case .letsGo: "lets go"
    }
  }
}

extension CleanUp: CustomStringConvertible {
  package var description: String { "\(occasion)(\(deed))" }
}

extension CleanUp.Deed: CustomStringConvertible {
  package var description: String {
    switch self {
    case .send(let event, let source): "send \(event) to s\(source)"
    case .dispose(let observer): "dispose observer \(observer)"
    }
  }
}

extension Happening: CustomStringConvertible {
  package var description: String {
    switch self {
    case .value(let value): "\(value)"
    case .failed(let code): "failure \(code)"
    case .completed: "end"
    }
  }
}

extension Action: CustomStringConvertible {
  package var description: String {
    switch self {
    case .send(let event, let source): "send \(event) to s\(source)"
    case .subscribe(let plan): "subscribe \(plan)"
    case .dispose(let observer): "dispose observer \(observer)"
    case .connect(let shared): "connect h\(shared)"
    case .disconnect(let shared): "disconnect h\(shared)"
    case .release(let source): "release s\(source)"
    case .advance(let seconds): "advance by \(seconds) s"
    }
  }
}

extension ObserverPlan: CustomStringConvertible {
  package var description: String {
    let form = bringsSubscription ? " with a subscription of its own" : ""
    let reacts = reaction.map { ", at event \($0.at): \($0.action)" } ?? ""
    let ends = limit.map { ", disposes itself at event \($0)" } ?? ""
    return "to t\(tree)\(form)\(reacts)\(ends)"
  }
}
