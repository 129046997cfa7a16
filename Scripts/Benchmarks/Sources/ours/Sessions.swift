// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import SessionAPI

/// 500 sessions that load once, beside so many open descriptors.
func besideDescriptors(_ url: URL, count: Int) throws -> Outcome {
  let descriptors = (0..<count).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
  defer { for descriptor in descriptors { close(descriptor) } }
  guard descriptors.allSatisfy({ $0 >= 0 }) else { throw Usage() }
  return try sessions(url, count: 500, loads: true)
}

/// Sessions that are made and kept. With `loads` each loads once, after the one before it.
func sessions(_ url: URL, count: Int, loads: Bool) throws -> Outcome {
  var sessions: [URLSession] = []
  var bytes: Int64 = 0
  for _ in 0..<count {
    let delegate = Discarding(pausing: 0)
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    sessions.append(session)
    guard loads else { continue }
    session.dataTask(with: url).resume()
    bytes += try delegate.wait().bytes
  }
  guard bytes == (loads ? 1024 * Int64(count) : 0) else { throw Usage() }
  return Outcome(transfers: sessions.count, bytes: 0)
}
