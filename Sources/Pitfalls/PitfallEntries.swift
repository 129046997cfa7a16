// SPDX-License-Identifier: Apache-2.0

extension Pitfall {
  /// The catalogue's entry on it.
  public var entry: PitfallEntry {
    switch self {
    case .neverResumed, .neverStarted, .suspendedToTheEnd, .wholeBodyInMemory, .errorUnheard, .endUnheard,
      .queueAfterStart,
      .fileLeft, .scheduledAfterStart, .configurationTooLate:
      entryOfCalls
    case .blocksMain, .waitsForItself, .lateOnMain, .slowCallback, .modeStarved, .noRunLoop, .threadALoad: entryOfPlaces
    default: entryOfRequests
    }
  }

  private var entryOfCalls: PitfallEntry {
    switch self {
    case .neverStarted:
      PitfallEntry(
        .wrong, lesson: 1, "A connection was made with startImmediately: false and never started: it loaded nothing.",
        cure: "Call start() on it, or cancel() on one that is not wanted.")
    case .suspendedToTheEnd:
      PitfallEntry(
        .wrong, lesson: 26, "A task was suspended and never resumed: its end never came.",
        cure: "Call resume() as often as suspend(), or cancel() the task.")
    case .wholeBodyInMemory:
      PitfallEntry(
        .costly, lesson: 4, "A handler was given a body of {} at once: all of it lay in memory.",
        cure: "Take it in pieces with a delegate, or load it into a file with a download task.")
    case .errorUnheard:
      PitfallEntry(
        .wrong, lesson: 5, "A load failed, and the delegate has no method that hears of it.",
        cure: "Add connection(_:didFailWithError:) or urlSession(_:task:didCompleteWithError:).")
    case .endUnheard:
      PitfallEntry(
        .costly, lesson: 5, "A load ended, and the delegate has no method for its end nor for its bytes.",
        cure: "Add the method for the end, or do not load it.")
    case .queueAfterStart:
      PitfallEntry(
        .wrong, lesson: 5,
        "setDelegateQueue(_:) was called after the start: events still have to pass through the run loop of the thread that made the connection, or the call had no effect.",
        cure: "Make the connection with startImmediately: false, set the queue, then call start().")
    case .fileLeft:
      PitfallEntry(
        .wrong, lesson: 8, "A download's file was still in its place when its callback returned, and was removed then.",
        cure: "Move the file, or read it, before the callback returns.",
        mild: "A download's file was read in its callback and removed afterwards: right where all of use was read.")
    case .scheduledAfterStart:
      PitfallEntry(
        .wrong, lesson: 9, "schedule(in:forMode:) was called after the start and had no effect.",
        cure: "Make the connection with startImmediately: false, schedule it, then call start().")
    case .configurationTooLate:
      PitfallEntry(
        .wrong, lesson: 25,
        "A configuration was changed after a session had been made of it: the session does not see it.",
        cure: "Set the configuration up before you make the session.")
    default:
      PitfallEntry(
        .wrong, lesson: 1, "A task was made and never resumed: it loaded nothing, and its handler never ran.",
        cure: "Call resume() on each task, or cancel() on one that is not wanted.")
    }
  }

