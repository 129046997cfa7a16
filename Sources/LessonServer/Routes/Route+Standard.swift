// SPDX-License-Identifier: Apache-2.0

extension Route {
  /// The routes that lessons, benchmarks and `workbench server` share.
  public static let standard: [Route] = fixed + [body]

  private static let fixed: [Route] = [
    Route("/ok", summary: "two bytes: ok", script: .response(.text("ok"))),
    Route("/1k", summary: "1,024 bytes", script: .response(kilobyte)),
    Route("/json", summary: "a small JSON document", script: .response(.text(document, type: "application/json"))),
  ]

  private static let kilobyte = Response(
    fields: [HeaderField("Content-Type", "application/octet-stream")],
    body: .bytes(SeededBody(seed: 1).bytes(0..<1024)))

  /// The document that `/json` answers with.
  static let document = #"{"lesson":"first-request","number":1,"tags":["connection","session"],"ok":true}"#
}
