// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite struct GrammarTests {
  @Test(arguments: ["wrf", "wwwrddf", "wrdde", "we", "wre", "wsswnsrdf", "wnse", "wrdrrdf"]) func `a whole load (A.4)`(
    calls: String
  ) {
    #expect(Grammar.isWhole(calls))
  }

  @Test(arguments: [
    "", "w", "wr", "wrd", "rf", "wf", "wrfe", "wrff", "wrdfd", "wrdfr", "wdrf", "wrwf", "wef", "srf", "wrsf", "wrndf",
  ])
  func `no whole load (A.4)`(calls: String) {
    #expect(!Grammar.isWhole(calls))
  }

  @Test(arguments: ["", "w", "ww", "wr", "wrdd", "wrdf", "we", "wrdr"]) func `the beginning of a load (A.4)`(
    calls: String
  ) {
    #expect(Grammar.isBegun(calls))
  }

  @Test(arguments: ["r", "wd", "wf", "wrfd", "wrds"]) func `no beginning of a load (A.4)`(calls: String) {
    #expect(!Grammar.isBegun(calls))
  }

  @Test func `what the watch lets pass, and what not (A.4)`() {
    func isTaken(_ calls: [(String, String)]) -> Bool {
      var course = GrammarWatch.Course()
      return calls.allSatisfy { course.take($0.0, $0.1) }
    }
    let (ask, response) = (("connection(_:willSend:redirectResponse:)", ""), ("connection(_:didReceive:)", "response"))
    let (data, end) = (("connection(_:didReceive:)", "data"), ("connectionDidFinishLoading(_:)", ""))
    #expect(isTaken([ask, ask, response, data, data, response, data, end]))
    #expect(isTaken([data, end]))
    #expect(!isTaken([response, ask]))
    #expect(!isTaken([ask, end, end]))
    #expect(!isTaken([end, data]))
    #expect(!isTaken([data, ("connection(_:willSendRequestFor:)", "")]))
  }
}