  private var entryOfPlaces: PitfallEntry {
    switch self {
    case .blocksMain:
      PitfallEntry(
        .wrong, lesson: 2, "A synchronous request held main for {}: nothing else ran there.",
        cure: "Load with a task of URLSession, or call the synchronous form on a thread of your own.",
        mild: "A synchronous request held main for {}: right as long as main has nothing else to do.")
    case .waitsForItself:
      PitfallEntry(
        .wrong, lesson: 2,
        "A callback waited for {} for its thread, which itself waited for a lock or a semaphore: where the callback is to signal that, neither ever goes on.",
        cure: "Do not wait on the thread where callbacks come: await the load, or give the session a queue of its own.")
    case .lateOnMain:
      PitfallEntry(
        .costly, lesson: 3, "A callback for main waited for {}, since main was busy or did not run its loop.",
        cure: "Keep work off main, or give session or connection a queue of their own.")
    case .slowCallback:
      PitfallEntry(
        .costly, lesson: 3, "A callback ran for {} while others of its queue waited.",
        cure: "Hand long work to another queue, and return.")
    case .modeStarved:
      PitfallEntry(
        .wrong, lesson: 9,
        "Callbacks waited for {}, since their run loop ran only in modes where the connection is not scheduled.",
        cure: "Schedule the connection in RunLoop.Mode.common before start(), or give it a delegate queue.")
    case .threadALoad:
      PitfallEntry(
        .costly, lesson: 12, "{} threads served one connection each.",
        cure: "Let one thread serve all connections, or give them a delegate queue.")
    default:
      PitfallEntry(
        .wrong, lesson: 10, "Callbacks wait for a thread whose run loop never ran: they cannot come.",
        cure: "Run the loop of that thread, or give the connection or session a delegate queue that needs none.")
    }
  }

  private var entryOfRequests: PitfallEntry {
    switch self {
    case .errorAsSuccess:
      PitfallEntry(
        .look, lesson: 14, "A download's file was handed over although the status was {}: it is the error's page.",
        cure: "Look at the response's status before you take the file.")
    case .credentialsToAnother:
      PitfallEntry(
        .wrong, lesson: 15,
        "The answer to a redirect carried Authorization or Cookie to another origin: another scheme, host or port.",
        cure: "Answer a redirect to another origin with the request that is proposed.")
    case .postBecameGet:
      PitfallEntry(
        .look, lesson: 15, "A redirect turned a POST into a GET, and no delegate was asked.",
        cure: "Implement the method for redirects, or use an address that does not redirect with 301 to 303.")
    case .streamCopied:
      PitfallEntry(
        .costly, lesson: 16, "A body stream was sent again from a copy of {}, which was kept for that.",
        cure: "Implement the method that gives a new body stream.")
    case .sameCredential:
      PitfallEntry(
        .wrong, lesson: 17, "A credential that the server had rejected was offered again.",
        cure: "Look at previousFailureCount, and cancel or ask for another.")
    case .anyCertificate:
      PitfallEntry(
        .look, lesson: 18, "A server's certificate that does not hold was accepted.",
        cure: "Compare the certificate with the one you expect before you accept it.")
    case .passwordInClear:
      PitfallEntry(
        .wrong, lesson: 17, "Credentials went over plain http: whoever listens on the way can read them.",
        cure: "Use https.")
    case .cacheNeverAsked:
      PitfallEntry(
        .costly, lesson: 19,
        "The same address was loaded {} times, though its answer could be stored and the policy forbade it.",
        cure: "Use the protocol's cache policy where the answer may be reused.")
    case .sessionARequest:
      PitfallEntry(
        .costly, lesson: 20, "{} sessions loaded once each from one server: none could use another's connection.",
        cure: "Make one session and keep it.")
    case .rangeUnchecked:
      PitfallEntry(
        .wrong, lesson: 22,
        "A part was asked for without If-Range, and the answer was of another version or another place.",
        cure: "Send If-Range with the first answer's ETag, or resume with resume data.")
    case .partsUnchecked:
      PitfallEntry(
        .look, lesson: 23,
        "{} parts of one address were asked for without a validator: they may be of different versions.",
        cure: "Send If-Range with the first answer's ETag.")
    default:
      PitfallEntry(
        .wrong, lesson: 24,
        "Sessions with a delegate were never invalidated ({}): each stays in memory for good, and so does its delegate.",
        cure: "Call finishTasksAndInvalidate() once no further task will be made.",
        mild:
          "A session with a delegate was never invalidated, and nothing but the two held each other at the end: right where it served for the program's life."
      )
    }
  }
}
