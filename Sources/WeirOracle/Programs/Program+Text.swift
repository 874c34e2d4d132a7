// Part of Weir. SPDX-License-Identifier: Apache-2.0

// How a program is shown in reports.

extension Program: CustomStringConvertible {
  package var description: String {
    var lines = sources.enumerated().map { "s\($0) = \($1)" }
    if objectCount > 0 { lines += ["objects: o0..<o\(objectCount)"] }
    lines += derived.enumerated().map { "d\($0) = \($1)" }
    lines += shared.enumerated().map { "h\($0) = \($1.node).\($1.form)" }
    lines += commands.enumerated().map { "c\($0) = \($1)" }
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
    case .command(let index, let view): "c\(index).\(view)"
    case .derived(let index, let view): "d\(index).\(view)"
    case .lifted(let slot): "lifted\(slot)"
    case .life(let object): "o\(object).ended"
    case .during(let object, let node): "\(node).during(o\(object))"
    case .further(let name, let nodes): nodes.isEmpty ? "\(name)" : "\(nodes).\(name)"
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
    case .endLifetime(let object): "end o\(object)"
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
    case .shutDown: "shut the scheduler down"
    case .forward(let tree, let source): "forward t\(tree) to s\(source)"
    case .bindBothWays(let binding): "\(binding)"
    case .releaseCommand(let command): "release c\(command)"
    case .limit(let command, let limit): "limit c\(command) to \(limit.map { "\($0)" } ?? "any")"
    case .read(let readable): "read \(readable)"
    case .releaseDerived(let derived): "release d\(derived)"
    case .releaseObject(let object): "release o\(object)"
    case .endLifetime(let object): "end o\(object)"
    case .lift(let lift): "\(lift)"
    case .releaseLifted(let slot): "release lifted\(slot)"
    case .bind(let tree, let object, let form): "bind t\(tree) to o\(object), \(form)"
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

extension Binding: CustomStringConvertible {
  package var description: String {
    "bind s\(left) both ways with s\(right)\(converts ? ", converting" : "")"
  }
}

extension CommandPlan: CustomStringConvertible {
  package var description: String {
    let most = limit.map { "\($0)" } ?? "any"
    let on = isScheduled ? "the scheduler" : "the spot"
    return
      "command(on \(on), enabled if \(condition.map { "\($0) is odd" } ?? "always"), limit \(most), work \(work))"
  }
}

extension Readable: CustomStringConvertible {
  package var description: String {
    switch self {
    case .source(let index): "s\(index)"
    case .derived(let index): "d\(index)"
    }
  }
}

extension Lift: CustomStringConvertible {
  package var description: String {
    let deed = deed.map { ", the first call: \($0)" } ?? ""
    return "lift t\(tree) into o\(object), as lifted\(slot)\(deed)"
  }
}
