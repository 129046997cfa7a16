// SPDX-License-Identifier: Apache-2.0
import Timeline

/// A program's steps as bytes of a record.
enum StepCodec {
  private enum Code: UInt8 {
    case made, started, suspended, resumed, cancelledUnstarted, letGo, ignored, request, answer, redirected, challenged,
      streamCopied, fileReturned, endedUnheard
    case mainServes, sessionMade, sessionInvalidated, sessionLetGo, configurationChangedLate
  }

  static func write(_ step: ProgramStep, to writer: inout RecordWriter) {
    func put(_ code: Code) { writer.put(code.rawValue) }
    switch step {
    case .made(let form, let session, let method, let url):
      put(.made)
      writer.put(form.rawValue)
      writer.put(session)
      writer.put(method)
      writer.put(url)
    case .started: put(.started)
    case .suspended: put(.suspended)
    case .resumed: put(.resumed)
    case .cancelledUnstarted: put(.cancelledUnstarted)
    case .letGo: put(.letGo)
    case .ignored(let call):
      put(.ignored)
      writer.put(call.rawValue)
    case .request(let facts):
      put(.request)
      write(facts, to: &writer)
    case .answer(let facts):
      put(.answer)
      write(facts, to: &writer)
    case .redirected(let facts):
      put(.redirected)
      write(facts, to: &writer)
    case .challenged(let facts):
      put(.challenged)
      for flag in [facts.isServerTrust, facts.trustHolds, facts.hasCredential, facts.repeatsRejected] {
        writer.put(flag)
      }
    case .streamCopied(let bytes):
      put(.streamCopied)
      writer.put(bytes)
    case .fileReturned(let fate):
      put(.fileReturned)
      writer.put(fate.rawValue)
    case .endedUnheard(let code):
      put(.endedUnheard)
      writer.put(code != nil)
      writer.put(code ?? 0)
    case .mainServes: put(.mainServes)
    case .sessionMade(let needsEnd):
      put(.sessionMade)
      writer.put(needsEnd)
    case .sessionInvalidated: put(.sessionInvalidated)
    case .sessionLetGo(let atEnd):
      put(.sessionLetGo)
      writer.put(atEnd)
    case .configurationChangedLate: put(.configurationChangedLate)
    }
  }

  static func step(_ reader: inout RecordReader) throws -> ProgramStep {
    switch try reader.value(Code.self) {
    case .made:
      .made(
        try reader.value(LoadForm.self), session: try reader.unsigned(), method: try reader.text(),
        url: try reader.text())
    case .started: .started
    case .suspended: .suspended
    case .resumed: .resumed
    case .cancelledUnstarted: .cancelledUnstarted
    case .letGo: .letGo
    case .ignored: .ignored(try reader.value(IgnoredCall.self))
    case .request: .request(try request(&reader))
    case .answer: .answer(try answer(&reader))
    case .redirected: .redirected(try redirect(&reader))
    case .challenged:
      .challenged(
        ChallengeFacts(
          isServerTrust: try reader.flag(), trustHolds: try reader.flag(), hasCredential: try reader.flag(),
          repeatsRejected: try reader.flag()))
    case .streamCopied: .streamCopied(bytes: try reader.byteCount())
    case .fileReturned: .fileReturned(try reader.value(FileFate.self))
    case .endedUnheard: .endedUnheard(code: try reader.flag() ? try reader.number() : try none(&reader))
    case .mainServes: .mainServes
    case .sessionMade: .sessionMade(needsEnd: try reader.flag())
    case .sessionInvalidated: .sessionInvalidated
    case .sessionLetGo: .sessionLetGo(atEnd: try reader.flag())
    case .configurationChangedLate: .configurationChangedLate
    }
  }

  /// A number that stands for none.
  private static func none(_ reader: inout RecordReader) throws -> Int? {
    _ = try reader.number()
    return nil
  }

  // MARK: - Facts

  private static func write(_ facts: RequestFacts, to writer: inout RecordWriter) {
    writer.put(facts.method)
    writer.put(facts.url)
    writer.put(facts.range)
    writer.put(facts.ifRange)
    writer.put(facts.mayBeStored)
    writer.put(facts.isInClear)
  }

  private static func request(_ reader: inout RecordReader) throws -> RequestFacts {
    RequestFacts(
      method: try reader.text(), url: try reader.text(), range: try reader.optionalText(),
      ifRange: try reader.optionalText(), mayBeStored: try reader.flag(), isInClear: try reader.flag())
  }

  private static func write(_ facts: AnswerFacts, to writer: inout RecordWriter) {
    writer.put(facts.status)
    writer.put(facts.validator)
    writer.put(facts.contentRange)
    writer.put(facts.isStorable)
    writer.put(facts.isStored)
  }

  private static func answer(_ reader: inout RecordReader) throws -> AnswerFacts {
    AnswerFacts(
      status: try reader.number(), validator: try reader.text(), contentRange: try reader.optionalText(),
      isStorable: try reader.flag(), isStored: try reader.flag())
  }

  private static func write(_ facts: RedirectFacts, to writer: inout RecordWriter) {
    writer.put(facts.method)
    writer.put(facts.newMethod)
    for flag in [facts.changesOrigin, facts.carriesCredentials] { writer.put(flag) }
  }

  private static func redirect(_ reader: inout RecordReader) throws -> RedirectFacts {
    RedirectFacts(
      method: try reader.text(), newMethod: try reader.text(), changesOrigin: try reader.flag(),
      carriesCredentials: try reader.flag())
  }
}
