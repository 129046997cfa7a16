// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import Glibc
import LessonKit

/// Two programs of one run that meet, and one that must not meet them. They know of one another by files in the run's
/// folder, around their own.
struct Meeting {
  private let app: ExampleContext
  private let place: URL

  init(_ app: ExampleContext) {
    self.app = app
    place = app.scratch.deletingLastPathComponent()
  }

  /// Waits until the other one is there, which opens the pipe's other end, and asks the server once.
  func come(as name: String, _ end: Int32) {
    print(lock(LOCK_SH) ? "room for others" : "somebody is alone here")
    let pipe = place.appendingPathComponent("pipe").path
    mkfifo(pipe, 0o600)
    _ = open(pipe, end)  // fifo(7): returns when the other end is opened, too
    let request = URLRequest(url: app.url("/json?who=\(name)"))
    _ = try? NSURLConnection.sendSynchronousRequest(request, returning: nil)
  }

  func comeAlone() { print(lock(LOCK_EX) ? "alone" : "somebody is here") }

  /// Takes the lock until the process ends; false where others have it who do not share it.
  private func lock(_ kind: Int32) -> Bool {
    let file = open(place.appendingPathComponent("meeting").path, O_RDWR | O_CREAT, 0o600)
    return file >= 0 && flock(file, kind | LOCK_NB) == 0
  }
}
