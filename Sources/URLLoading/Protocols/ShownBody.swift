// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import FoundationNetworking

/// A body in memory, as a program's own protocol sees it: a stream.
///
/// A protocol that sends its request on hands the stream back. It then counts as the bytes that it stands for: it has a length,
/// can be sent twice, and is whole also where the protocol has read it before.
final class ShownBody: InputStream {
  let bytes: Data

  init(_ bytes: Data) {
    self.bytes = bytes
    super.init(data: bytes)
  }
}

extension URLRequest {
  /// The body in memory: the request's own, or what its stream stands for.
  package var bodyInMemory: Data? { (httpBodyStream as? ShownBody)?.bytes ?? httpBody }

  /// A copy whose body, where it is in memory, is an unread stream over the same bytes.
  package var withOwnStream: URLRequest {
    guard let shown = httpBodyStream as? ShownBody else { return self }
    var request = self
    request.httpBodyStream = ShownBody(shown.bytes)
    return request
  }

  /// The body that comes as it is sent, and has no length.
  package var flowingBody: InputStream? {
    httpBodyStream.flatMap { $0 is ShownBody ? nil : $0 }
  }
}
