// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Which character of a marble diagram stands for which value.
///
/// ```swift
/// values: ["a": alice, "b": bob]                                // a dictionary literal
/// values: MarbleValues { character in character.asciiValue }    // a closure
/// ```
///
/// Of a character that occurs twice in a literal, the first value counts.
///
/// ReactiveObjC has none.
public struct MarbleValues<Value: Sendable>: Sendable {
  /// The value that a character stands for; nil if it stands for none.
  public let value: @Sendable (Character) -> Value?
  /// The character that a value is drawn as; if nil, the drawing takes a letter and says what it stands for.
  public let character: @Sendable (Value) -> Character?

  /// A mapping by closures.
  ///
  /// - Parameters:
  ///   - value: the value that a character stands for; nil if it stands for none.
  ///   - character: the character that a value is drawn as; nil if there is none.
  public init(
    _ value: @escaping @Sendable (Character) -> Value?,
    character: @escaping @Sendable (Value) -> Character? = { _ in nil }
  ) {
    self.value = value
    self.character = character
  }

  /// The values of a dictionary. A character that is not in it stands for no value. A value that is not in it
  /// is drawn as `automatic` draws it, unless that character stands for another value here.
  public init(_ dictionary: [Character: Value]) {
    let sorted = dictionary.sorted { $0.key < $1.key }
    self.init(
      { dictionary[$0] },
      character: { value in
        if let known = sorted.first(where: { isAlike($0.value, value) }) { return known.key }
        return Self.automatic.character(value).flatMap { dictionary[$0] == nil ? $0 : nil }
      })
  }

  /// Values that are read from and written as one character: digits, characters, strings of one character,
  /// and `t` and `f` for Booleans.
  public static var automatic: MarbleValues {
    MarbleValues(
      { character in
        if Value.self == Bool.self { return ["t": true, "f": false][character] as? Value }
        // In two steps: a nil of the first one would otherwise become a value, if that is an optional.
        guard let type = Value.self as? any LosslessStringConvertible.Type else { return nil }
        return type.init(String(character)) as? Value
      },
      character: { value in
        if Value.self == Bool.self, let isTrue = value as? Bool { return isTrue ? "t" : "f" }
        let text = String(describing: value)
        return text.count == 1 ? text.first.flatMap { isForValues($0) ? $0 : nil } : nil
      })
  }
}

extension MarbleValues: ExpressibleByDictionaryLiteral {
  /// The values of a dictionary.
  public init(dictionaryLiteral elements: (Character, Value)...) {
    self.init(Dictionary(elements) { first, _ in first })
  }
}

/// Whether a character can stand for a value in a diagram.
func isForValues(_ character: Character) -> Bool {
  !"-()|#^!".contains(character) && !character.isWhitespace
}

/// Whether two values are the same, as far as that can be told: by `==` if they are `Equatable`, other
/// objects by identity, and everything else, such as tuples, by description. Optionals are compared by their
/// contents.
func isAlike<Value>(_ left: Value, _ right: Value) -> Bool {
  if let left = left as? any Optionality, let right = right as? any Optionality {
    guard let left = left.content, let right = right.content
    else { return left.content == nil && right.content == nil }
    return isAlike(left, right)
  }
  func isEqual<Left: Equatable>(_ left: Left) -> Bool { left == right as? Left }
  if let left = left as? any Equatable { return isEqual(left) }
  if type(of: left as Any) is AnyClass { return left as AnyObject === right as AnyObject }
  return String(reflecting: left) == String(reflecting: right)
}

/// An optional of any type.
private protocol Optionality {
  var content: Any? { get }
}

extension Optional: Optionality {
  var content: Any? { map { $0 } }
}
