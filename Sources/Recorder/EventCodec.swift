// SPDX-License-Identifier: Apache-2.0
package import Pitfalls
import Timeline

/// Events as records of bytes: instant, subject, place, payload, then the kind's number and what it carries.
package enum EventCodec {
  /// The event in the bytes of a record; nil where no writer of this version wrote them.
  package static func event(in bytes: ArraySlice<UInt8>) -> ProgramEvent? {
    var reader = RecordReader(bytes)
    guard let event = try? event(&reader), reader.isAtEnd else { return nil }
    return event
  }

  /// The bytes of an event's record.
  package static func bytes(of event: ProgramEvent) -> [UInt8] {
    var writer = RecordWriter()
    write(event, to: &writer)
    return writer.bytes
  }

  static func write(_ event: ProgramEvent, to writer: inout RecordWriter) {
    // What began before the recording has its first instant.
    writer.put(max(0, event.instant))
    writer.put(event.subject)
    writer.put(event.count)
    write(event.place, to: &writer)
    write(event.payload, to: &writer)
    write(event.kind, to: &writer)
  }

  private static func event(_ reader: inout RecordReader) throws -> ProgramEvent {
    let (instant, subject, count) = (try reader.instant(), try reader.unsigned(), try reader.byteCount())
    let (place, payload) = (try place(&reader), try payload(&reader))
    var event = ProgramEvent(
      instant: instant, subject: subject, kind: try kind(&reader), place: place, payload: payload)
    event.count = max(1, Int(count))
    return event
  }

  // MARK: - Places

  private static func write(_ place: Place, to writer: inout RecordWriter) {
    writer.put(place.thread.number)
    writer.put(place.thread.isMain)
    writer.put(place.thread.name)
    writer.put(place.queue)
    writer.put(place.runLoopMode)
  }

  private static func place(_ reader: inout RecordReader) throws -> Place {
    let number = try reader.number()
    let isMain = try reader.flag()
    return Place(
      thread: .init(number: number, name: try reader.text(), isMain: isMain), queue: try reader.optionalText(),
      runLoopMode: try reader.optionalText())
  }

  // MARK: - Payloads

  private enum PayloadCode: UInt8 {
    case none, bytes, file, response, progress, failure, success
  }

  private static func write(_ payload: ProgramEvent.Payload, to writer: inout RecordWriter) {
    func put(_ code: PayloadCode) { writer.put(code.rawValue) }
    switch payload {
    case .none: put(.none)
    case .bytes(let count):
      put(.bytes)
      writer.put(count)
    case .file: put(.file)
    case .response(let status, let length, let type):
      put(.response)
      writer.put(status)
      writer.put(length)
      writer.put(type)
    case .progress(let piece, let total, let expected):
      put(.progress)
      for number in [piece, total, expected] { writer.put(number) }
    case .failure(let domain, let code):
      put(.failure)
      writer.put(domain)
      writer.put(code)
    case .success: put(.success)
    }
  }

  private static func payload(_ reader: inout RecordReader) throws -> ProgramEvent.Payload {
    switch try reader.value(PayloadCode.self) {
    case .none: .none
    case .bytes: .bytes(try reader.byteCount())
    case .file: .file
    case .response:
      .response(status: try reader.number(), expectedLength: try reader.signed(), type: try reader.optionalText())
    case .progress: .progress(piece: try reader.signed(), total: try reader.signed(), expected: try reader.signed())
    case .failure: .failure(domain: try reader.text(), code: try reader.number())
    case .success: .success
    }
  }

  // MARK: - Kinds

  private enum KindCode: UInt8 {
    case callback, leftOut, cancelled, enqueued, transfer, note, step, taken, returned, waiting
  }

  private static func write(_ kind: TimelineEvent.Kind, to writer: inout RecordWriter) {
    func put(_ code: KindCode) { writer.put(code.rawValue) }
    switch kind {
    case .callback(let name, let detail):
      put(.callback)
      writer.put(name)
      writer.put(detail)
    case .leftOut(let name, let detail):
      put(.leftOut)
      writer.put(name)
      writer.put(detail)
    case .cancelled: put(.cancelled)
    case .enqueued(let destination):
      put(.enqueued)
      writer.put(destination)
    case .transfer(let stage):
      put(.transfer)
      writer.put(UInt8(TimelineEvent.TransferStage.allCases.firstIndex(of: stage) ?? 0))
    case .note(let sentence):
      put(.note)
      writer.put(sentence)
    case .step(let step):
      put(.step)
      StepCodec.write(step, to: &writer)
    case .taken(let destination):
      put(.taken)
      writer.put(destination)
    case .returned(let others):
      put(.returned)
      writer.put(others)
    case .waiting(let thread, let state):
      put(.waiting)
      writer.put(thread)
      writer.put(state.rawValue)
    }
  }

  private static func kind(_ reader: inout RecordReader) throws -> TimelineEvent.Kind {
    switch try reader.value(KindCode.self) {
    case .callback: .callback(name: try reader.text(), detail: try reader.text())
    case .leftOut: .leftOut(name: try reader.text(), detail: try reader.text())
    case .cancelled: .cancelled
    case .enqueued: .enqueued(destination: try reader.text())
    case .transfer: .transfer(try stage(&reader))
    case .note: .note(try reader.text())
    case .step: .step(try StepCodec.step(&reader))
    case .taken: .taken(destination: try reader.text())
    case .returned: .returned(othersWaited: try reader.flag())
    case .waiting: .waiting(thread: try reader.number(), try reader.value(TimelineEvent.ThreadState.self))
    }
  }

  private static func stage(_ reader: inout RecordReader) throws -> TimelineEvent.TransferStage {
    let (number, stages) = (Int(try reader.byte()), TimelineEvent.TransferStage.allCases)
    guard stages.indices.contains(number) else { throw RecordReader.Malformed() }
    return stages[number]
  }
}
