// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SessionAPI

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
