// SPDX-License-Identifier: Apache-2.0
import CCurl
import Timeline

/// How a response's body flows, and stops: through the decoder, to the consumer. On the I/O thread.
extension Transfer {
  func resumeOnThread() {
    Transport.assertOnThread()
    let wasHeld = !awaitsTurn
    awaitsTurn = false
    guard phase == .running || phase == .draining, machine.resumed(now: now) else { return }
    if wasHeld { Timeline.emit(.transfer(.resumed), subject: request.subject) }
    pool.checkNoLater(than: machine.deadline)
    if rawSocket != nil { return readRawSocket() }
    guard drainDecoder() else { return }
    if phase == .draining, holdsRefusal {
      deliverRefusal()
    } else if phase == .draining {
      let isComplete = decoder?.isComplete ?? true
      end(
        isComplete
          ? nil
          : TransferFailure(.undecodableContent, description: "The response's compressed body was cut short."))
    } else if let handle {
      unpause(handle, CURLPAUSE_CONT)
      pool.thread.touch(pool)
    }
  }

  /// Lets libcurl continue, which delivers at once what it had held back. Where that fails it says so here and nowhere else:
  /// the transfer would stand still until its time is over. A bad argument is also a handle without a connection, which has none
  /// yet or none any more: it delivers nothing, and a second call says it again.
  func unpause(_ handle: EasyHandle, _ action: Int32) {
    let heldBytes = handle.holdsBytes
    if action & CURLPAUSE_RECV == 0 { handle.holdsBytes = false }
    let code = unsafe curl_easy_pause(handle.raw, action)
    guard code != CURLE_OK else { return }
    if code == CURLE_BAD_FUNCTION_ARGUMENT, unsafe curl_easy_pause(handle.raw, action) == code {
      handle.holdsBytes = heldBytes
      return
    }
    curlEnded(code)
  }

  /// Delivers what a pause left in the decoder; false when the transfer paused again or failed.
  private func drainDecoder() -> Bool {
    guard let decoder, decoder.hasWaitingInput else { return true }
    do {
      let turn = try unsafe decoder.drain { unsafe self.forward($0) }
      ended(turn)
      return turn == .done
    } catch {
      end(error)
      return false
    }
  }

  private func ended(_ turn: DecoderChain.Turn) {
    switch turn {
    case .done: break
    case .paused: pauseOnThread()
    case .over: awaitTurn()
    }
  }

  /// Lets the sockets and the other transfers go first, and decodes on then.
  private func awaitTurn() {
    machine.paused()
    pool.mayHaveLeftBytes = true
    awaitsTurn = true
    pool.thread.whenIdle { [self] in
      if awaitsTurn { resumeOnThread() }
    }
  }

  func forward(_ bytes: UnsafeRawBufferPointer) -> TransferFlow {
    decodedBodyBytes += Int64(bytes.count)
    return unsafe consumer.transfer(self, didReceive: bytes)
  }

  /// A piece of the body from libcurl; false to make it fail.
  func deliver(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let decoder else {
      if unsafe forward(bytes) == .pause { pauseOnThread() }
      return true
    }
    do {
      ended(try unsafe decoder.feed(bytes) { unsafe self.forward($0) })
      return true
    } catch {
      machine.failed(error)
      return false
    }
  }

  /// Raw bytes of a chunked body. A fault ends the transfer on the next turn, since libcurl must not be left from within.
  func judgeChunks(_ bytes: Span<UInt8>) {
    guard !machine.chunkBytes(bytes) else { return }
    pool.thread.post { [self] in curlEnded(CURLE_OK) }
  }

  func deliver(_ head: ResponseHead) {
    Timeline.emit(.transfer(.headReceived), subject: request.subject)
    if request.decodesContent, !head.decodedCodings.isEmpty { decoder = DecoderChain(head.decodedCodings) }
    var head = head
    if decoder == nil { head.decodedCodings = [] }
    if consumer.transfer(self, didReceive: head) == .pause { pauseOnThread() }
  }

  func deliverInterim(_ head: ResponseHead) {
    consumer.transfer(self, didReceiveInterim: head)
  }

  func sent() {
    consumer.transfer(self, didSend: reader?.offset ?? 0)
  }

  func pauseOnThread() {
    machine.paused()
    pool.mayHaveLeftBytes = true
    Timeline.emit(.transfer(.paused), subject: request.subject)
  }
}
