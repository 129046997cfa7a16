// SPDX-License-Identifier: Apache-2.0
package import URLLoading

/// The settings of a session's configuration for its transfers, and for the agent. The settings of the wire are written
/// beside the rest, under names of their own.
package struct SessionSettings: Codable, Equatable, Sendable {
  package var wire: WireSettings
  /// The program that is started when all tasks have ended and no program has the session; nil for none.
  package var launch: LaunchRecord?
  /// True if they were read from a journal, where their credentials are not. A client gives them again when it connects.
  package var lacksCredentials: Bool?

  private enum Key: CodingKey { case launch, lacksCredentials }

  package init(_ wire: WireSettings) { self.wire = wire }

  package init(from decoder: any Decoder) throws {
    wire = try WireSettings(from: decoder)
    let others = try decoder.container(keyedBy: Key.self)
    launch = try others.decodeIfPresent(LaunchRecord.self, forKey: .launch)
    lacksCredentials = try others.decodeIfPresent(Bool.self, forKey: .lacksCredentials)
  }

  package func encode(to encoder: any Encoder) throws {
    try wire.encode(to: encoder)
    var others = encoder.container(keyedBy: Key.self)
    try others.encodeIfPresent(launch, forKey: .launch)
    try others.encodeIfPresent(lacksCredentials, forKey: .lacksCredentials)
  }

  /// True if transfers are made in the same way.
  package func loadsLike(_ other: SessionSettings) -> Bool {
    wire == other.wire && lacksCredentials == other.lacksCredentials
  }
}
