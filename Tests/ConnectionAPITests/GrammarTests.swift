// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite struct GrammarTests {
  @Test(arguments: ["wrf", "wwwrddf", "wrdde", "we", "wre", "wsswnsrdf", "wnse", "wrdrrdf"]) func `A.4 a whole load`(
    calls: String
  ) {
    #expect(Grammar.isWhole(calls))
  }

  @Test(arguments: [
    "", "w", "wr", "wrd", "rf", "wf", "wrfe", "wrff", "wrdfd", "wrdfr", "wdrf", "wrwf", "wef", "srf", "wrsf", "wrndf",
  ])
  func `A.4 no whole load`(calls: String) {
    #expect(!Grammar.isWhole(calls))
  }

  @Test(arguments: ["", "w", "ww", "wr", "wrdd", "wrdf", "we", "wrdr"]) func `A.4 the beginning of a load`(
    calls: String
  ) {
    #expect(Grammar.isBegun(calls))
  }

  @Test(arguments: ["r", "wd", "wf", "wrfd", "wrds"]) func `A.4 no beginning of a load`(calls: String) {
    #expect(!Grammar.isBegun(calls))
  }
}
