// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Which signals go on as others, and which run their signals one after the other.

extension Node {
  var handsOver: Bool {
    switch self {
    case .two(let name, _, _): name.handsOver
    case .one(.startWith, let node): node.handsOver
    case .further(.deferred, _), .further(.catching, _): true
    default: false
    }
  }
}

extension Binary {
  /// Whether the second signal goes on in the run of the first.
  var handsOver: Bool {
    switch self {
    case .catchTo, .timeout: true
    default: false
    }
  }
}

extension Further {
  /// Whether its signals run one after the other.
  var startsRuns: Bool {
    switch self {
    case .retrying, .prepending: true
    default: false
    }
  }
}
