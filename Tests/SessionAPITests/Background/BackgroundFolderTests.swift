// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import TestSupport
import Testing

/// BG-56: what a session leaves behind.
@Suite(.serialized) struct BackgroundFolderTests {
  @Test func `the folder of a session goes when its last transfer, cancelled at any moment, has ended (BG-56)`()
    async throws
  {
    let bench = try await BackgroundBench()
    for round in 0..<100 {
      let identifier = "round \(round)"
      let folder = bench.place.places.folder(of: identifier)
      let client = try await TalkClient(bench.place, identifier: identifier)
      let task = TalkClient.task(bench.url)
      try client.say(.start(task))
      // The file of the body appears at about that time, and goes with the cancel.
      try await eventually { FileManager.default.fileExists(atPath: folder.appending(path: Journal.name).path) }
      try client.say(.cancel(task.key))
      client.close()
      try await eventually { !FileManager.default.fileExists(atPath: folder.path) }
    }
    try await bench.isDone()
  }
}
