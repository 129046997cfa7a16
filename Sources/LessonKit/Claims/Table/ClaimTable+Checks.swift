// SPDX-License-Identifier: Apache-2.0

extension ClaimTable {
  static let checkRows: [Row] = [
    check(
      "P15-01", 15,
      says: "After 301, 302 and 303 a POST becomes a GET without a body; after 307 and 308 it stays a POST and is "
        + "sent again with its body.",
      .confirmed, .independent),
    check(
      "P15-02", 15,
      says: "A delegate that answers nil makes the redirect itself the result; another request is loaded in place of "
        + "the proposed one.",
      .confirmed, .reproduced),
    check(
      "P15-03", 15, says: "A redirect that leads back to itself ends with an error, here after 20 redirects.",
      .confirmed, .reproduced),
    check(
      "P15-04", 15,
      says: "An Authorization field is not sent to another host, unless the delegate puts it back.",
      .confirmed, .reproduced),
    check(
      "P15-05", 15, says: "A task's delegate is not asked before the first request.",
      .confirmed, .reproduced),
    check(
      "P16-01", 16,
      says: "A task's delegate is asked for the stream of each sending; a connection's for each but the first.",
      .confirmed, .reproduced),
    check(
      "P17-01", 17,
      says: "A delegate that gives the same wrong password again and again is asked again and again. Here the library "
        + "ends that after five answers with the 401; Apple documents no such limit.",
      .confirmed, .reproduced),
    check(
      "P17-02", 17,
      says: "A disposition decides: use a credential, default handling (the 401 is the response), or cancel (the task "
        + "fails).",
      .confirmed, .reproduced),
    check(
      "P18-01", 18,
      says: "A delegate that judges the certificate is the only judge: a pinned certificate keeps out any other, and a "
        + "delegate that accepts everything lets everything in.",
      .confirmed, .reproduced),
    check(
      "P19-01", 19,
      says: "`useProtocolCachePolicy`: a stored response that is still fresh is used, and the server is asked "
        + "otherwise.",
      .confirmed, .reproduced),
    check(
      "P19-02", 19, says: "`reloadIgnoringLocalCacheData`: the server is asked, although a fresh response is stored.",
      .confirmed, .reproduced),
    check(
      "P19-03", 19,
      says: "`reloadIgnoringLocalAndRemoteCacheData`: the server is asked, and `Cache-Control: no-cache` asks "
        + "the caches on the way for a new response.",
      .confirmed, .reproduced),
    check(
      "P19-04", 19,
      says: "`returnCacheDataElseLoad`: a stored response is used at any age; the server is asked only where "
        + "nothing is stored.",
      .confirmed, .reproduced),
    check(
      "P19-05", 19,
      says: "`returnCacheDataDontLoad`: a stored response is used at any age; where nothing is stored the load "
        + "fails, and the server sees no request.",
      .confirmed, .reproduced),
    check(
      "P19-06", 19,
      says: "`reloadRevalidatingCacheData`: the server is always asked, with the validator where a response "
        + "is stored; after a 304 the stored body is used.",
      .confirmed, .reproduced),
    check(
      "P20-01", 20,
      says: "A session's configuration sets the number of connections for a host; over HTTP/2 one connection carries "
        + "all requests.",
      .confirmed, .reproduced),
    check(
      "P22-01", 22,
      says: "A download of a background session goes on after its program was killed; the next process that makes the "
        + "session is given the finished file.",
      .confirmed, .reproduced),
    check(
      "P26-01", 26, says: "A new task is suspended.",
      .confirmed, .reproduced),
    check(
      "P26-02", 26, says: "`resume()` makes a new task running.",
      .confirmed, .reproduced),
    check(
      "P26-03", 26,
      says: "`suspend()` in mid-transfer makes the task suspended, and its count of bytes soon stands still.",
      .confirmed, .reproduced),
    check(
      "P26-04", 26, says: "`resume()` after `suspend()` makes the task running again, and the body arrives whole.",
      .confirmed, .reproduced),
    check(
      "P26-05", 26, says: "`cancel()` makes a suspended task canceling, and it ends without being resumed.",
      .confirmed, .reproduced),
  ]
}
