// SPDX-License-Identifier: Apache-2.0
import LessonKit
import LessonServer
import Timeline

/// Emits what an API would for a load of the run's body in four pieces, on the calling thread.
struct LoadByHand {
  func run() -> @Sendable (ExampleContext) -> Void {
    { context in
      let size = 4096
      let body = SeededBody(seed: 5).bytes(0..<Int64(size))
      let load = Timeline.nextSubject()
      emit(load, "connection(_:didReceive:)", "response", .response(status: 200, expectedLength: Int64(size)))
      body.withUnsafeBytes { bytes in
        for start in stride(from: 0, to: size, by: 1024) {
          emit(
            load, "connection(_:didReceive:)", "data",
            .bytes(UnsafeRawBufferPointer(rebasing: bytes[start..<start + 1024])))
        }
      }
      emit(load, "connectionDidFinishLoading(_:)", "", .success)
    }
  }

  private func emit(_ load: UInt64, _ name: String, _ detail: String, _ payload: TimelineEvent.Payload) {
    Timeline.emit(.callback(name: name, detail: detail), subject: load, payload: payload)
  }
}
