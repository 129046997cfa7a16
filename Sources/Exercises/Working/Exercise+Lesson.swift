// SPDX-License-Identifier: Apache-2.0
public import LessonKit

extension Exercise {
  /// The lesson by which a student's file is measured without being checked: one example for each case, under the
  /// circumstances of the check, with another seed each time.
  public func lesson(of file: StudentFile) -> Lesson {
    var lesson = file.lesson
    let side: Side = file.imports.contains(.session) ? .session : .connection
    lesson.examples = manifest.cases.map { each in
      var example = each.example(
        side, number: 1, bytes: manifest.bodyBytes - .random(in: 0...manifest.shorterBy),
        seed: .random(in: 1...1 << 62), token: .random(in: 1...1 << 62))
      example.id = "\(side.rawValue)/\(each.id)"
      example.file = file.path
      return example
    }
    return lesson
  }

  /// Writes the files that the case of `example`, one of `lesson(of:)`, finds in its folder.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the disk does not take one.
  public func prepare(_ folder: String, for example: Example) throws(LessonKitError) {
    guard let own = manifest.cases.first(where: { example.id.hasSuffix("/" + $0.id) }),
      let seed = example.circumstances.seed, let bytes = example.circumstances.bodyBytes
    else { return }
    try CaseSchedule.write(own, of: bytes, seed: seed, to: folder)
  }
}
