// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// Brings a report as a former build wrote it into the form that today's model reads.
///
/// The values that the former build did not write get the model's defaults. Version 1 judged every body by one checksum, which
/// said nothing of most examples' products: it is left out. A claim's one figure and bound become its one finding. A defect of
/// a note's code, once refuted, is shown.
struct ReportUpgrade {
  private typealias Object = [String: Any]

  private let lesson: [String: Any]
  private let example: [String: Any]
  private let callback: [String: Any]
  private let claim: [String: Any]

  init() throws {
    lesson = try Self.object(LessonResult(id: "", title: "", examples: [], claims: []))
    example = try Self.object(ExampleResult(id: "", side: .connection, outcome: Outcome(kind: .finished)))
    callback = try Self.object(CallbackCount(name: "", count: 0, first: 0, last: 0, places: []))
    claim = try Self.object(ClaimResult(id: "", verdict: .unsettled, expected: .unsettled, findings: []))
  }

  /// The whole report.
  func report(_ object: [String: Any]) -> [String: Any] {
    var object = object
    object["partial"] = object["partial"] ?? false
    object["lessons"] = all("lessons", of: object, upgraded)
    return object
  }

  private func upgraded(_ given: Object) -> Object {
    var object = Self.filled(lesson, from: given)
    object["examples"] = all("examples", of: given) { given in
      var object = Self.filled(example, from: given)
      object["callbacks"] = all("callbacks", of: given) { Self.filled(callback, from: $0) }
      return object
    }
    object["claims"] = all("claims", of: given, upgradedClaim)
    return object
  }

  private func upgradedClaim(_ given: Object) -> Object {
    var object = Self.filled(claim, from: Self.withDefectShown(given))
    guard let measured = given["measured"], given["findings"] == nil else { return object }
    object["findings"] = [
      ["what": "", "measured": measured, "bound": given["bound"] ?? "", "holds": true] as Object
    ]
    return object
  }

  /// A claim that names a defect of the note's code was once written as refuted where the run showed the defect, as
  /// confirmed where it did not.
  private static func withDefectShown(_ given: Object) -> Object {
    let (shown, refuted) = (Verdict.defectShown.rawValue, Verdict.refuted.rawValue)
    guard given["expected"] as? String == refuted, let id = given["id"] as? String,
      ClaimTable[id]?.expected == .defectShown
    else { return given }
    let today = [refuted: shown, Verdict.confirmed.rawValue: refuted]
    var object = given
    object["expected"] = shown
    if let verdict = given["verdict"] as? String { object["verdict"] = today[verdict] ?? verdict }
    guard var toolchain = given["toolchain"] as? Object, let verdict = toolchain["verdict"] as? String else {
      return object
    }
    toolchain["verdict"] = today[verdict] ?? verdict
    object["toolchain"] = toolchain
    return object
  }

  private func all(_ key: String, of object: Object, _ upgrade: (Object) -> Object) -> Any {
    guard let given = object[key] as? [Object] else { return object[key] ?? NSNull() }
    return given.map(upgrade)
  }

  /// The given object; what it lacks is taken from the template, also in objects within it.
  private static func filled(_ template: Object, from given: Object) -> Object {
    template.merging(given) { lacking, given in
      if let lacking = lacking as? Object, let given = given as? Object { return filled(lacking, from: given) }
      return given
    }
  }

  private static func object(_ value: some Encodable) throws -> Object {
    try JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? Object ?? [:]
  }
}
