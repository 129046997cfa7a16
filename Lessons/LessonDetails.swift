// SPDX-License-Identifier: Apache-2.0
import LessonKit

extension LessonDetail {
  /// What the report of the lesson of that number shows of every example.
  static func details(ofLesson number: Int) -> [LessonDetail] {
    switch number {
    case 2: [.timeline, .printed]
    case 3, 12: [.callbacks, .printed]
    case 4: [.timeline, .memory]
    case 5: [.memory, .callbacks, .printed]
    case 10: [.callbacks, .requests, .printed]
    case 27: [.memory, .callbacks]
    case 6: [.timeline, .memory, .printed]
    case 8: [.memory, .printed]
    case 7: [.memory, .loads, .printed]
    case 9: [.timeline, .callbacks]
    case 11: [.threads, .printed]
    case 13: [.callbacks, .printed]
    case 14: [.loads, .callbacks, .requests, .printed]
    case 20: [.timeline, .requests]
    case 21: [.timeline, .printed]
    case 22: [.loads, .requests, .printed]
    case 23: [.requests, .printed]
    case 24: [.loads, .printed]
    case 26: [.timeline, .loads, .printed]
    default: [.requests, .printed]
    }
  }
}
