// SPDX-License-Identifier: Apache-2.0
#if !TOOLCHAIN
  import ConnectionAPI
  import Foundation
  import LessonServer
  import Locking

  /// What enters the cache and what comes from it.
  func addConnectionStores(to probes: Probes) {
    let willCache = "nsurlconnectiondatadelegate/connection(_:willcacheresponse:)"
    func requests(keeping: Bool) -> (notes: String, requests: Int) {
      let server = server()
      let url = address(server, "/cached?control=max-age%3D60")
      let first = CachingListener()
      first.keeps = keeping
      _ = connect(URLRequest(url: url), first)
      _ = connect(URLRequest(url: url))
      return (first.notes.words, server.log.settled(within: .seconds(20)).requests(for: "/cached").count)
    }
    probes.addConnection(
      "cache-order", "willCacheResponse: when it is called", rule: "It comes between the data and the end.",
      at: willCache, wants: "send, response, data, cache, finish"
    ) { requests(keeping: true).notes }
    probes.addConnection(
      "cache-kept", "a response that may be stored, loaded twice", rule: "The second comes from the cache.",
      at: "nsurlrequest/cachepolicy/useprotocolcachepolicy", wants: "1 request"
    ) { requests(keeping: true).requests == 1 ? "1 request" : "2 requests" }
    probes.addConnection(
      "cache-refused", "willCacheResponse answers nil, loaded twice", rule: "Nothing is stored.", at: willCache,
      wants: "2 requests"
    ) { requests(keeping: false).requests == 1 ? "1 request" : "2 requests" }
  }

  /// Where the delegate is called.
  func addConnectionPlaces(to probes: Probes) {
    let schedule = "schedule(in:formode:)"
    probes.addConnection(
      "mode-default", "started in its initializer, the loop in another mode, then in the default one",
      rule: "It is scheduled in the default mode of the creating thread’s loop, and nowhere else.",
      at: "init(request:delegate:)", wants: "none; send, response, data, finish"
    ) {
      let server = server()
      let listener = ConnectionListener()
      let connection = NSURLConnection(request: URLRequest(url: address(server, "/1k")), delegate: listener)
      let before = inMode("other", server)
      let words = listener.notes.words
      turn { listener.isOver }
      connection?.cancel()
      return before == "finish" ? "\(words); \(listener.notes.words)" : before
    }
    probes.addConnection(
      "schedule-mode", "schedule(in:forMode:) with a mode of one’s own", rule: "The delegate is called in that mode.",
      at: schedule, wants: "finish"
    ) { inMode("own", server()) }
    probes.addConnection(
      "schedule-loop", "schedule(in:forMode:) with another thread’s loop",
      rule: "The delegate is called on that loop’s thread.", at: schedule, wants: "that thread"
    ) { OtherThread().place(of: server()) }
    probes.addConnection(
      "queue", "setDelegateQueue(_:)", rule: "The delegate is called on the queue; no loop runs.",
      at: "setdelegatequeue(_:)", wants: "on the queue: send, response, data, finish"
    ) {
      let queue = OperationQueue()
      let listener = ConnectionListener()
      let elsewhere = Locked(0)
      listener.whenCalled = { _, _ in if OperationQueue.current !== queue { elsewhere.withLock { $0 += 1 } } }
      let connection = unstarted(server(), "/1k", listener)
      connection?.setDelegateQueue(queue)
      connection?.start()
      _ = listener.notes.hasEnded.wait(timeout: .now() + patience)
      return (elsewhere.withLock { $0 } == 0 ? "on the queue: " : "elsewhere: ") + listener.notes.words
    }
  }

  /// When a load begins.
  func addConnectionLives(to probes: Probes) {
    probes.addConnection(
      "not-started", "startImmediately: false, and no start()", rule: "Nothing is loaded before start().",
      at: "init(request:delegate:startimmediately:)", wants: "requests: 0; none"
    ) {
      let server = server()
      let listener = ConnectionListener()
      let connection = unstarted(server, "/1k", listener)
      _ = connect(URLRequest(url: address(server, "/ok")))
      let words =
        "requests: \(server.log.settled(within: .seconds(20)).requests(for: "/1k").count); \(listener.notes.words)"
      connection?.cancel()
      return words
    }
    probes.addConnection(
      "start-twice", "start() of a connection that has started", rule: "It has no effect.", at: "start()",
      wants: "requests: 1; send, response, data, finish"
    ) {
      let server = server()
      let listener = ConnectionListener()
      let connection = unstarted(server, "/1k", listener)
      connection?.start()
      connection?.start()
      turn { listener.isOver }
      return "requests: \(server.log.settled(within: .seconds(20)).requests(for: "/1k").count); \(listener.notes.words)"
    }
  }

  /// What comes after `cancel()`, and how long the delegate is held.
  func addConnectionEnds(to probes: Probes) {
    probes.addConnection(
      "cancel", "cancel() before a call has come", rule: "No more calls come.", at: "cancel()", wants: "none"
    ) {
      let server = server()
      let listener = ConnectionListener()
      NSURLConnection(request: URLRequest(url: address(server, "/1k")), delegate: listener)?.cancel()
      _ = connect(URLRequest(url: address(server, "/ok")))
      return listener.notes.words
    }
    probes.addConnection(
      "cancel-within", "cancel() from within the response’s call", rule: "No more calls come.", at: "cancel()",
      wants: "send, response"
    ) {
      let server = server()
      let listener = ConnectionListener()
      listener.whenCalled = { name, connection in if name == "response" { connection.cancel() } }
      let connection = NSURLConnection(request: URLRequest(url: address(server, "/1k")), delegate: listener)
      turn { listener.notes.words.contains("response") }
      _ = connect(URLRequest(url: address(server, "/ok")))
      withExtendedLifetime(connection) {}
      return listener.notes.words
    }
    probes.addConnection(
      "delegate-held", "the delegate, which only the connection holds", rule: "It is held until the load has ended.",
      at: "init(request:delegate:)", wants: "finish, then released"
    ) { held(server()) }
  }

  // MARK: - Helpers

  private func unstarted(_ server: LessonServer, _ path: String, _ listener: ConnectionListener) -> NSURLConnection? {
    NSURLConnection(
      request: URLRequest(url: address(server, path)), delegate: listener, startImmediately: false)
  }

  /// Loads with the loop of this thread in a mode of that name alone; the last call, or `none`.
  private func inMode(_ name: String, _ server: LessonServer) -> String {
    let listener = ConnectionListener()
    let connection = unstarted(server, "/1k", listener)
    connection?.schedule(in: .current, forMode: RunLoop.Mode(name))
    connection?.start()
    turn(RunLoop.Mode(name)) { listener.isOver }
    return listener.notes.words.components(separatedBy: ", ").last ?? "none"
  }

  private func held(_ server: LessonServer) -> String {
    let released = DispatchSemaphore(value: 0)
    let words = Locked("no end")
    let isOver = Locked(false)
    func begin() {
      let listener = ConnectionListener()
      listener.released = released
      listener.whenCalled = { name, _ in
        words.withLock { $0 = name }
        if name == "finish" { isOver.withLock { $0 = true } }
      }
      _ = NSURLConnection(request: URLRequest(url: address(server, "/1k")), delegate: listener)
    }
    begin()
    let early = released.wait(timeout: .now()) == .success
    turn { isOver.withLock { $0 } }
    let isReleased = released.wait(timeout: .now() + patience) == .success
    return early ? "released early" : words.withLock { $0 } + (isReleased ? ", then released" : ", then held")
  }

  /// A thread with a loop, on which a connection of the main thread is scheduled.
  private final class OtherThread: @unchecked Sendable {
    // Sendable: everything that changes is written before a semaphore is signalled and read after it was waited for.
    private var loop: RunLoop?
    private var id = pthread_self()
    private let hasLoop = DispatchSemaphore(value: 0)
    private let mayRun = DispatchSemaphore(value: 0)

    func place(of server: LessonServer) -> String {
      let listener = ConnectionListener()
      let threads = Locked<Set<String>>([])
      listener.whenCalled = { _, _ in
        let isThere = pthread_equal(pthread_self(), self.id) != 0
        threads.withLock { _ = $0.insert(isThere ? "that thread" : "another thread") }
      }
      let thread = Thread { [self] in
        (loop, id) = (RunLoop.current, pthread_self())
        hasLoop.signal()
        mayRun.wait()
        RunLoop.current.run()
      }
      thread.start()
      hasLoop.wait()
      guard let loop, let connection = unstarted(server, "/1k", listener) else { return "no loop" }
      connection.schedule(in: loop, forMode: .default)
      connection.start()
      mayRun.signal()
      _ = listener.notes.hasEnded.wait(timeout: .now() + patience)
      return threads.withLock { $0.sorted().joined(separator: ", ") }
    }
  }
#endif
