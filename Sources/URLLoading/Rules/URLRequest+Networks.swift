// SPDX-License-Identifier: Apache-2.0
public import FoundationNetworking

/// The properties that Apple's `URLRequest` has and the toolchain's has not. A program that sets these compiles; the value has
/// no place to keep what is set, so each reads as Apple's default, and none has an effect.
extension URLRequest {
  /// True if an expensive network may be used. Always true: Linux does not say what a network costs. What is set is dropped.
  public var allowsExpensiveNetworkAccess: Bool {
    get { true }
    set { _ = newValue }
  }

  /// True if a network may be used that is to be used sparingly. Always true: Linux knows none such. What is set is dropped.
  public var allowsConstrainedNetworkAccess: Bool {
    get { true }
    set { _ = newValue }
  }

  /// True if the server is taken to speak HTTP/3 before it has said so. Always false: HTTP/3 is not spoken here. What is
  /// set is dropped.
  public var assumesHTTP3Capable: Bool {
    get { false }
    set { _ = newValue }
  }

  /// True if a name counts only with proof from DNSSEC. Always false: the system resolves names, and whether it wants proof
  /// is set there (`resolvectl`). What is set is dropped.
  public var requiresDNSSECValidation: Bool {
    get { false }
    set { _ = newValue }
  }
}

/// The properties that Apple's `NSURLRequest` and `NSMutableURLRequest` have and the toolchain's have not: as in `URLRequest`,
/// each reads as Apple's default and has no effect. They can be set here in either class, where Apple has that in the second
/// alone: an extension cannot override what another one declares.
extension NSURLRequest {
  /// True if an expensive network may be used. Always true: Linux does not tell what a network costs. What is set is dropped.
  public var allowsExpensiveNetworkAccess: Bool {
    get { true }
    set { _ = newValue }
  }

  /// True if a network may be used that is to be used sparingly. Always true: Linux knows none such. What is set is dropped.
  public var allowsConstrainedNetworkAccess: Bool {
    get { true }
    set { _ = newValue }
  }

  /// True if the server is taken to speak HTTP/3 before it has said so. Always false: HTTP/3 is not spoken here. What is
  /// set is dropped.
  public var assumesHTTP3Capable: Bool {
    get { false }
    set { _ = newValue }
  }

  /// True if a name counts only with proof from DNSSEC. Always false: the system resolves names. What is set is dropped.
  public var requiresDNSSECValidation: Bool {
    get { false }
    set { _ = newValue }
  }
}
