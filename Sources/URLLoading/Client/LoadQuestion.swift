// SPDX-License-Identifier: Apache-2.0

/// Names one question that a load has put to its client; the answer names it in turn, so that a late answer to an earlier
/// question of the same kind, or a second one, is none to the question that is open.
package struct LoadQuestion: Sendable {
  let number: Int
}
