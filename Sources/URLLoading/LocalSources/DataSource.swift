// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking

/// Brings what stands in a `data:` URL.
final class DataSource: LocalSource {
  private let url: URL

  init(_ url: URL) {
    self.url = url
  }

  func start(for load: Load) {
    // Decoding takes as long as the URL is large.
    DispatchQueue.global().async { [self] in
      guard let content = DataURL(url.absoluteString) else {
        let text = "The URL '\(url.absoluteString.prefix(40))' holds no data."
        return load.report(.end(LoadError.error(.badURL, url: url, description: text)), from: self)
      }
      let response = URLResponse(
        url: url, mimeType: content.mediaType, expectedContentLength: content.body.count,
        textEncodingName: content.charset)
      load.report(.response(response), from: self)
      load.report(.body(content.body), from: self)
      load.report(.end(nil), from: self)
    }
  }

  func more(for load: Load) {}

  func stop() {}
}
