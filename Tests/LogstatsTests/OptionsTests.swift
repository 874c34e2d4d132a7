// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing

@testable import logstats

@Suite struct OptionsTests {
  @Test func defaults() throws {
    let options = try Options([String]())
    #expect(options.paths.isEmpty && !options.follow && !options.json && options.color)
    #expect(options.window == 10 && options.top == 10)
  }

  @Test func everyOption() throws {
    let options = try Options([
      "a", "--follow", "-", "--window", "5m", "--top", "3", "--json", "--no-color", "b",
    ])
    #expect(options.paths.map(\.text) == ["a", "-", "b"])
    #expect(options.follow && options.json && !options.color)
    #expect(options.window == 300 && options.top == 3)
  }

  @Test func aValueMayFollowAnEqualsSign() throws {
    let options = try Options(["--window=5m", "a", "--top=3", "--", "--top=4"])
    #expect(options.window == 300 && options.top == 3)
    #expect(options.paths.map(\.text) == ["a", "--top=4"])
    #expect(Options.help.contains("--top=10"))
  }

  @Test func whatFollowsTwoDashesAreFiles() throws {
    let options = try Options(["--json", "--", "--follow", "-", "-h", "--"])
    #expect(options.paths.map(\.text) == ["--follow", "-", "-h", "--"])
    #expect(options.json && !options.follow)
    #expect(!Options.askForHelp(["--", "-h", "--help"].map(Argument.init)))
  }

  @Test func helpIsAskedForInTwoWays() {
    for asking in [["-h"], ["--help"], ["--frob", "-h"], ["a", "--help", "--", "b"]] {
      #expect(Options.askForHelp(asking.map(Argument.init)))
    }
    #expect(!Options.askForHelp(["a", "-"].map(Argument.init)))
    for word in ["-h", "--", "| head", "64", "65", "74", "130", "143"] {
      #expect(Options.help.contains(word))
    }
  }

  @Test func theHelpSaysWhenCountsAreEstimates() {
    for word in ["10,000", "≤", "at_least"] { #expect(Options.help.contains(word)) }
  }

  @Test(arguments: [["-", "-"], ["-", "a", "--", "-"]])
  func standardInputIsReadOnce(arguments: [String]) {
    let error = #expect(throws: ExitError.self) { try Options(arguments) }
    #expect(error?.status == 64)
    #expect(error?.message.contains("standard input") == true)
  }

  @Test func anEmptyNameIsRefused() {
    let error = #expect(throws: ExitError.self) { try Options(["a", ""]) }
    #expect(error?.status == 64)
    #expect(error?.message == "the name of a FILE is empty; see logstats --help")
  }

  @Test(arguments: [
    (["--top"], "--top wants a value: 1 to 1000"), (["--top", ""], "--top wants 1 to 1000, not \"\""),
    (["--top="], "--top wants 1 to 1000, not \"\""), (["--top=5=6"], "--top wants 1 to 1000, not \"5=6\""),
    (["--json=5"], "unknown option --json=5"), (["--top", "+5"], "--top wants 1 to 1000, not \"+5\""),
  ])
  func misuseSaysWhatToWrite(arguments: [String], message: String) {
    let error = #expect(throws: ExitError.self) { try Options(arguments) }
    #expect(error?.message == message + "; see logstats --help")
  }

  @Test(arguments: [("1s", 1), ("90s", 90), ("2h", 7200), ("24h", 86_400), ("1440m", 86_400)])
  func durations(text: String, seconds: Int) throws {
    #expect(try Options(["--window", text]).window == seconds)
  }

  @Test(arguments: [
    ["--frob"], ["-x"], ["--window"], ["--window", "10"], ["--window", "0s"],
    ["--window", "-1s"], ["--window", "+1s"],
    ["--window", "25h"], ["--window", "s"], ["--window", "1d"], ["--window", "9999999999999999999s"],
    ["--top"],
    ["--top", "0"], ["--top", "many"], ["--top", "1001"], ["--follow"],
  ])
  func misuseNamesTheCulprit(arguments: [String]) {
    let error = #expect(throws: ExitError.self) { try Options(arguments) }
    #expect(error?.status == 64)
    #expect(error?.message.contains(arguments[0]) == true)
    #expect(error?.message.contains("\n") == false)
  }
}
