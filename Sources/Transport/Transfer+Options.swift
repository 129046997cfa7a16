// SPDX-License-Identifier: Apache-2.0
import CCurl
import Glibc
import HTTPRules

/// The options a transfer sets before it begins.
extension Transfer {
  /// Bytes of the receive buffer. libcurl hands out at most 16 KiB at a time whatever its buffer, but reads as much from
  /// the socket as the buffer holds. Memory of the buffer that is never written to is never resident.
  private static let receiveBuffer = 64 * 1024
  private static let sendBuffer = 64 * 1024

  func configure(_ handle: EasyHandle) {
    handle.transfer = self
    if !handle.isPrepared { prepare(handle) }
    handle.setURL(pool.lastRequest.parsedURL(request.url))
    configurePeer(handle)
    configureProxy(handle)
    configureMessage(handle)
    configureTarget(handle)
    configureUse(handle)
    configureLogin(handle)
  }

  /// libcurl owns such a connection only until it stands, and never shares it. Its server has to speak
  /// HTTP/1.1, which ALPN asks for over TLS.
  private func configureUse(_ handle: EasyHandle) {
    guard request.use != .exchange else { return }
    handle.hasSpecialOptions = true
    handle.set(CURLOPT_CONNECT_ONLY, 1)
    handle.set(CURLOPT_FRESH_CONNECT, 1)
    handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    if request.use == .bytes { handle.set(CURLOPT_SSL_ENABLE_ALPN, 0) }
    handle.set(CURLOPT_PIPEWAIT, 0)
  }

  /// Sets the options that are the same for every request to an origin.
  private func prepare(_ handle: EasyHandle) {
    handle.isPrepared = true
    let context = unsafe UnsafeRawPointer(Unmanaged.passUnretained(handle).toOpaque())
    unsafe handle.set(CURLOPT_PRIVATE, pointer: context)
    _ = unsafe workbench_easy_allow_http_only(handle.raw)
    handle.set(CURLOPT_NOSIGNAL, 1)
    handle.set(CURLOPT_PATH_AS_IS, 1)
    // Without these libcurl would ask the environment, which has a variable for each.
    handle.set(CURLOPT_PROXY, "")
    handle.set(CURLOPT_NOPROXY, "")
    handle.set(CURLOPT_BUFFERSIZE, Self.receiveBuffer)
    unsafe handle.set(CURLOPT_HEADERDATA, pointer: context)
    unsafe handle.set(CURLOPT_HEADERFUNCTION, Self.headerCallback)
    unsafe handle.set(CURLOPT_WRITEDATA, pointer: context)
    unsafe handle.set(CURLOPT_WRITEFUNCTION, Self.writeCallback)
    unsafe handle.set(CURLOPT_DEBUGDATA, pointer: context)
    _ = unsafe workbench_easy_set_debug_callback(handle.raw, Self.debugCallback)
    unsafe handle.set(CURLOPT_PREREQDATA, pointer: context)
    _ = unsafe workbench_easy_set_prereq_callback(handle.raw, Self.prereqCallback)
    // libcurl's own would be inherited by a child that the process starts.
    _ = unsafe workbench_easy_open_sockets_close_on_exec(handle.raw)
    unsafe handle.set(CURLOPT_SOCKOPTDATA, pointer: context)
    _ = unsafe workbench_easy_set_sockopt_callback(handle.raw, Self.sockoptCallback)
    unsafe handle.set(CURLOPT_CLOSESOCKETDATA, pointer: Unmanaged.passUnretained(pool.thread).toOpaque())
    _ = unsafe workbench_easy_set_closesocket_callback(handle.raw, Self.closesocketCallback)
    unsafe handle.set(CURLOPT_RESOLVER_START_DATA, pointer: context)
    _ = unsafe workbench_easy_set_resolver_start_callback(handle.raw, Self.resolverStartCallback)
    if request.isSecure { configureSecurity(handle) }
  }

