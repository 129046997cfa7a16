// SPDX-License-Identifier: Apache-2.0

/// A session and its delegate that hold each other, and that nothing else holds: the program let go of a client that is the
/// delegate of its own session, and neither is ever released.
///
/// Found by the counts of their references and by the stored properties of the delegate. Whoever else holds one of the two, a
/// closure of the delegate included, lets it count as held.
enum SessionCycle {
  /// True if `session`, which the caller's variable alone keeps alive for the library, is in such a cycle.
  static func isAlone(_ session: inout URLSession) -> Bool {
    let others = unsafe count(address(session)) - countOfOne
    guard (1...8).contains(others), delegateIsHeldOnce(by: session) else { return false }
    return references(of: session) == others
  }

  // MARK: - How often an object is held

  private final class Held: Sendable {}

  private static let one = [Held()]
  /// The result of `count` for an object that is held once: some builds hold it once more while they look.
  private static let countOfOne = unsafe count(address(one[0]))

  @inline(never) private static func address(_ object: AnyObject) -> UnsafeRawPointer {
    unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
  }

  @inline(never) private static func count(_ address: UnsafeRawPointer) -> Int {
    unsafe Int(clamping: _getRetainCount(Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()))
  }

  /// True if the session alone holds its delegate, once for each of its roles.
  private static func delegateIsHeldOnce(by session: URLSession) -> Bool {
    let roles = session.roles
    let holders = [roles.session != nil, roles.task != nil, roles.data != nil, roles.download != nil].count { $0 }
    guard let delegate = unsafe delegateAddress(roles) else { return false }
    return unsafe count(delegate) - countOfOne + 1 == holders
  }

  @inline(never) private static func delegateAddress(_ roles: DelegateRoles) -> UnsafeRawPointer? {
    unsafe roles.session.flatMap { delegate in delegate is any CustomReflectable ? nil : unsafe address(delegate) }
  }

  /// How often the delegate's stored properties refer to the session, by themselves or by a task of it.
  @inline(never) private static func references(of session: URLSession) -> Int {
    guard let delegate = session.roles.session else { return 0 }
    let mirrors = sequence(first: Mirror(reflecting: delegate), next: \.superclassMirror)
    return mirrors.reduce(0) { sum, mirror in
      sum + mirror.children.count { ($0.value as? URLSession ?? ($0.value as? URLSessionTask)?.session) === session }
    }
  }
}
