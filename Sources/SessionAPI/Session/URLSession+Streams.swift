// SPDX-License-Identifier: Apache-2.0
import Foundation
import URLLoading

extension URLSession {
  func makeStreamTask(_ hostname: String, _ port: Int) -> URLSessionStreamTask {
    let host = hostname.contains(":") ? "[\(hostname)]" : hostname
    let isHost = !hostname.isEmpty && !hostname.utf8.contains { $0 <= 32 || "/?#@\\".utf8.contains($0) }
    let url = isHost && (1...65_535).contains(port) ? URL(string: "http://\(host):\(port)/") : nil
    let course = StreamCourse()
    var order = TaskOrder(
      request: URLRequest(url: url ?? URL(fileURLWithPath: "/")), receiver: .link(course), showsRequest: false,
      use: .bytes)
    if url == nil {
      order.refusal = LoadError.error(
        .cannotFindHost, url: nil, description: "There is no host '\(hostname.prefix(80))' with a port \(port).")
    }
    return make(order) { order, identifier, session, context in
      URLSessionStreamTask(order, identifier: identifier, session: session, context: context, course: course)
    }
  }
}
