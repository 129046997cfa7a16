// SPDX-License-Identifier: Apache-2.0
@unsafe @preconcurrency import CoreFoundation
public import Foundation
import Locking
import Timeline

/// One source in several (loop, mode) pairs: a signal makes the first loop that runs it call `perform`, once however
/// many places there are. Signals coalesce. A loop that holds it stays alive.
///
/// A module of its own, because members of Glibc's types vanish in a module that imports CoreFoundation.
public final class RunLoopSource: Sendable {
  private let places = Locked<[RunLoopPlace]>([])
  private let source: CFRunLoopSource
  private let performer: Performer

  /// A source that calls `perform` on the thread whose loop runs it.
  public init(_ perform: @escaping @Sendable () -> Void) {
    performer = Performer(perform)
    source = performer.makeSource()
  }

  deinit {
    CFRunLoopSourceInvalidate(source)
  }

  /// The places in words.
  public var phrase: String {
    let phrases = places.withLock { $0 }.map(\.phrase)
    return phrases.isEmpty ? "no run loop" : phrases.joined(separator: " or ")
  }

  /// The first of its loops that runs, else the first, as the destination tells it.
  var loopSeen: LoopSeen? {
    let seen = places.withLock { $0 }.map(\.loopSeen)
    return seen.first { $0.state == .serving } ?? seen.first { $0.state == .elsewhere } ?? seen.first
  }

  /// Adds a place, unless it is there already.
  public func add(_ runLoop: RunLoop, _ mode: RunLoop.Mode) {
    guard !places.withLock({ $0 }).contains(where: { $0.runLoop === runLoop && $0.mode == mode }) else { return }
    let place = RunLoopPlace(source, in: runLoop, mode)
    places.withLock { $0.append(place) }
  }

  /// Removes a place; one that was never added is no error.
  public func remove(_ runLoop: RunLoop, _ mode: RunLoop.Mode) {
    let gone = places.withLock({ $0 }).first { $0.runLoop === runLoop && $0.mode == mode }
    guard let gone else { return }
    places.withLock { $0.removeAll { $0 === gone } }
    gone.detach()
  }

  /// True if this is the one place there is.
  public func isOnly(_ runLoop: RunLoop, _ mode: RunLoop.Mode) -> Bool {
    let places = places.withLock { $0 }
    return places.count == 1 && places[0].runLoop === runLoop && places[0].mode == mode
  }

  /// Leaves every place for good and releases `perform`, which is not called again.
  public func close() {
    let last = performer.perform.withLock { $0.take() }
    _ = last
    let left = places.withLock { places in
      defer { places = [] }
      return places
    }
    CFRunLoopSourceInvalidate(source)
    for place in left { place.detach() }
  }

  /// Makes one loop call `perform`, soon. Any thread.
  public func signal() {
    // The signal first: a place that attaches meanwhile adds a source that is signalled already.
    CFRunLoopSourceSignal(source)
    for place in places.withLock({ $0 }) { place.wake() }
  }
}

/// The object that the source calls on the thread whose loop runs it. CFRunLoop holds it as long as it holds the source.
private final class Performer: Sendable {
  let perform: Locked<(@Sendable () -> Void)?>

  init(_ perform: @escaping @Sendable () -> Void) {
    self.perform = Locked(perform)
  }

  func makeSource() -> CFRunLoopSource {
    var context = unsafe CFRunLoopSourceContext()
    unsafe context.info = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe context.retain = { info in
      unsafe info.map { unsafe UnsafeRawPointer(Unmanaged<Performer>.fromOpaque($0).retain().toOpaque()) }
    }
    unsafe context.release = { info in
      if let info = unsafe info { unsafe Unmanaged<Performer>.fromOpaque(info).release() }
    }
    unsafe context.perform = { info in
      guard let info = unsafe info else { return }
      unsafe Unmanaged<Performer>.fromOpaque(info).takeUnretainedValue().perform.withLock { $0 }?()
    }
    return unsafe CFRunLoopSourceCreate(nil, 0, &context)
  }
}
