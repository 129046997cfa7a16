// SPDX-License-Identifier: Apache-2.0
import Glibc
import Locking
import Timeline
import URLLoading

/// Tells a recorder of sessions that the program let go of without an end, and of configurations that it changed in vain.
enum SessionWatch {
  private struct Entry {
    weak var configuration: URLSessionConfiguration?
  }

  private struct State {
    var configurations: [Entry] = []
    var letGo: Set<UInt64> = []
  }

  private static let state = Locked(State())
  private static let isWatching: Void = Timeline.onLook { isAtEnd in look(isAtEnd) }

  /// A session was made of `configuration`, or gave it out: changes to it reach no session from now on.
  static func settle(_ configuration: URLSessionConfiguration) {
    guard Timeline.isRecording else { return }
    _ = isWatching
    configuration.settled.withLock { $0 = configuration.loadConfiguration }
    state.withLock { $0.configurations.append(Entry(configuration: configuration)) }
  }

  private static func look(_ isAtEnd: Bool) {
    tellLetGo(isAtEnd)
    let configurations = state.withLock { state in
      state.configurations.removeAll { $0.configuration == nil }
      return isAtEnd ? state.configurations.compactMap(\.configuration) : []
    }
    for configuration in configurations { configuration.tellChangedLate() }
  }

  /// A session that nothing refers to but the table of living ones does nothing any more, and is not released either. Whether
  /// only its delegate refers to it, `SessionCycle` checks when the program ends, since it reads the delegate's properties. The
  /// callback that let the program end may still be running then, so the look repeats for up to 50 ms.
  private static func tellLetGo(_ isAtEnd: Bool) {
    var (idle, areAll) = letGo(isAtEnd)
    for _ in 0..<10 where isAtEnd && !areAll {
      usleep(5_000)
      (idle, areAll) = letGo(isAtEnd)
    }
    let new = state.withLock { state in
      let new = idle.filter { !state.letGo.contains($0) }
      state.letGo = Set(idle)
      return new
    }
    for subject in new { Timeline.emit(.step(.sessionLetGo(atEnd: isAtEnd)), subject: subject) }
  }

  /// The sessions with a delegate that the program let go of, and whether these are all that there are.
  private static func letGo(_ isAtEnd: Bool) -> (subjects: [UInt64], areAll: Bool) {
    URLSession.living.withLock { living in
      var (subjects, areAll) = ([UInt64](), true)
      for key in Array(living.keys) {
        guard var session = living.removeValue(forKey: key) else { continue }
        defer { living[key] = session }
        guard !session.isShared, session.roles.session != nil else { continue }
        if !session.hasTasks, isKnownUniquelyReferenced(&session) || isAtEnd && SessionCycle.isAlone(&session) {
          subjects.append(session.parts.subject)
        } else {
          areAll = false
        }
      }
      return (subjects, areAll)
    }
  }
}

extension URLSessionConfiguration {
  /// Tells a recorder where the values are others than those that sessions have of it.
  func tellChangedLate() {
    guard Timeline.isRecording, let settled = settled.withLock({ $0.take() }), settled != loadConfiguration else {
      return
    }
    Timeline.emit(.step(.configurationChangedLate), subject: 0)
  }
}

extension URLSession {
  fileprivate var hasTasks: Bool { changing.withLock { !$0.registry.isEmpty } }
}
