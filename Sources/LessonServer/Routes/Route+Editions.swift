// SPDX-License-Identifier: Apache-2.0
import Locking

/// A document that may change while a program holds a copy of it.
extension Route {
  /// The seeds whose document was asked for. A process serves few; the set is emptied before it grows large.
  private static let asked = Locked<Set<UInt64>>([])
  private static let limit = 10_000

  static let edition = Route(
    "/edition",
    summary: "the JSON document of /name with an ETag, 304 where it is asked about: seed=1 control=no-cache; with "
      + "changes=on another one from the second request on"
  ) { request in
    answer {
      let seed = try request.seed()
      let isFirst = asked.withLock { asked in
        if asked.count >= limit { asked.removeAll() }
        return asked.insert(seed).inserted
      }
      let edition = seed &+ (request[query: "changes"] == "on" && !isFirst ? 1 : 0)
      let tag = "\"\(edition)\""
      let control = request[query: "control"].map { [HeaderField("Cache-Control", $0)] } ?? []
      guard request.head["If-None-Match"] != tag else {
        return .response(Response(304, fields: control + [HeaderField("ETag", tag)]))
      }
      var response = Response.text(SeededDocument(seed: edition).text, type: "application/json")
      response.fields += control + [HeaderField("ETag", tag)]
      return .response(response)
    }
  }
}
