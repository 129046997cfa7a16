// SPDX-License-Identifier: Apache-2.0

/// Carries a value across threads where the compiler cannot know that this is safe; each use says why it is.
struct Unchecked<Value>: @unchecked Sendable {
  // Sendable: by the proof at each place of use.
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
