// Part of Weir. SPDX-License-Identifier: Apache-2.0

// The functions that programs pass to operators. Both worlds use them: they are not part of what is tested.

/// Several numbers combined into one that shows their order.
func digits(_ numbers: [Int]) -> Int { numbers.reduce(0) { $0 &* 10 &+ $1 } }

/// The remainder that is not negative.
func remainder(_ number: Int, _ divisor: Int) -> Int { (number % divisor + divisor) % divisor }

/// An event as a number.
func number(of event: Happening) -> Int {
  switch event {
  case .value(let value): value &* 2
  case .failed(let code): 100 + code
  case .completed: 200
  }
}
