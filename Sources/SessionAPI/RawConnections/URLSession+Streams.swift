// SPDX-License-Identifier: Apache-2.0
import Foundation
import URLLoading

extension URLSession {
  func makeStreamTask(_ hostname: String, _ port: Int) -> URLSessionStreamTask {
    let host = hostname.contains(":") ? "[\(hostname)]" : hostname
    let isHost = !hostname.isEmpty && !hostname.utf8.contains { $0 <= 32 || "/?#@\\".utf8.contains($0) }
    let url = isHost && (1...65_535).contains(port) ? URL(string: "http://\(host):\(port)/") : nil
    let driver = StreamDriver()
    var specification = TaskSpecification(
      request: URLRequest(url: url ?? URL(fileURLWithPath: "/")), receiver: .rawConnection(driver), showsRequest: false,
      use: .bytes)
    if url == nil {
      specification.refusal = LoadError.error(
        .cannotFindHost, url: nil, description: "There is no host '\(hostname.prefix(80))' with a port \(port).")
    }
    return make(specification) { specification, identifier, session, context in
      URLSessionStreamTask(specification, identifier: identifier, session: session, context: context, driver: driver)
    }
  }
}
