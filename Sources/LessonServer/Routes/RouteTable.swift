// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The routes of one server, ready to be found: fixed responses rendered once, sequences with their counter.
final class RouteTable: Sendable {
  /// A route with what the server keeps about it.
  final class Bound: Sendable {
    let route: Route
    /// The whole response where every request gets the same, for GET and for HEAD.
    let fixed: Fixed?
    private let served = Atomic<Int>(0)

    init(_ route: Route) {
      self.route = route
      fixed = Fixed(route)
    }

    /// The script for a request, or nil where only a function of the request can tell.
    func nextScript() -> Script? {
      switch route.answer {
      case .script(let script): return script
      case .sequence(let scripts):
        let turn = served.add(1, ordering: .relaxed).oldValue
        return scripts.isEmpty ? Script([.end(.fin)]) : scripts[min(turn, scripts.count - 1)]
      case .function, .early: return nil
      }
    }
  }

  /// Response bytes that never change.
  struct Fixed: Sendable {
    let status: Int
    let get: [UInt8]
    let head: [UInt8]

    init?(_ route: Route) {
      guard case .script(let script) = route.answer, script.readsBodyFirst, script.steps.count == 1,
        case .response(let response) = script.steps[0], case .length = response.framing
      else { return nil }
      status = response.status
      head = response.head
      switch response.body {
      case .none: get = head
      case .bytes(let bytes): get = response.mayHaveBody ? head + bytes : head
      case .seeded: return nil
      }
    }
  }

  private let exact: [String: [Bound]]
  private let prefixes: [(prefix: String, bound: Bound)]

  init(_ routes: [Route]) {
    let bound = routes.map(Bound.init)
    exact = Dictionary(grouping: bound.filter { !$0.route.path.hasSuffix("*") }) { $0.route.path }
    prefixes = bound.filter { $0.route.path.hasSuffix("*") }
      .map { (String($0.route.path.dropLast()), $0) }
      .sorted { $0.0.utf8.count > $1.0.utf8.count }
  }

  /// The route that answers a request whose Host names no server of this machine's own: a page whose name leads here
  /// (DNS rebinding) would read whatever the routes tell, as if the server were its own.
  static let misdirected = Bound(
    Route(
      "/*",
      script: .response(.text("The lesson server answers to 127.0.0.1 and localhost, not to this Host.\n", 421))))

  /// The route for a request.
  func find(_ head: RequestHead) -> Bound? {
    head.isForLoopback ? find(method: head.method, path: head.path) : Self.misdirected
  }

  /// The route for a method and path: an exact path before a prefix, a long prefix before a short one.
  private func find(method: String, path: String) -> Bound? {
    func fits(_ bound: Bound) -> Bool {
      guard let wanted = bound.route.method else { return true }
      return wanted == method
    }
    if let found = exact[path]?.first(where: fits) { return found }
    return prefixes.first { path.hasPrefix($0.prefix) && fits($0.bound) }?.bound
  }
}