  private func configureSecurity(_ handle: EasyHandle) {
    handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    handle.set(CURLOPT_SSLVERSION, request.versions.curlValue)
    // With HTTP/2, requests that come while the first connection is being made share it.
    handle.set(CURLOPT_PIPEWAIT, 1)
    unsafe handle.set(CURLOPT_SSL_CTX_DATA, pointer: Unmanaged.passUnretained(handle).toOpaque())
    handle.canJudgePeers =
      unsafe workbench_easy_set_ssl_context_callback(handle.raw, Self.securityCallback) == CURLE_OK
    if let authorities = pool.authorities {
      handle.setAuthorities(authorities)
    } else if SystemAuthorities.shared.areKnown {
      // `judgePeer` gives the connection what was read, and libcurl reads nothing.
      unsafe handle.set(CURLOPT_CAINFO, pointer: nil)
      unsafe handle.set(CURLOPT_CAPATH, pointer: nil)
      // libcurl keeps the store of the first connection, and 7.88 puts it into each later context behind `judgePeer`.
      handle.set(CURLOPT_CA_CACHE_TIMEOUT, 0)
    } else if let file = unsafe getenv("SSL_CERT_FILE") {
      unsafe handle.set(CURLOPT_CAINFO, String(cString: file))
    }
  }

  /// Sets the options that a policy for one certificate, or for none, changes. Such a connection takes up no earlier session
  /// and leaves none behind, since a session that is taken up again shows no certificate (CVE-2016-5419, TL-19).
  private func configurePeer(_ handle: EasyHandle) {
    guard let keys = request.peerPolicy.pinnedKeys else { return }
    handle.set(CURLOPT_PINNEDPUBLICKEY, keys)
    handle.set(CURLOPT_SSL_SESSIONID_CACHE, 0)
    handle.set(CURLOPT_PIPEWAIT, 0)
    // The name is the judge's business: libcurl would refuse a certificate that the client has accepted as it is.
    if case .only(_, verifies: false) = request.peerPolicy { handle.set(CURLOPT_SSL_VERIFYHOST, 0) }
  }

  private func configureMessage(_ handle: EasyHandle) {
    handle.hasSpecialOptions =
      reader != nil || request.method != "GET" || request.peerPolicy != .verify || request.proxy != nil
    switch (request.method, reader) {
    case ("GET", nil): break
    case ("HEAD", nil): handle.set(CURLOPT_NOBODY, 1)
    case (let method, nil):
      handle.set(CURLOPT_CUSTOMREQUEST, method)
    case (let method, let reader?):
      configureBody(handle, reader)
      handle.set(CURLOPT_CUSTOMREQUEST, method)
    }
    let isPlain = request.decodesContent && request.proxy == nil && reader == nil
    handle.setHeaders(
      isPlain ? pool.lastRequest.plainHeaderList(request) { headerLines } : pool.lastRequest.headerList(headerLines))
  }

  /// Sends the escapes of the URL as the program wrote them, which signatures of URLs and Digest depend on: libcurl 8.20 and
  /// later write them in upper case (RFC 3986 section 6.2.2.1).
  private func configureTarget(_ handle: EasyHandle) {
    guard handle.url?.hasLowercaseEscapes == true else { return }
    handle.hasSpecialOptions = true
    let isForwarded = request.proxy?.kind == .http && !isTunnelled
    handle.set(CURLOPT_REQUEST_TARGET, isForwarded ? request.absoluteTarget : request.target)
  }

  private func configureBody(_ handle: EasyHandle, _ reader: BodyReader) {
    let context = unsafe UnsafeRawPointer(Unmanaged.passUnretained(handle).toOpaque())
    handle.mustNotBeKept = true
    handle.set(CURLOPT_UPLOAD, 1)
    handle.set(CURLOPT_INFILESIZE_LARGE, offset: reader.length ?? -1)
    unsafe handle.set(CURLOPT_READDATA, pointer: context)
    unsafe handle.set(CURLOPT_READFUNCTION, Self.readCallback)
    unsafe handle.set(CURLOPT_SEEKDATA, pointer: context)
    _ = unsafe workbench_easy_set_seek_callback(handle.raw, Self.seekCallback)
    if reader.length ?? .max > 64 * 1024 { handle.set(CURLOPT_UPLOAD_BUFFERSIZE, Self.sendBuffer) }
  }

  /// A field without a value ends with a semicolon, and one with a colon alone takes libcurl's own field away
  /// (CURLOPT_HTTPHEADER).
  var headerLines: [String] {
    var lines = request.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    if request.decodesContent, !request.fields.contains(where: { $0.isNamed("accept-encoding") }) {
      lines.append(request.isSecure ? "Accept-Encoding: gzip, deflate, br" : "Accept-Encoding: gzip, deflate")
    }
    if reader != nil, !request.fields.contains(where: { $0.isNamed("expect") }) {
      // Waiting a second for a 100 that most servers never send is of no use; Apple's loader does not ask for it.
      lines.append("Expect:")
    }
    return isTunnelled ? lines : lines + proxyLines
  }
}
