// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Transport

/// A stream whose request says that it has no bytes. On the I/O thread.
extension Load {
  /// Sends `request` once its stream is known to have none: of a body whose length is 0 libcurl reads no byte.
  func send(_ request: URLRequest, withEmpty stream: BodyStream) {
    let (number, transport) = (beginLookup(), context.transport)
    // The lookup keeps the load, until the stream has answered.
    stream.whenReady { [self, weak stream] in
      guard let stream else { return }
      stream.whenReady {}
      transport.perform { if self.endsLookup(number) { self.send(request, withEmpty: stream) } }
    }
    var byte: UInt8 = 0
    let found = unsafe withUnsafeMutableBytes(of: &byte) { unsafe stream.read(into: $0, at: 0) }
    if case .wait = found { return }
    stream.whenReady {}
    guard endsLookup(number) else { return }
    switch found {
    case .end: transmit(request, .source(StreamBodySource(stream), length: 0))
    case .bytes: fail(request, "The body to be sent is longer than the 0 bytes of its Content-Length.")
    case .failed, .wait: fail(request, "The body to be sent could not be read to its end.")
    }
  }

  private func fail(_ request: URLRequest, _ description: String) {
    end(LoadError.error(.requestBodyStreamExhausted, url: request.url, description: description))
  }
}
