// SPDX-License-Identifier: Apache-2.0

extension ClaimTable {
  static let note2: [Row] = [
    row("N2-01", 5, says: "A downloading delegate needs four methods.", .qualified, "all are optional"),
    row("N2-02", 1, says: "The request carries cache policy and timeout.", .confirmed),
    row("N2-03", 14, says: "Loading starts on creation and can be cancelled until the last message.", .confirmed),
    row("N2-04", 1, says: "One initializer creates without starting.", .confirmed),
    row("N2-05", 13, says: "didReceiveResponse can come more than once; data so far must be dropped.", .confirmed),
    row("N2-06", 5, says: "didReceiveData comes repeatedly.", .confirmed),
    row("N2-07", 14, says: "The error carries the URL that failed.", .confirmed),
    row("N2-08", 14, says: "Nothing follows didFailWithError.", .confirmed),
    row("N2-09", 14, says: "Nothing follows connectionDidFinishLoading.", .confirmed),
    row("N2-10", 5, says: "Four phases: connect, response, data, finish.", .confirmed),
    row("N2-11", 5, says: "How many data callbacks come depends on the network.", .confirmed),
    row("N2-12", 5, says: "Delegate methods always run on the main thread.", .refuted),
    row("N2-13", 9, says: "UI animation blocks every phase.", .qualified),
    row(
      "N2-14", 20,
      says: "Many connection objects exist at once, but not as many real connections; the number is unknown.",
      .confirmed, "and the number is now known"),
    row("N2-15", 20, says: "One response is handled to its end before the next begins.", .refuted),
    row(
      "N2-16", 21,
      says: "Suspended halfway, the rest arrives at once on return, or the timeout is reported.",
      .confirmed),
    row("N2-17", 14, says: "Creation can fail.", .qualified),
  ]
}
