// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 19.
enum Caching {
  private static let fresh = Example.Resource.path("/cached?control=max-age%3D60&etag=v1")

  static let lesson: Lesson = .make(
    19, "caching", "Caching", minutes: 15, connection: connection.besideOthers(),
    session: session.besideOthers(),
    claims: [storagePolicy, willCache], checks: policyChecks,
    pairs: ["protocol", "reload", "reload-all", "else-load", "dont-load", "revalidate"].map {
      .pair("policy-\($0)", "policy-\($0)")
    } + [
      .pair("stored", "stored", "the task's cache is the configuration's own"),
      .pair("refused", "refused", "the task's cache is the configuration's own"),
    ],
    about: .of(
      "requests that reached the server", .requests, wrong: "connection/storage-not-allowed",
      right: "connection/nothing-kept"),
    predict: Prediction(
      "A stored response is stale. Which cache policy uses it without asking the server?",
      answers: [
        "`useProtocolCachePolicy`", "`returnCacheDataElseLoad`", "`reloadRevalidatingCacheData`", "none of these",
      ],
      right: 2, shownBy: "P19-04"))

  private static let policiesOfConnection: [Example] = [
    .connection(
      "policy-protocol", "useProtocolCachePolicy", "PolicyOfConnection", loads: fresh,
      run: PolicyOfConnection.byProtocol),
    .connection(
      "policy-reload", "reloadIgnoringLocalCacheData", "PolicyOfConnection", loads: fresh,
      run: PolicyOfConnection.reload),
    .connection(
      "policy-reload-all", "reloadIgnoringLocalAndRemoteCacheData", "PolicyOfConnection", loads: fresh,
      run: PolicyOfConnection.reloadEverywhere),
    .connection(
      "policy-else-load", "returnCacheDataElseLoad", "PolicyOfConnection", loads: fresh,
      run: PolicyOfConnection.cacheElseLoad),
    .connection(
      "policy-dont-load", "returnCacheDataDontLoad", "PolicyOfConnection", loads: fresh,
      run: PolicyOfConnection.cacheOnly),
    .connection(
      "policy-revalidate", "reloadRevalidatingCacheData", "PolicyOfConnection", loads: fresh,
      run: PolicyOfConnection.revalidate),
  ]

  private static let policiesOfTask: [Example] = [
    .session("policy-protocol", "useProtocolCachePolicy", "PolicyOfTask", loads: fresh, run: PolicyOfTask.byProtocol),
    .session("policy-reload", "reloadIgnoringLocalCacheData", "PolicyOfTask", loads: fresh, run: PolicyOfTask.reload),
    .session(
      "policy-reload-all", "reloadIgnoringLocalAndRemoteCacheData", "PolicyOfTask", loads: fresh,
      run: PolicyOfTask.reloadEverywhere),
    .session(
      "policy-else-load", "returnCacheDataElseLoad", "PolicyOfTask", loads: fresh,
      run: PolicyOfTask.cacheElseLoad),
    .session("policy-dont-load", "returnCacheDataDontLoad", "PolicyOfTask", loads: fresh, run: PolicyOfTask.cacheOnly),
    .session(
      "policy-revalidate", "reloadRevalidatingCacheData", "PolicyOfTask", loads: fresh,
      run: PolicyOfTask.revalidate),
  ]

  private static let connection: [Example] =
    policiesOfConnection.map { $0.makes(.nothing) } + [
      .connection(
        "storage-not-allowed", "a storage policy as cache policy (defective)", "NothingKept", loads: fresh,
        run: NothingKept.storagePolicyAsCachePolicy
      ).makes(.line("nothing is stored")),
      .connection(
        "nothing-kept", "asks the server and stores nothing", "NothingKept", loads: fresh, run: NothingKept.meant
      ).makes(.line("nothing is stored")),
      .connection("stored", "stored as proposed", "StoredResponse", loads: fresh, run: StoredResponse.asProposed)
        .makes(.nothing),
      .connection("refused", "the delegate answers nil", "StoredResponse", loads: fresh, run: StoredResponse.refused)
        .makes(.line("stored: nothing")),
      .connection(
        "annotated", "in memory only, with user info", "StoredResponse", loads: fresh, run: StoredResponse.annotated
      ).makes(.line("note: seen")),
    ]

  private static let session: [Example] =
    policiesOfTask.map { $0.makes(.nothing) } + [
      .session("stored", "ephemeral, stored as proposed", "StoredByTask", loads: fresh, run: StoredByTask.asProposed)
        .makes(.line("on disk: 0 bytes at most")),
      .session(
        "refused", "ephemeral, the delegate answers nil", "StoredByTask", loads: fresh, run: StoredByTask.refused
      ).makes(.line("stored: nothing")),
    ]
}
