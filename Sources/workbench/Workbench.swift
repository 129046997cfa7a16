// SPDX-License-Identifier: Apache-2.0
@main enum Workbench {
  static func main() {}
}
