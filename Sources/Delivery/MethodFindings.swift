// SPDX-License-Identifier: Apache-2.0

/// The findings about the methods that the classes of delegates implement.
package struct MethodFindings<Method: OptionalMethod>: Sendable {
  private struct Place: Hashable {
    let type: ObjectIdentifier
    let method: Method

    init(_ method: Method, _ delegate: AnyObject) {
      (type, self.method) = (ObjectIdentifier(Swift.type(of: delegate)), method)
    }
  }

  /// True if a class implements a method, as far as recordings have shown.
  private var recorded: [Place: Bool] = [:]
  private var leftOut: Set<Place> = []

  package init() {}

  /// True if the class implements the method; nil while it is unknown.
  func isImplemented(_ method: Method, by delegate: AnyObject) -> Bool? { recorded[Place(method, delegate)] }

  /// The method has returned: unless its default body has reported it, it is the class's own. Returns whether it is.
  mutating func returned(_ method: Method, on delegate: AnyObject) -> Bool {
    let place = Place(method, delegate)
    let known = recorded[place] ?? true
    recorded[place] = known
    return known
  }

  mutating func isMissing(_ method: Method, in delegate: AnyObject) { recorded[Place(method, delegate)] = false }

  mutating func isLeftOut(_ method: Method, by delegate: AnyObject) { leftOut.insert(Place(method, delegate)) }

  func isKnownToBeLeftOut(_ method: Method, by delegate: AnyObject) -> Bool {
    leftOut.contains(Place(method, delegate))
  }
}
