// SPDX-License-Identifier: Apache-2.0
import Foundation
import Timeline
import URLLoading

/// One load of one request, reported to a delegate on run loops or an operation queue.
///
/// **Where callbacks run.** A connection that starts in its initializer is scheduled on the creating thread's run loop
/// in the default mode and nowhere else: no callback comes while that loop does not run, or runs in another mode. To
/// choose, create it with `startImmediately: false`, call `schedule(in:forMode:)` or `setDelegateQueue(_:)`, then
/// `start()`. A loop that holds a connection stays alive until the connection has ended. Bytes move on a thread of the
/// library's own whatever the loops do, up to 1 MiB that waits for the delegate.
///
/// **Order.** Calls come one at a time, each once, also when the connection is scheduled in several places or on a
/// concurrent queue: see `NSURLConnectionDataDelegate`.
///
/// **Life.** A connection loads once. While it loads it keeps itself alive; dropping the last reference does not
/// cancel. It holds its delegate from its creation until it has finished, failed or been cancelled, then lets go. So a
/// delegate that owns a connection which is neither started nor cancelled is never released.
///
/// **Time.** The request's `timeoutInterval` counts silence, not the whole: a server that sends a byte now and then keeps a
/// connection for ever. A program that wants a total time calls `cancel()` when it is over.
///
/// **Differences from Apple's class.** It may be used from any thread, and says so by being `Sendable`. A data delegate
/// is always asked before the first request (`connection(_:willSend:redirectResponse:)`). In place of the system's
/// settings the environment names proxies (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`), read at the first
/// load; this machine itself is never reached through one.
open class NSURLConnection: NSObject, @unchecked Sendable {
  // Sendable: both stored properties are constants, and the load keeps its state behind a lock.

  private let firstRequest: URLRequest
  let load: ConnectionLoad

  /// A copy of the request the connection was created with. It never changes.
  open var originalRequest: URLRequest { firstRequest }

  /// A connection that never loads anything, and whose request has no URL: for classes that stand in for connections, in
  /// tests above all. Apple's class inherits this initializer.
  public override init() {
    var request = URLRequest(url: URL(fileURLWithPath: "/"))
    request.url = nil
    firstRequest = request
    load = ConnectionLoad(request, delegate: nil)
    super.init()
    load.cancel()
  }

  /// A connection for `request`, started or not.
  /// - Parameters:
  ///   - request: What to load. It is copied; later changes have no effect.
  ///   - delegate: Gets the calls; held strongly until the end. An object that conforms to neither delegate protocol,
  ///     or nil, gets none; the load runs all the same.
  ///   - startImmediately: true starts on the calling thread's run loop in the default mode. false schedules nowhere.
  /// - Returns: nil when the request has no URL. Whatever else is wrong with it is reported as a failure.
  public init?(request: URLRequest, delegate: Any?, startImmediately: Bool) {
    guard request.url != nil else { return nil }
    firstRequest = request
    load = ConnectionLoad(request, delegate: delegate)
    super.init()
    Load.tellMade(startImmediately ? .connection : .waitingConnection, of: request, subject: load.subject)
    if startImmediately { load.start(self) }
  }

  /// A connection for `request` that starts at once, on the calling thread's run loop in the default mode.
  /// - Returns: nil when the request has no URL.
  public init?(request: URLRequest, delegate: Any?) {
    guard request.url != nil else { return nil }
    firstRequest = request
    load = ConnectionLoad(request, delegate: delegate)
    super.init()
    Load.tellMade(.connection, of: request, subject: load.subject)
    load.start(self)
  }

  func askLegacy(_ delegate: any NSURLConnectionDelegate, _ challenge: URLAuthenticationChallenge) {
    load.askLegacy(delegate, self, challenge)
  }

  /// Class, address and original request, as on Apple's systems. Difference from Apple: without a user's name and password in
  /// the URL.
  open override var description: String {
    var shown = originalRequest
    shown.url = shown.url.map(LoadError.withoutUser)
    return "\(super.description) { request: \((shown as NSURLRequest).description) }"
  }

  /// The request that is on its way: the original one until the delegate answers with another or a redirect is
  /// followed.
  open var currentRequest: URLRequest { load.currentRequest }

  /// True if there is a protocol for the request: its scheme is http, https, data or file, or a class that was given to
  /// `URLProtocol.registerClass(_:)` accepts it. This method asks those classes at once, on the calling thread. Says
  /// nothing about whether the host can be reached, and holds until a class is registered or taken back.
  open class func canHandle(_ request: URLRequest) -> Bool {
    guard let scheme = request.url?.scheme?.lowercased() else { return false }
    return ["http", "https", "data", "file"].contains(scheme)
      || RegisteredProtocols.all.contains { $0.wants(request, of: nil) }
  }

  /// Starts the load. Without a schedule and a queue it takes the calling thread's run loop in the default mode. No
  /// effect on a connection that has started, ended or been cancelled.
  open func start() {
    load.start(self)
  }

  /// Ends the load without a further call and releases the delegate. No effect once the load has ended; a connection
  /// that has not started never will.
  ///
  /// Called where callbacks run, which includes from within any of them, nothing follows. Called elsewhere, at most the
  /// call that is under way finishes.
  open func cancel() {
    load.cancel()
  }

  /// Delivers callbacks on this run loop in this mode; called several times, in each of the places. The first place
  /// that runs takes a callback: each comes once.
  ///
  /// Call it before the start. Later it has no effect, which is noted on standard error. Together with
  /// `setDelegateQueue(_:)` it is an error that ends the program with a sentence of ours; Apple names none.
  open func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
    load.schedule(in: aRunLoop, mode)
  }

  /// Takes back a `schedule(in:forMode:)`. Before the start; later it has no effect, which is noted on standard error.
  /// For a place that was never scheduled nothing happens.
  open func unschedule(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
    load.unschedule(from: aRunLoop, mode)
  }

  /// Delivers callbacks as operations on this queue, one at a time also where the queue is concurrent; no run loop is
  /// involved. nil takes it back, before the start.
  ///
  /// After a start that took the starting thread's run loop, and before the first callback, delegate methods do run
  /// on the queue from then on, but each event still passes through that loop in the default mode first: while
  /// the loop does not run, or runs in another mode, nothing comes. Apple does not describe this; it is what programs
  /// observe. Otherwise the call has no effect after the start, which is noted on standard error. Together with
  /// `schedule(in:forMode:)` it is an error that ends the program.
  open func setDelegateQueue(_ queue: OperationQueue?) {
    load.setDelegateQueue(queue)
  }
}
