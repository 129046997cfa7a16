// SPDX-License-Identifier: Apache-2.0
#if !TOOLCHAIN
  import ConnectionAPI
  import Foundation
  import LessonServer

  private let delegatePage = "nsurlconnectiondatadelegate"

  /// The order of the calls, by what happens to the load.
  func addConnectionOrders(to probes: Probes) {
    func order(_ id: String, _ member: String, _ wanted: String, _ request: @escaping () -> URLRequest) {
      probes.addConnection(
        "order-\(id)", "order of the delegate’s calls: \(member)", rule: "In this order: \(wanted).", at: delegatePage,
        wants: wanted
      ) { connect(request()).notes.words }
    }
    order("data", "a body", "send, response, data, finish") { get("/1k") }
    order("empty", "204", "send, response, finish") { get("/status/204") }
    order("404", "404", "send, response, data, finish") { get("/status/404") }
    order("redirect", "a redirect", "send, redirect, response, data, finish") { get("/redirect/302?to=/1k") }
    order("upload", "a body is sent", "send, sent, response, data, finish") { post(address(server(), "/upload")) }
    order("refused", "no server at the port", "send, fail -1004") {
      URLRequest(url: URL(string: "http://127.0.0.1:9/") ?? address(server(), "/"))
    }
    order("timeout", "a server that never answers, after the request’s time-out", "send, fail -1001") {
      var request = get("/never")
      request.timeoutInterval = 1
      return request
    }
    probes.addConnection(
      "order-download", "order of a download delegate’s calls", rule: "In this order: written, file.",
      at: "nsurlconnectiondownloaddelegate", wants: "written, file"
    ) { download("/1k").notes.words }
    probes.addConnection(
      "download-file", "the file of a download, while the delegate is called",
      rule: "It holds the whole body.",
      at: "nsurlconnectiondownloaddelegate/connectiondidfinishdownloading(_:destinationurl:)",
      wants: "1024 bytes"
    ) { download("/1k").file }
    probes.addConnection(
      "download-written", "bytes written of bytes expected, at last", rule: "They are those of the whole body.",
      at: "nsurlconnectiondownloaddelegate/connection(_:didwritedata:totalbyteswritten:expectedtotalbytes:)",
      wants: "1024 of 1024"
    ) { download("/1k").written }
  }

  /// What the delegate's answers lead to.
  func addConnectionAnswers(to probes: Probes) {
    let willSend = delegatePage + "/connection(_:willsend:redirectresponse:)"
    probes.addConnection(
      "redirect-refused", "willSend answers nil to a redirect", rule: "The redirect’s own response is the result.",
      at: willSend, wants: "302, send, redirect, response, data, finish"
    ) {
      let listener = ConnectionListener()
      listener.answer = { request, response in response == nil ? request : nil }
      _ = connect(get("/redirect/302?to=/1k"), listener)
      return "\(listener.status), \(listener.notes.words)"
    }
    probes.addConnection(
      "request-changed", "willSend answers with another request", rule: "The changed request is sent.", at: willSend,
      wants: "b"
    ) {
      let server = server()
      let listener = ConnectionListener()
      listener.answer = { request, _ in
        var changed = request
        changed.setValue("b", forHTTPHeaderField: "X-A")
        return changed
      }
      _ = connect(URLRequest(url: address(server, "/echo")), listener)
      return server.log.settled(within: .seconds(20)).requests(for: "/echo").last?["X-A"] ?? "none"
    }
    probes.addConnection(
      "current-request", "originalRequest and currentRequest behind a redirect",
      rule: "The original request stays, the current one is the one that was sent last.", at: "currentrequest",
      wants: "/redirect/302, /1k"
    ) {
      let listener = ConnectionListener()
      var words = "no response"
      listener.whenCalled = { name, connection in
        guard name == "response" else { return }
        words = "\(connection.originalRequest.url?.path ?? ""), \(connection.currentRequest.url?.path ?? "")"
      }
      _ = connect(get("/redirect/302?to=/1k"), listener)
      return words
    }
  }

  /// The callbacks and questions of a connection that sends a body.
  func addConnectionUploads(to probes: Probes) {
    probes.addConnection(
      "sent", "didSendBodyData: bytes sent of bytes expected, at last", rule: "They are those of the whole body.",
      at: delegatePage + "/connection(_:didsendbodydata:totalbyteswritten:totalbytesexpectedtowrite:)", wants: "4 of 4"
    ) { connect(post(address(server(), "/upload"))).sent }
    probes.addConnection(
      "new-stream", "needNewBodyStream: a stream behind a 307",
      rule: "A stream that has to be sent again is asked for, and the new one is sent.",
      at: delegatePage + "/connection(_:neednewbodystream:)", wants: "asked, 4 bytes"
    ) {
      let server = server()
      var request = post(address(server, "/redirect/307?to=/upload"))
      request.httpBody = nil
      request.httpBodyStream = InputStream(data: Data("body".utf8))
      let words = connect(request).notes.words
      let bytes = server.log.settled(within: .seconds(20)).requests(for: "/upload").last?.bodyBytes
      return "\(words.contains("stream") ? "asked" : "not asked"), \(bytes ?? 0) bytes"
    }
  }

  /// Who answers a challenge.
  func addConnectionChallenges(to probes: Probes) {
    let older = "nsurlconnectiondelegate/connection(_:canauthenticateagainstprotectionspace:)"
    func calls(_ listener: ConnectionCalls) -> String {
      let notes = connect(get("/basic"), listener).notes.words.components(separatedBy: ", ")
      let asked = notes.filter { ["can", "older challenge", "challenge"].contains($0) }
      return "\(listener.status): " + (asked.isEmpty ? "none" : asked.joined(separator: ", "))
    }
    probes.addConnection(
      "challenge", "401 with Basic, a delegate with all methods for challenges",
      rule: "connection(_:willSendRequestFor:) is called, and none of the older methods.",
      at: "nsurlconnectiondelegate/connection(_:willsendrequestfor:)", wants: "200: challenge"
    ) { calls(ModernListener()) }
    probes.addConnection(
      "challenge-older", "401 with Basic, a delegate with the older methods",
      rule: "It is asked whether it can authenticate, then for a credential.", at: older,
      wants: "200: can, older challenge"
    ) { calls(OlderListener()) }
    probes.addConnection(
      "challenge-none", "401 with Basic, a delegate without a method for challenges",
      rule: "Without a credential the 401 is the response.", at: older, wants: "401: none"
    ) { calls(ConnectionListener()) }
    probes.addConnection(
      "credential-storage", "connectionShouldUseCredentialStorage(_:)",
      rule: "It is called before any attempt to authenticate.",
      at: "nsurlconnectiondelegate/connectionshouldusecredentialstorage(_:)", wants: "storage before challenge"
    ) {
      let notes = connect(get("/basic"), ModernListener()).notes.words.components(separatedBy: ", ")
      guard let storage = notes.firstIndex(of: "storage") else { return "not called" }
      return storage < notes.firstIndex(of: "challenge") ?? 0 ? "storage before challenge" : "storage later"
    }
  }

  private func get(_ path: String) -> URLRequest { URLRequest(url: address(server(), path)) }

  private func download(_ path: String) -> DownloadListener {
    let listener = DownloadListener()
    let connection = NSURLConnection(request: get(path), delegate: listener)
    turn { listener.isOver }
    connection?.cancel()
    return listener
  }
#endif
