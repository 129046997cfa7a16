// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc
import Locking
import Pitfalls
import Timeline

/// The recording of this whole program that its environment asks for: `WORKBENCH_RECORD` names the Unix socket of a reader,
/// `WORKBENCH_PITFALLS` lets the program itself say on standard error what pitfalls it falls into. A program that runs with
/// more rights than its user heeds neither.
package enum ProgramRecording {
  /// How often a printer reads, so that the ring does not fill, and at which of these turns the recorder looks at loops.
  private static let pause: useconds_t = 5_000
  private static let turnsALook = 10

  /// Begins the recording where the environment asks for one; each call but the first costs next to nothing. Called where
  /// the first connection or session is made.
  package static func beginOnce() { _ = hasBegun }

  private static let hasBegun: Bool = {
    guard !Timeline.isRecording else { return false }
    let path = variable("WORKBENCH_RECORD")
    if !path.isEmpty, let ring = join(path) { return begin(RingRecorder(ring), printer: nil) }
    guard !["", "0"].contains(variable("WORKBENCH_PITFALLS")), let ring = EventRing() else { return false }
    return begin(RingRecorder(ring), printer: PitfallPrinter(ring))
  }()

  private static func variable(_ name: String) -> String {
    unsafe workbench_own_variable(name).map { unsafe String(cString: $0) } ?? ""
  }

  private static func join(_ path: String) -> EventRing? {
    var file: Int32 = -1
    guard unsafe workbench_join_ring(path, &file) >= 0 else { return nil }
    defer { close(file) }
    return EventRing(file: file)
  }

  private static let current = Locked<(recorder: RingRecorder, printer: PitfallPrinter?)?>(nil)

  private static func begin(_ recorder: RingRecorder, printer: PitfallPrinter?) -> Bool {
    current.withLock { $0 = (recorder, printer) }
    Timeline.install(recorder)
    // A child shares the ring: what it does belongs to no recording, unless it executes a program that begins one.
    workbench_in_forked_child { Timeline.stopInForkedChild() }
    atexit { ProgramRecording.end() }
    let thread = Thread {
      Timeline.libraryThreadBegan()
      while !recorder.ring.isLeft {
        for _ in 0..<turnsALook {
          usleep(printer == nil ? pause * useconds_t(turnsALook) : pause)
          printer?.say(upTo: recorder.now)
          if printer == nil { break }
        }
        recorder.catchUp()
        Timeline.look()
      }
      Timeline.install(nil)
    }
    thread.name = "url-recorder"
    thread.stackSize = 256 << 10
    thread.start()
    return true
  }

  private static func end() {
    guard Timeline.isRecording, let (recorder, printer) = current.withLock({ $0 }) else { return }
    Timeline.look(isAtEnd: true)
    printer?.say(upTo: recorder.now)
    recorder.end()
    Timeline.install(nil)
    printer?.finish(at: recorder.now)
  }
}
