// SPDX-License-Identifier: Apache-2.0
import Locking
import Testing
import Timeline

@testable import Delivery

@Suite struct MethodFindingsTests {
  private enum Method: OptionalMethod {
    case began, ended

    static let findings = Locked(MethodFindings<Method>())
    var name: String { "delegate(_:)" }
    var detail: String { self == .began ? "began" : "ended" }
  }

  private final class Delegate {}
  private final class Other {}

  @Test func `a method whose default body ran is not the class's own, and another one is`() {
    var findings = MethodFindings<Method>()
    #expect(findings.isImplemented(.began, by: Delegate()) == nil)
    findings.isMissing(.began, in: Delegate())
    let isOwn = [
      findings.returned(.began, on: Delegate()), findings.returned(.ended, on: Delegate()),
      findings.returned(.began, on: Other()),
    ]
    #expect(isOwn == [false, true, true])
    #expect(findings.isImplemented(.began, by: Delegate()) == false)
    #expect(findings.isImplemented(.ended, by: Delegate()) == true)
  }

  @Test func `a method counts as left out for its class alone, also while nothing records`() {
    Method.began.isLeftOut(by: Delegate())
    #expect(Method.began.isKnownToBeLeftOut(by: Delegate()))
    #expect(Method.began.isKnownToBeLeftOut(by: nil))
    #expect(!Method.ended.isKnownToBeLeftOut(by: Delegate()))
    #expect(!Method.began.isKnownToBeLeftOut(by: Other()))
  }

  @Test func `the event of a method has its name and what distinguishes it`() {
    #expect(Method.ended.event == .callback(name: "delegate(_:)", detail: "ended"))
  }
}
