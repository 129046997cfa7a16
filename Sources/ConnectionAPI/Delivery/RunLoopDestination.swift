// SPDX-License-Identifier: Apache-2.0
@preconcurrency import CoreFoundation
import Foundation
import Locking
import URLLoading

/// Brings callbacks to run loops: one source, in every scheduled (loop, mode). The first loop that runs it takes what
/// waits, so each callback comes once however many places there are.
final class RunLoopDestination: CallbackDestination {
  private let places = Locked<[RunLoopPlace]>([])
  private let source: CFRunLoopSource
  private let performer: Performer

  init() {
    performer = Performer()
    source = performer.makeSource()
  }

  deinit {
    CFRunLoopSourceInvalidate(source)
  }

  /// The places in words.
  var phrase: String {
    let phrases = places.withLock { $0 }.map(\.phrase)
    return phrases.isEmpty ? "no run loop" : phrases.joined(separator: " or ")
  }

  /// Adds a place, unless it is there already.
  func add(_ runLoop: RunLoop, _ mode: RunLoop.Mode) {
    guard !places.withLock({ $0 }).contains(where: { $0.runLoop === runLoop && $0.mode == mode }) else { return }
    let place = RunLoopPlace(source, in: runLoop, mode)
    places.withLock { $0.append(place) }
  }

  /// Removes a place; one that was never added is no mistake.
  func remove(_ runLoop: RunLoop, _ mode: RunLoop.Mode) {
    let gone = places.withLock({ $0 }).first { $0.runLoop === runLoop && $0.mode == mode }
    guard let gone else { return }
    places.withLock { $0.removeAll { $0 === gone } }
    gone.leave()
  }

  /// Whether this is the one place there is.
  func isOnly(_ runLoop: RunLoop, _ mode: RunLoop.Mode) -> Bool {
    let places = places.withLock { $0 }
    return places.count == 1 && places[0].runLoop === runLoop && places[0].mode == mode
  }

  /// Leaves every place for good.
  func close() {
    performer.mailbox.withLock { $0 = nil }
    let left = places.withLock { places in
      defer { places = [] }
      return places
    }
    CFRunLoopSourceInvalidate(source)
    for place in left { place.leave() }
  }

  func schedule(_ mailbox: CallbackMailbox) {
    performer.mailbox.withLock { $0 = mailbox }
    // The signal first: a place that attaches meanwhile adds a source that is signalled already.
    CFRunLoopSourceSignal(source)
    for place in places.withLock({ $0 }) { place.wake() }
  }
}

/// What the source calls on the thread whose loop runs it. CFRunLoop holds it as long as it holds the source.
private final class Performer: Sendable {
  let mailbox = Locked<CallbackMailbox?>(nil)

  func makeSource() -> CFRunLoopSource {
    var context = CFRunLoopSourceContext()
    context.info = Unmanaged.passUnretained(self).toOpaque()
    context.retain = { info in
      info.map { UnsafeRawPointer(Unmanaged<Performer>.fromOpaque($0).retain().toOpaque()) }
    }
    context.release = { info in
      if let info { Unmanaged<Performer>.fromOpaque(info).release() }
    }
    context.perform = { info in
      guard let info else { return }
      Unmanaged<Performer>.fromOpaque(info).takeUnretainedValue().mailbox.withLock { $0 }?.drain()
    }
    return CFRunLoopSourceCreate(nil, 0, &context)
  }
}
