// Part of Weir. SPDX-License-Identifier: Apache-2.0
import WeirTesting

/// Runs a program in Weir and in the model, and compares everything that can be observed: which events each
/// observer receives, in one order over all observers; when each source is subscribed to and released; how
/// many observers are alive after each step; and what is leaked at the end.
package struct Oracle {
  /// How the model reads programs. Tests make it misread them, so that there is a difference to find.
  let reading: (Program) -> Program

  package init(reading: @escaping (Program) -> Program = { $0 }) { self.reading = reading }

  /// Where Weir and the model differ; nil if they do not, or if the model does not say what is right.
  package func disagreement(on program: Program) -> Disagreement? {
    var (expected, precision) = modelled(reading(program))
    if precision.isNothing { return nil }
    var actual = observed(program)
    if precision == .byStep, expected != actual { (expected, actual) = (byStep(expected), byStep(actual)) }
    return expected == actual ? nil : Disagreement(program: program, expected: expected, actual: actual)
  }

  /// How much of a program is compared.
  package func precision(on program: Program) -> Precision { modelled(reading(program)).1 }

  /// The notes, with the releases of each step at its end.
  private func byStep(_ notes: [Trace.Note]) -> [Trace.Note] {
    let trace = Trace()
    var releases: [Trace.Note] = []
    for note in notes {
      if case .closed = note {
        releases.append(note)
        continue
      }
      if case .step = note {
        releases.forEach(trace.note)
        releases = []
      }
      trace.note(note)
    }
    releases.forEach(trace.note)
    return trace.notes
  }

  private func modelled(_ program: Program) -> ([Trace.Note], Precision) {
    let trace = Trace()
    let world = ModelWorld(program, trace)
    let notes = run(program, in: world, trace)
    return (notes, world.precision)
  }

  private func observed(_ program: Program) -> [Trace.Note] {
    let (trace, resources) = (Trace(), Resources())
    let notes = run(program, in: WeirWorld(program, resources, trace), trace)
    // By now the world has been deallocated with everything that it has created.
    return notes + (resources.problem.map { [.leaked("\($0)")] } ?? [])
  }

  private func run(_ program: Program, in world: any World, _ trace: Trace) -> [Trace.Note] {
    Script(world, trace).run(program.steps)
    defer { world.end() }
    return trace.notes
  }
}

/// A program that Weir and the model run differently.
package struct Disagreement: CustomStringConvertible, Sendable {
  package let program: Program
  package let expected: [Trace.Note]
  package let actual: [Trace.Note]

  package var description: String {
    let same = zip(expected, actual).prefix { $0 == $1 }.count
    let before = expected[max(0, same - 6)..<same].map { "            \($0)" }
    return """
      Weir and the model disagree about this program:
      \(program)
      after:
      \(before.joined(separator: "\n"))
      the model:  \(Self.excerpt(expected, from: same))
      Weir:       \(Self.excerpt(actual, from: same))
      """
  }

  private static func excerpt(_ notes: [Trace.Note], from index: Int) -> String {
    if index >= notes.count { return "nothing more" }
    return notes[index..<min(notes.count, index + 4)].map { "\($0)" }.joined(separator: "; ")
  }
}
