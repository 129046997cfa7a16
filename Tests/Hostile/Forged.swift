// SPDX-License-Identifier: Apache-2.0
// Writes a measurement of its own to every descriptor, with the least integers in it, and ends its process.
// Outcome: failed
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    let least = Int.min
    let recording =
      #"{"callbacks":[],"order":[],"ticks":[],"loads":[],"overlaps":0,"notes":[],"lines":[],"shown":[],"threadEnds":{},"#
      + #""unnamedFileBytes":0}"#
    let line =
      #"{"measured":{"_0":{"hasEnded":true,"wall":1,"usage":{"cpu":0,"wakeups":0},"instruments":{"cpu":0,"wakeups":"#
      + "\(least)},\"peak\":\(least),\"curve\":[],\"peakThreads\":1,\"threadsAfter\":\(least),"
      + "\"libraryThreads\":0,\"longestGap\":0,\"gaps\":[],\"recording\":\(recording)}}}\n"
    let text = Array(line.utf8)
    for descriptor in 0..<1024 { write(Int32(descriptor), text, text.count) }
    _exit(0)
  }
}
