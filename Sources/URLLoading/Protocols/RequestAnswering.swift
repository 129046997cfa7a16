// SPDX-License-Identifier: Apache-2.0
package import FoundationNetworking

/// A class of a program's own that answers requests in place of HTTP: a subclass of the toolchain's `URLProtocol`, or of one
/// that an API declares over its own tasks. Loads know no more of it, so that one class can serve both APIs.
///
/// A `ProtocolSource` makes all these calls on its queue; only `wants(_:of:)` may come on any thread.
package protocol RequestAnswering: AnyObject, SendableMetatype {
  /// True if the class wants a request of `client`, which is nil where nothing is loaded yet.
  static func wants(_ request: URLRequest, of client: (any LoadClient)?) -> Bool
  /// An instance for a request that the class wants, whose client passes on to `source` what it brings.
  static func answering(_ request: URLRequest, of client: (any LoadClient)?, telling source: ProtocolSource) -> Self
  func startLoading()
  func stopLoading()
}

extension URLProtocol: RequestAnswering {
  package static func wants(_ request: URLRequest, of client: (any LoadClient)?) -> Bool { canInit(with: request) }

  package static func answering(
    _ request: URLRequest, of client: (any LoadClient)?, telling source: ProtocolSource
  ) -> Self {
    self.init(request: canonicalRequest(for: request), cachedResponse: nil, client: ToolchainProtocolClient(source))
  }
}
