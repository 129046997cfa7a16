// SPDX-License-Identifier: Apache-2.0
public import LessonKit

extension StudentFile {
  /// The lesson of one example by which the file's program is measured.
  public var lesson: Lesson {
    OwnProgram.lesson(named: name, side: imports.contains(.session) ? .session : .connection, file: path)
  }
}
