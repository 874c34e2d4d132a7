// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList: Encodable where Element: Encodable {
  /// Evaluates all elements, and encodes them as an array would be. Does not return if the list is infinite.
  /// Throws what the encoder throws.
  ///
  /// ReactiveObjC: `NSCoding`.
  @inlinable
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(contentsOf: self)
  }
}

extension LazyList: Decodable where Element: Decodable {
  /// The elements of an array, evaluated. Throws what the decoder throws.
  ///
  /// ReactiveObjC: `NSCoding`.
  @inlinable
  public init(from decoder: any Decoder) throws {
    self = LazyList(try [Element](from: decoder)).evaluated()
  }
}
