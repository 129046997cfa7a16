// SPDX-License-Identifier: Apache-2.0
public import Foundation
import FoundationNetworking
public import URLLoading

/// Answers requests in a program's own way: a subclass says which ones it wants, and brings their responses.
///
/// A session asks the classes of its configuration's `protocolClasses`, `URLSession.shared` those given to
/// `registerClass(_:)`, for each request of a task: first `canInit(with:)` for the task, which asks the one for its request
/// unless a subclass overrides it. The class that wants the request is made by `init(task:cachedResponse:client:)`, then called
/// to start; `stopLoading()` comes once, at the end. A registered class serves `NSURLConnection` as well, without a task.
/// Subclasses of the toolchain's class of this name are taken, too.
///
/// **Threads.** A class is asked on a queue, one question at a time for all sessions. An instance is made, started and stopped
/// on one thread, whose run loop runs in the default mode: what it schedules there comes there, such as a timer or an
/// `NSURLConnection`. All protocols share that thread, one call at a time. Where a call blocks for longer than half a
/// second, those that wait get another thread, so that a protocol may wait for what a second one loads. `client` may be
/// called on any thread, also before `startLoading()` has returned; after `stopLoading()` it has no effect.
///
/// A subclass is made by its type, so both initializers are `required`: one that overrides them says so.
open class URLProtocol: NSObject {
  private let ownRequest: URLRequest
  private let ownCachedResponse: CachedURLResponse?
  private let ownClient: (any URLProtocolClient)?
  /// The task for which the instance was made.
  var ownTask: URLSessionTask?

  /// Loads nothing yet. The client gets what is loaded, and is kept.
  public required init(
    request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
  ) {
    (ownRequest, ownCachedResponse, ownClient) = (request, cachedResponse, client)
    super.init()
  }

  /// The same for a task's current request. A session makes its protocols so; the request is then the one that
  /// `canonicalRequest(for:)` gave.
  public required convenience init(
    task: URLSessionTask, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
  ) {
    self.init(
      request: ShownRequest.of(task) ?? ShownRequest.none, cachedResponse: cachedResponse, client: client)
    ownTask = task
  }

  /// The client that takes the response, the pieces of the body and the end.
  open var client: (any URLProtocolClient)? { ownClient }

  /// The request to be answered, with the address as the program wrote it and the fields that its configuration adds.
  ///
  /// A task's body is in `httpBodyStream`, however it was given, and `httpBody` is nil; so it is for `canInit(with:)`, which
  /// gets a stream of its own where the program gave bytes or a file. A connection's body is as the program gave it. A session
  /// or connection that is given the request again sends the bytes of such a stream with their length, also where it was read.
  ///
  /// A body in memory is a stream of its own each time the property is read, so that who looks at it takes nothing away.
  open var request: URLRequest { ownRequest.withOwnStream }

  /// A response that is known already; nil for what a session makes.
  open var cachedResponse: CachedURLResponse? { ownCachedResponse }

  /// The task whose request is answered; nil for a connection's.
  open var task: URLSessionTask? { ownTask }

  // MARK: For subclasses

  /// True if the class wants the request. false unless overridden.
  open class func canInit(with request: URLRequest) -> Bool { false }

  /// True if the class wants the current request of the task: what `canInit(with:)` says of the request, unless overridden.
  open class func canInit(with task: URLSessionTask) -> Bool {
    ShownRequest.of(task).map { canInit(with: $0) } ?? false
  }

  /// The request in the form in which the class answers it; the same request unless overridden, where Apple's class asks for
  /// an override.
  open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  /// True if a response to one request may answer the other. Unless overridden, whether their URLs are the same in the
  /// class's own form. Nothing here asks: what a protocol brings is not cached.
  open class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool {
    canonicalRequest(for: a).url == canonicalRequest(for: b).url
  }

  /// Begins to answer. A subclass has to override it; a class that does not stops the program.
  open func startLoading() {
    ProgrammerError.stop(
      "URLProtocol", "\(type(of: self)) has no startLoading(). A subclass of URLProtocol has to override it.")
  }

  /// Nothing more is wanted: the answer is whole, failed or was cancelled. Does nothing unless overridden.
  open func stopLoading() {}

  // MARK: Registering

  /// Has a class asked whether it wants a request, before all that were registered earlier: by every `NSURLConnection` and
  /// by `URLSession.shared`, for each request of a load. Other sessions ask the classes of their configuration alone.
  /// - Returns: false for what is no subclass of `URLProtocol`.
  @discardableResult
  open class func registerClass(_ protocolClass: AnyClass) -> Bool { RegisteredProtocols.add(protocolClass) }

  /// Takes a `registerClass(_:)` back. Loads under way are not touched.
  open class func unregisterClass(_ protocolClass: AnyClass) { RegisteredProtocols.remove(protocolClass) }

  // MARK: Marks on requests

  /// Returns the value that `setProperty(_:forKey:in:)` put into the request under this key.
  open class func property(forKey key: String, in request: URLRequest) -> Any? {
    FoundationNetworking.URLProtocol.property(forKey: key, in: request)
  }

  /// Puts a value into the request that is never sent, for instance that a class has seen it already.
  ///
  /// Copies of a protocol's `request` keep it, so that the class finds it in `canInit(with:)` when its own load of the request
  /// comes by. Difference from Apple: a request that a program makes itself, with `NSMutableURLRequest(url:)`, loses it with the
  /// next copy, for the toolchain's requests do not take it along; becoming a `URLRequest` is one.
  open class func setProperty(_ value: Any, forKey key: String, in request: NSMutableURLRequest) {
    FoundationNetworking.URLProtocol.setProperty(value, forKey: key, in: request)
  }

  /// Takes it out again.
  open class func removeProperty(forKey key: String, in request: NSMutableURLRequest) {
    FoundationNetworking.URLProtocol.removeProperty(forKey: key, in: request)
  }
}
