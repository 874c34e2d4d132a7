// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The text in one line, whatever is in it: control characters and line separators are written as in source
/// code.
func inOneLine(_ text: String) -> String {
  var line = ""
  for scalar in text.unicodeScalars {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator:
      line += scalar == "\n" ? "\\n" : "\\u{\(String(scalar.value, radix: 16))}"
    default: line.unicodeScalars.append(scalar)
    }
  }
  return line
}
