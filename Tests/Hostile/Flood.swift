// SPDX-License-Identifier: Apache-2.0
// Asks the lesson server without end, over many connections, and reads no answer.
// Outcome: overLimit
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    let head = "GET /ok HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Filler: \(String(repeating: "x", count: 500))\r\n\r\n"
    let many = Array(String(repeating: head, count: 50).utf8)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(app.url.port ?? 0)).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var answers = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      let connected = withUnsafePointer(to: &address) { place in
        place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard connected == 0 else { continue }
      for _ in 0..<20 {
        send(socket, many, many.count, Int32(MSG_NOSIGNAL))
        recv(socket, &answers, answers.count, 0)
      }
      close(socket)
    }
  }
}
