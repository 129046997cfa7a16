// SPDX-License-Identifier: Apache-2.0

extension Route {
  static let socket = Route(
    "/socket", summary: "a WebSocket that sends messages back: protocol=chat fragment=1KiB"
  ) { request in
    answer {
      let fragment = Int(try request.size("fragment") ?? .max)
      return [.acceptSocket(protocol: request[query: "protocol"]), .echoMessages(fragment: fragment)]
    }
  }
}
