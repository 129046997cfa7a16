// SPDX-License-Identifier: Apache-2.0

extension ClaimTable {
  static let note5: [Row] = [
    row("N5-01", 15, says: "willSendRequest:redirectResponse: is called on a redirect.", .qualified),
    row("N5-02", 13, says: "didReceiveResponse follows the parsed headers and can repeat.", .confirmed),
    row("N5-03", 13, 14, says: "didReceiveData comes never or often, always after the first response.", .confirmed),
    row("N5-04", 14, says: "didFail can come at any stage and is then the last message.", .confirmed),
    row("N5-05", 14, says: "Finish and failure exclude each other.", .confirmed),
    row(
      "N5-06", 16,
      says: "needNewBodyStream replays a streamed body; without it the whole stream is copied first.",
      .qualified, "it is copied while it is sent, into a file"),
    row("N5-07", 16, says: "Upload progress can fall back when the body is sent again.", .confirmed),
    row("N5-08", 19, says: "willCacheResponse can change or refuse the cached response.", .confirmed),
    row("N5-09", 10, says: "Threads of dispatch and operation queues have no run loop.", .confirmed),
    row("N5-10", 10, 11, says: "Scheduling explicitly on the main run loop works from any thread.", .confirmed),
    row("N5-11", 12, says: "Or on a run loop of another thread made for it.", .confirmed),
    row(
      "N5-12", 27,
      says: "Large transfers: the asynchronous form keeps memory small.",
      .qualified, "only when written piece by piece"),
    row("N5-13", 17, says: "Requests that need authentication should use the delegate form.", .confirmed),
    row("N5-14", 27, says: "Progress needs the delegate form.", .confirmed),
    row("N5-15", 3, says: "For simple requests in the background the delegate form is too much.", .confirmed),
  ]
}
