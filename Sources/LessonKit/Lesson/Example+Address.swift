// SPDX-License-Identifier: Apache-2.0

extension Example {
  /// The address that the example is given when the lesson server listens on `port` of this machine, with TLS on
  /// `securePort`, and S is `bodyBytes`.
  public func address(port: UInt16, securePort: UInt16, bodyBytes: Int) -> String {
    let secure = Dictionary(uniqueKeysWithValues: Certificate.allCases.map { ($0.rawValue, securePort) })
    return ExampleAddress(resource, bodyBytes: bodyBytes, seed: ExampleAddress.seed, port: port, secure: secure).url
  }
}
