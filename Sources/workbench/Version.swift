// SPDX-License-Identifier: Apache-2.0

/// The workbench's own version, as `workbench --version` prints it.
enum Version {
  static let text = "0.1.0"
}
