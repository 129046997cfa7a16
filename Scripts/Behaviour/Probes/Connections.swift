// SPDX-License-Identifier: Apache-2.0
import Foundation

#if TOOLCHAIN
  /// The toolchain has no NSURLConnection.
  func addConnections(to probes: Probes) {}
#else
  import ConnectionAPI
  import LessonServer
  import Locking

  /// NSURLConnection: its class methods, the order of its delegate's calls, and where and when they come.
  func addConnections(to probes: Probes) {
    addClassLoads(to: probes)
    addConnectionOrders(to: probes)
    addConnectionAnswers(to: probes)
    addConnectionUploads(to: probes)
    addConnectionChallenges(to: probes)
    addConnectionStores(to: probes)
    addConnectionPlaces(to: probes)
    addConnectionLives(to: probes)
    addConnectionEnds(to: probes)
  }

  extension Probes {
    /// Adds one about NSURLConnection; `path` is the page below that of the class, or one of another class.
    func addConnection(
      _ id: String, _ member: String, rule: String, at path: String, wants wanted: String...,
      ask: @escaping () -> String
    ) {
      add(
        Probe(
          id: "connection.\(id)", feature: "NSURLConnection", member: member, rule: rule,
          source: page(path.hasPrefix("nsurl") ? path : "nsurlconnection/\(path)"), wanted: wanted, ask: ask))
    }
  }

  /// Runs this thread's loop in `mode` until `isOver`, as long as there is patience, or until nothing is scheduled there.
  func turn(_ mode: RunLoop.Mode = .default, until isOver: () -> Bool) {
    let limit = Date(timeIntervalSinceNow: patience)
    while !isOver(), limit.timeIntervalSinceNow > 0, RunLoop.current.run(mode: mode, before: limit) {}
  }

  /// Loads on this thread's loop with that delegate, and answers it.
  func connect<Listener: ConnectionCalls>(_ request: URLRequest, _ listener: Listener) -> Listener {
    let connection = NSURLConnection(request: request, delegate: listener)
    turn { listener.isOver }
    connection?.cancel()
    return listener
  }

  func connect(_ request: URLRequest) -> ConnectionListener { connect(request, ConnectionListener()) }

  func post(_ url: URL, _ body: String = "body") -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data(body.utf8)
    return request
  }

  // MARK: - Class methods

  private func addClassLoads(to probes: Probes) {
    let (sync, queued) = (
      "sendsynchronousrequest(_:returning:)", "sendasynchronousrequest(_:queue:completionhandler:)"
    )
    probes.addConnection(
      "sync", "sendSynchronousRequest: what it returns",
      rule: "It blocks and returns the body; the response is passed out.",
      at: sync, wants: "200, 1024 bytes"
    ) { synchronous(URLRequest(url: address(server(), "/1k"))) }
    probes.addConnection(
      "sync-404", "sendSynchronousRequest: 404", rule: "A status is a response and no error.", at: sync,
      wants: "404, 4 bytes"
    ) { synchronous(URLRequest(url: address(server(), "/status/404"))) }
    probes.addConnection(
      "sync-refused", "sendSynchronousRequest: no server at the port", rule: "It throws cannotConnectToHost, -1004.",
      at: sync, wants: "-1004"
    ) { synchronous(URLRequest(url: URL(string: "http://127.0.0.1:9/") ?? address(server(), "/"))) }
    probes.addConnection(
      "sync-no-cache", "sendSynchronousRequest: only from the cache, which is empty",
      rule: "It throws resourceUnavailable, -1008.", at: "nsurlrequest/cachepolicy/returncachedatadontload",
      wants: "-1008"
    ) {
      synchronous(
        URLRequest(url: address(server(), "/1k"), cachePolicy: .returnCacheDataDontLoad, timeoutInterval: 8))
    }
    probes.addConnection(
      "async-queue", "sendAsynchronousRequest: where the handler runs", rule: "It runs on the queue.", at: queued,
      wants: "on the queue, 200, 1024 bytes"
    ) { asynchronous(URLRequest(url: address(server(), "/1k"))) }
    probes.addConnection(
      "async-refused", "sendAsynchronousRequest: no server at the port",
      rule: "The handler gets an error, cannotConnectToHost, -1004, and no data.", at: queued,
      wants: "on the queue, -1004"
    ) { asynchronous(URLRequest(url: URL(string: "http://127.0.0.1:9/") ?? address(server(), "/"))) }
    addSchemes(to: probes)
  }

  private func addSchemes(to probes: Probes) {
    for (scheme, wanted) in [("http", "true"), ("https", "true"), ("unknown", "false")] {
      probes.addConnection(
        "can-handle-\(scheme)", "canHandle(_:) of a request for \(scheme)",
        rule: "It answers whether a protocol is there for the request.", at: "canhandle(_:)", wants: wanted
      ) { URL(string: "\(scheme)://host/").map { "\(NSURLConnection.canHandle(URLRequest(url: $0)))" } ?? "no URL" }
    }
  }

  private func synchronous(_ request: URLRequest) -> String {
    var response: URLResponse?
    do {
      let data = try NSURLConnection.sendSynchronousRequest(request, returning: &response)
      return "\((response as? HTTPURLResponse)?.statusCode ?? 0), \(data.count) bytes"
    } catch {
      return "\((error as NSError).code)"
    }
  }

  private func asynchronous(_ request: URLRequest) -> String {
    let words = Locked("no end")
    let hasEnded = DispatchSemaphore(value: 0)
    let queue = OperationQueue()
    NSURLConnection.sendAsynchronousRequest(request, queue: queue) { response, data, error in
      let place = OperationQueue.current === queue ? "on the queue" : "elsewhere"
      let end = End(data: data, response: response, error: error)
      words.withLock { $0 = "\(place), \(end.words)" + (data.map { ", \($0.count) bytes" } ?? "") }
      hasEnded.signal()
    }
    _ = hasEnded.wait(timeout: .now() + patience)
    return words.withLock { $0 }
  }
#endif
