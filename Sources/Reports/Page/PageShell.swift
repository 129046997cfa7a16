// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The parts of every page around its content: head, legend, style, script.
struct PageShell {
  private let setting: HTMLReport.Setting
  private let templates: PageTemplates
  private var say: StringCatalogue { setting.catalogue }

  init(_ setting: HTMLReport.Setting, _ templates: PageTemplates) {
    self.setting = setting
    self.templates = templates
  }

  /// The page.
  ///
  /// - Throws: an `EncodingError`, which no text causes.
  func page(
    title: String, circumstances: [Phrase], remarks: [Phrase], summary: String, content: String, isDrawn: Bool = true
  ) throws -> String {
    let shapes = CallbackGroup.allCases.compactMap { group in
      group.shape.map { ["id": "k-\(group.rawValue)", "path": $0] }
    }
    let frame = setting.frame
    var values: [String: Any] = [
      "language": say.language.rawValue, "nonce": setting.nonce, "title": title, "style": PageStyle.text + frame.style,
      "script": PageScript.text + frame.script, "skip": say("To the content" as Phrase), "head": frame.head,
      "circumstances": circumstances.map { say($0) }.joined(separator: " → "), "remarks": remarks.map { say($0) },
      "shapes": shapes, "summary": frame.before + summary, "content": content, "words": try Markup.json(words),
      "top": frame.top, "policy": frame.isServed ? "" : Self.policy(setting.nonce),
    ]
    if isDrawn { values["legend"] = legend }
    return templates.render("page", values.compact)
  }

  /// Writes the security policy of a page that stands alone: a browser may do nothing but use its own style and script.
  private static func policy(_ nonce: String) -> String {
    "default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; base-uri 'none'; form-action 'none'"
  }

  private var words: [String: String] {
    [
      "touch": say("touch" as Phrase), "stop": say("process stopped" as Phrase), "silent": say("main silent" as Phrase),
      "memory": say("memory" as Phrase), "server": say("server" as Phrase),
      "library": say("library" as Phrase), "loading": say("under way" as Phrase),
      "connecting": say("without a connection yet" as Phrase), "asked": say("asked" as Phrase),
      "waiting": say("no answer yet" as Phrase),
      "answering": say("answering" as Phrase),
    ]
  }

  private var legend: [String: Any] {
    let groups = CallbackGroup.allCases.map { group in
      let shape = group.shape.map { "<path transform=\"translate(11 4)\" d=\"\($0)\"/>" } ?? ""
      return entry("<g class=\"k-\(group.rawValue)\"><path class=\"tick\" d=\"M11 2V16\"/>\(shape)</g>", group.words)
    }
    let stretches = [
      entry("<rect class=\"gap\" x=\"1\" y=\"2\" width=\"20\" height=\"12\"/>", "main silent"),
      entry("<g class=\"touch\"><rect x=\"1\" y=\"0\" width=\"20\" height=\"16\"/></g>", "touch"),
      entry("<g class=\"stop\"><rect x=\"1\" y=\"0\" width=\"20\" height=\"16\"/></g>", "process stopped"),
      entry("<rect class=\"load\" x=\"1\" y=\"4\" width=\"20\" height=\"8\"/>", "transfer"),
      entry("<rect class=\"request\" x=\"1\" y=\"4\" width=\"20\" height=\"8\"/>", "request, as the server saw it"),
      entry(
        "<rect class=\"load\" x=\"1\" y=\"4\" width=\"20\" height=\"8\"/><path class=\"connecting\" d=\"M1 4h20v8h-20z\"/>",
        "until its connection was there"),
      entry(
        "<rect class=\"load\" x=\"1\" y=\"4\" width=\"20\" height=\"8\"/><path class=\"waiting\" d=\"M1 4h20v8h-20z\"/>",
        "until the first byte of the answer"),
      entry("<path class=\"sent\" d=\"M1 15L8 5H14L21 2\"/>", "bytes until then, as the server sent them"),
      entry("<path class=\"given\" d=\"M1 15H12L16 6L21 2V15z\"/>", "bytes until then, as callbacks gave them"),
      entry("<line class=\"baseline\" x1=\"0\" x2=\"22\" y1=\"8\" y2=\"8\"/>", "memory before"),
      entry("<line class=\"peak\" x1=\"0\" x2=\"22\" y1=\"8\" y2=\"8\"/>", "memory peak, as the kernel keeps it"),
      entry(
        "<line class=\"body\" x1=\"0\" x2=\"22\" y1=\"8\" y2=\"8\"/>",
        "where memory would be with the whole body in it"),
    ]
    return [
      "name": say("What the drawings mean" as Phrase), "entries": groups + stretches,
      "hint": say(
        "Point at a drawing to read what was there at that moment, or reach it with Tab and step with the arrow keys. Plus and minus, or Ctrl and the wheel, zoom; Shift and the arrows, or a drag, move; 0 shows all."
      ),
    ]
  }

  private func entry(_ svg: String, _ words: Phrase) -> [String: String] { ["svg": svg, "words": say(words)] }
}
