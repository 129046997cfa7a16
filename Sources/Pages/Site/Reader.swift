// SPDX-License-Identifier: Apache-2.0
import Exercises
import LessonKit
import Reports

/// The person who asked for a page: language, address, and what every page has around it for them.
struct Reader {
  /// The reader's language.
  let say: StringCatalogue
  /// The page that the reader is on: its address, and the path alone.
  let (address, path): (String, String)
  let templates: SiteTemplates
  private let settings: SiteSettings
  private let board: JobBoard

  init(
    _ request: WebRequest, say: StringCatalogue, templates: SiteTemplates, settings: SiteSettings, board: JobBoard
  ) {
    (address, path) = request.method == .post ? ("/", "/") : (request.address, request.path)
    (self.say, self.templates, self.settings, self.board) = (say, templates, settings, board)
  }

  /// Makes the setting of a page: the course's own setting, within this site's frame.
  func setting(head: String = "", before: String = "", script: String = "") -> HTMLReport.Setting {
    var setting = settings.page(say)
    setting.frame.isServed = true
    setting.frame.head = head
    setting.frame.top = top
    setting.frame.before = before
    setting.frame.style = SiteStyle.text
    setting.frame.script = script
    let ids = Set(settings.lessons.map(\.id))
    let words = glossary
    setting.frame.linkHint = { words?.entry(linked: $0)?.hint }
    setting.frame.lessonLink = { address in
      if address.hasPrefix("https://") { return address }
      if let word = words?.entry(linked: address) { return "/glossary#\(word.anchor)" }
      return address.firstMatch(of: #/lesson-\d\d/#).map { String($0.output) }.flatMap { id in
        ids.contains(id) ? "/lessons/\(id)" : nil
      }
    }
    return setting
  }

  /// A text of the course, such as `glossary`, in the reader's language.
  ///
  /// - Throws: `LessonKitError` with code `environment` where it cannot be read.
  func text(_ name: String) throws -> String {
    try LessonText(root: settings.course.folder).text(named: name, in: say.language)
  }

  /// The glossary in the reader's language; nil where it cannot be read.
  var glossary: Glossary? { (try? text("glossary")).map(Glossary.init) }

  /// A page of this site's own.
  func page(
    title: String, remarks: [Phrase] = [], content: String, _ status: WebStatus = .ok, head: String = "",
    script: String = ""
  ) throws -> WebAnswer {
    let setting = setting(head: head, script: script)
    let text = try ReadingPage(setting).text(title: title, remarks: remarks, content: content)
    return WebAnswer(status, page: text, nonce: setting.nonce)
  }

  /// A template of this site's, with these values.
  func render(_ name: String, _ values: [String: Any]) -> String { templates.render(name, values) }

  /// Lists a form's choice of sizes; 64 MiB is chosen beforehand.
  func sizes(_ sizes: [Int]) -> [[String: Any]] {
    sizes.map { bytes in
      let words = bytes < 1 << 20 ? "\(bytes >> 10) KiB" : bytes < 1 << 30 ? "\(bytes >> 20) MiB" : "1 GiB"
      var size: [String: Any] = ["bytes": "\(bytes)", "words": words]
      if bytes == 64 << 20 { size["chosen"] = true }
      return size
    }
  }

  /// A phrase in the reader's language, for an element's content.
  func escaped(_ phrase: Phrase) -> String { templates.render("text", ["text": say(phrase)]) }

  /// The way to all pages, what runs now, and the choice of language.
  private var top: String {
    let places: [(String, Phrase)] = [
      ("/", "Lessons"), ("/runs", "Runs"), ("/exercises", "Exercises"), ("/claims", "Claims"),
      ("/course", "Course"), ("/glossary", "Glossary"), ("/pitfalls", "Pitfalls"),
      ("/behaviour", "Behaviour"),
    ]
    var values: [String: Any] = [
      "label": say("All pages" as Phrase), "address": address, "choose": say("Language" as Phrase),
      "places": places.map { place, name in
        ["path": place, "name": say(name), "current": place == path ? "page" : ""].filter { !$0.value.isEmpty }
      },
      "languages": [("en", "English"), ("zh-Hans", "中文")].map { code, name in
        ["code": code, "name": name, "pressed": say.language.rawValue == code ? "true" : "false"]
      },
    ]
    if let job = board.job, job.state == .running, path != "/run" {
      values["running"] = say.say("Running: \(job.order.name)")
    }
    return render("top", values)
  }
}

extension JobRequest {
  /// The lesson or the exercise that it is about.
  var name: Phrase {
    switch self {
    case .run(let order): order.lessons.count == 1 ? Phrase(verbatim: order.lessons[0]) : "all lessons"
    case .check(let order): Phrase(verbatim: order.exercise)
    }
  }
}

extension StringCatalogue {
  /// The phrase in this language.
  func say(_ phrase: Phrase) -> String { self(phrase) }
}
