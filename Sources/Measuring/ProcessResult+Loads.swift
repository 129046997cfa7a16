// SPDX-License-Identifier: Apache-2.0

extension ProcessResult {
  /// The method and address of the load with this number; empty where it is not among those that are kept.
  public func name(ofLoad number: UInt64) -> String {
    guard let load = loads.first(where: { $0.number == number }) else { return "" }
    return [load.method, load.url].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
