// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Exercises

@Suite(.timeLimit(.minutes(1))) struct SaveWatchTests {
  private func firstEvent(_ folder: URL) async -> SaveWatch.Event? {
    let keyboard = Pipe()
    let watch = SaveWatch(polling: false, keyboard: keyboard.fileHandleForReading.fileDescriptor)
    watch.add(folder)
    var events = watch.events().makeAsyncIterator()
    let first = await events.next()
    // The thread of the watch ends with its keyboard.
    try? keyboard.fileHandleForWriting.close()
    while await events.next() != nil {}
    withExtendedLifetime(keyboard) {}
    return first
  }

  @Test func `where the kernel takes no watch, it says every half second that a file may have been saved`() async {
    #expect(await firstEvent(URL(fileURLWithPath: "/nowhere/at/all")) == .saved)
  }
}
