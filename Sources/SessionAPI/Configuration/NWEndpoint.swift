// SPDX-License-Identifier: Apache-2.0

/// The address of a server, under the name that Apple's Network framework has for it.
///
/// Difference from Apple: a host with a port is the only form, and it is no more than the value that ``ProxyConfiguration``
/// takes; there is no framework behind it.
public enum NWEndpoint: Sendable, Hashable, CustomDebugStringConvertible {
  /// A host and one of its ports.
  case hostPort(host: Host, port: Port)

  /// Host and port with a colon between them, or with a point behind an IPv6 address.
  public var debugDescription: String {
    switch self {
    case .hostPort(let host, let port): host.name + (host.name.contains(":") ? "." : ":") + "\(port.rawValue)"
    }
  }

  /// A host's name or address.
  ///
  /// Difference from Apple: a structure, for the kinds of addresses are not told apart.
  public struct Host: Sendable, Hashable, ExpressibleByStringLiteral, CustomDebugStringConvertible {
    let name: String

    /// The host of this name or address, an IPv6 address without brackets. Nothing is looked up, and nothing checked: a
    /// load through a proxy at what can be no host ends with -1004.
    public init(_ string: String) {
      name = string
    }

    /// The same of a literal.
    public init(stringLiteral value: String) {
      self.init(value)
    }

    /// Its name or address.
    public var debugDescription: String { name }
  }

  /// A port, 0 to 65535.
  public struct Port: Sendable, Hashable, RawRepresentable, ExpressibleByIntegerLiteral, CustomDebugStringConvertible {
    /// Its number.
    public let rawValue: UInt16

    /// 80.
    public static let http: Port = 80
    /// 443.
    public static let https: Port = 443
    /// 1080.
    public static let socks: Port = 1080

    /// The port of this number; never nil, as on Apple's systems.
    public init?(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    /// The port whose decimal number this is; nil for all else. Difference from Apple: names of services are not looked up.
    public init?(_ service: String) {
      guard let number = UInt16(service) else { return nil }
      rawValue = number
    }

    /// The port of this number.
    public init(integerLiteral value: UInt16) {
      rawValue = value
    }

    /// Its number in decimal.
    public var debugDescription: String { "\(rawValue)" }
  }
}
