// SPDX-License-Identifier: Apache-2.0
// What Scripts/phrases compiles: compares the phrases that the sources say with their translations.
import Foundation
import SwiftParser
import SwiftSyntax

/// The text of a literal as a phrase's key: `{}` stands for each value within it.
func key(_ literal: StringLiteralExprSyntax) -> String {
  literal.segments.map { segment in
    guard let text = segment.as(StringSegmentSyntax.self) else { return "{}" }
    return text.content.text.replacing(/\\u\{([0-9A-Fa-f]+)\}/) { match in
      UInt32(match.output.1, radix: 16).flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? ""
    }.replacing("\\n", with: "\n").replacing(/\\(["\\])/) { $0.output.1 }
  }.joined()
}

/// Functions and types by name, with the types of those of their arguments that are declared to be phrases. An argument is known
/// by its label, or by its number where it has none.
struct Takers {
  private var arguments: [String: [String: TypeSyntax]] = [
    "catalogue": ["0": Takers.phrase], "Phrase": ["key": Takers.phrase],
  ]
  private static let phrase = TypeSyntax(IdentifierTypeSyntax(name: .identifier("Phrase")))

  func type(of argument: String, in callee: String) -> TypeSyntax? { arguments[callee]?[argument] }

  mutating func add(_ name: String, _ parameters: FunctionParameterListSyntax) {
    var number = 0
    for parameter in parameters {
      let label = parameter.firstName.text == "_" ? "\(number)" : parameter.firstName.text
      if parameter.firstName.text == "_" { number += 1 }
      if isPhrase(parameter.type) { arguments[name, default: [:]][label] = parameter.type }
    }
  }

  mutating func add(_ name: String, property: String, _ type: TypeSyntax?) {
    if isPhrase(type) { arguments[name, default: [:]][property] = type }
  }
}

/// True if the type is a phrase, several, one that may be absent, or has one in it.
func isPhrase(_ type: TypeSyntax?) -> Bool {
  guard let type, !type.is(FunctionTypeSyntax.self) else { return false }
  return type.tokens(viewMode: .sourceAccurate).contains { $0.text == "Phrase" }
}

/// The same for what stands at that place in a tuple of the type, where there is one.
func isPhrase(_ type: TypeSyntax?, at place: Int?) -> Bool {
  guard let place, let type else { return isPhrase(type) }
  let inner = type.as(ArrayTypeSyntax.self)?.element ?? type.as(OptionalTypeSyntax.self)?.wrappedType ?? type
  guard let tuple = inner.as(TupleTypeSyntax.self), place < tuple.elements.count else { return isPhrase(type) }
  return isPhrase(Array(tuple.elements)[place].type)
}

/// Reads what a file declares to take phrases.
final class Declarations: SyntaxVisitor {
  var takers = Takers()
  private var types: [String] = []

  private func enter(_ name: String) -> SyntaxVisitorContinueKind {
    types.append(name)
    return .visitChildren
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
  override func visitPost(_ node: StructDeclSyntax) { types.removeLast() }
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
  override func visitPost(_ node: ClassDeclSyntax) { types.removeLast() }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
  override func visitPost(_ node: EnumDeclSyntax) { types.removeLast() }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.extendedType.trimmedDescription)
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { types.removeLast() }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    takers.add(node.name.text, node.signature.parameterClause.parameters)
    return .visitChildren
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    if let type = types.last { takers.add(type, node.signature.parameterClause.parameters) }
    return .visitChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    for binding in node.bindings where binding.accessorBlock == nil {
      if let type = types.last {
        takers.add(type, property: binding.pattern.trimmedDescription, binding.typeAnnotation?.type)
      }
    }
    return .visitChildren
  }
}

/// Finds the literals that become phrases: in what is declared to be one, as an argument that is taken as one, before `as Phrase`.
final class Phrases: SyntaxVisitor {
  private(set) var found: [(key: String, line: Int)] = []
  private(set) var literals: [String] = []
  private let takers: Takers
  private let lines: SourceLocationConverter

  init(_ tree: SourceFileSyntax, _ takers: Takers) {
    (self.takers, lines) = (takers, SourceLocationConverter(fileName: "", tree: tree))
    super.init(viewMode: .sourceAccurate)
    walk(tree)
  }

  override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    let parts = node.joined
    // Literals that are added to one another are read with the first of them.
    guard parts.first == node else { return .visitChildren }
    let text = parts.map(key).joined()
    literals.append(text)
    let line = lines.location(for: node.positionAfterSkippingLeadingTrivia).line
    if let contextual = node.inContext {
      literals += contextual
      found += contextual.map { ($0, line) }
    } else if let lines = node.linesOfHelp {
      literals += lines
      found += lines.map { ($0, line) }
    } else if let nouns = node.counted {
      literals += nouns
      found += nouns.map { ($0, line) }
    } else if isPhrase(node, here: Syntax(node)) {
      found.append((text, line))
    }
    return .visitChildren
  }

  /// Climbs from the literal to what says its type.
  private func isPhrase(_ literal: StringLiteralExprSyntax, here: Syntax) -> Bool {
    guard let parent = here.parent else { return false }
    if let sequence = parent.as(SequenceExprSyntax.self) {
      if sequence.elements.contains(where: { $0.as(TypeExprSyntax.self)?.type.trimmedDescription == "Phrase" }),
        sequence.elements.contains(where: { $0.is(UnresolvedAsExprSyntax.self) })
      {
        return true
      }
      if literal.isCompared(in: sequence) { return false }
    }
    if let cast = parent.as(AsExprSyntax.self), cast.type.trimmedDescription == "Phrase" { return true }
    // What stands within a phrase is a value.
    if parent.is(ExpressionSegmentSyntax.self) { return false }
    if let argument = here.as(LabeledExprSyntax.self), let call = argument.call {
      return takes(call, argument, literal)
    }
    if parent.is(SwitchCaseItemSyntax.self) || parent.is(ConditionElementSyntax.self) { return false }
    if parent.is(SubscriptCallExprSyntax.self) { return false }
    if let binding = here.as(PatternBindingSyntax.self) ?? parent.as(PatternBindingSyntax.self) {
      return main.isPhrase(binding.typeAnnotation?.type, at: literal.placeInTuple)
    }
    if let function = parent.as(FunctionDeclSyntax.self) {
      return main.isPhrase(function.signature.returnClause?.type)
    }
    if let closure = parent.as(ClosureExprSyntax.self), let result = closure.signature?.returnClause {
      return main.isPhrase(result.type)
    }
    if let parameter = here.as(FunctionParameterSyntax.self) { return main.isPhrase(parameter.type) }
    return isPhrase(literal, here: parent)
  }

  private func takes(
    _ call: FunctionCallExprSyntax, _ argument: LabeledExprSyntax, _ literal: StringLiteralExprSyntax
  ) -> Bool {
    let number = call.arguments.prefix { $0 != argument }.count { $0.label == nil }
    let label = argument.label?.text ?? "\(number)"
    // What is appended to a list of phrases is one.
    if call.callee == "append" { return isPhrase(literal, here: Syntax(call)) }
    guard let type = takers.type(of: label, in: call.callee) else { return false }
    return main.isPhrase(type, at: literal.placeInTuple)
  }
}

extension FunctionCallExprSyntax {
  /// True if it is `Phrase.count`.
  var countsNouns: Bool {
    guard let member = calledExpression.as(MemberAccessExprSyntax.self) else { return false }
    return member.declName.baseName.text == "count" && [nil, "Phrase"].contains(member.base?.trimmedDescription)
  }

  /// The function's or the type's name. `Terminal.tell` takes text, and another `tell` a phrase; an event `.note` takes text.
  var callee: String {
    guard let member = calledExpression.as(MemberAccessExprSyntax.self) else {
      return calledExpression.trimmedDescription
    }
    let name = member.declName.baseName.text
    let base = member.base?.trimmedDescription
    return name != "count" && (base == "Terminal" || base == nil && name == "note") ? ".\(name)" : name
  }
}

extension LabeledExprSyntax {
  /// The call that this is an argument of, behind its list of arguments.
  var call: FunctionCallExprSyntax? { parent?.parent?.as(FunctionCallExprSyntax.self) }
  var firstLiteral: StringLiteralExprSyntax? { expression.as(StringLiteralExprSyntax.self) }
}

extension StringLiteralExprSyntax {
  /// The literals that are added to one another here, in order.
  var joined: [StringLiteralExprSyntax] {
    guard let elements = parent?.as(ExprListSyntax.self).map(Array.init),
      let place = elements.firstIndex(where: { $0.id == ExprSyntax(self).id })
    else { return [self] }
    func isJoint(_ index: Int) -> Bool {
      elements.indices.contains(index) && elements[index].trimmedDescription == "+"
    }
    func literal(_ index: Int) -> StringLiteralExprSyntax? {
      elements.indices.contains(index) ? elements[index].as(StringLiteralExprSyntax.self) : nil
    }
    var first = place
    while isJoint(first - 1), literal(first - 2) != nil { first -= 2 }
    var all = [literal(first) ?? self]
    while isJoint(first + 1), let next = literal(first + 2) {
      all.append(next)
      first += 2
    }
    return all
  }

  func isCompared(in sequence: SequenceExprSyntax) -> Bool {
    let elements = Array(sequence.elements)
    guard let place = elements.firstIndex(where: { $0.id == ExprSyntax(self).id }) else { return false }
    return [place - 1, place + 1].contains {
      elements.indices.contains($0) && ["==", "!="].contains(elements[$0].trimmedDescription)
    }
  }

  /// Its place in the tuple that it stands in, nil where it stands in none.
  var placeInTuple: Int? {
    var here: Syntax? = Syntax(self)
    while let next = here {
      if let element = next.as(LabeledExprSyntax.self) {
        guard let tuple = next.parent?.parent?.as(TupleExprSyntax.self), tuple.elements.count > 1 else { return nil }
        return Array(tuple.elements).firstIndex(of: element)
      }
      here = next.parent
    }
    return nil
  }

  /// The lines of a help text, which are translated when it is shown, without the commands of its examples; nil of other texts.
  var linesOfHelp: [String]? {
    let labels = ["help", "abstract", "discussion"]
    guard let label = parent?.as(LabeledExprSyntax.self)?.label?.text, labels.contains(label) else { return nil }
    return key(self).split(separator: "\n").filter { !$0.hasPrefix(" ") }.map(String.init)
  }

  /// The key of `Phrase("word", of: "context")`; nil where this is not its word or context, none for the context.
  var inContext: [String]? {
    guard let argument = parent?.as(LabeledExprSyntax.self), let call = argument.call, call.callee == "Phrase",
      let context = call.arguments.first(where: { $0.label?.text == "of" })
    else { return nil }
    guard argument != context, let context = context.firstLiteral else { return [] }
    return ["\(key(context))|\(key(self))"]
  }

  /// The keys of `Phrase.count(number, "noun")`, singular and plural; nil where this is no noun that is counted.
  var counted: [String]? {
    guard let argument = parent?.as(LabeledExprSyntax.self), let call = argument.call, call.countsNouns,
      argument.label == nil, let place = call.arguments.firstIndex(of: argument), place != call.arguments.startIndex
    else { return nil }
    let literals = call.arguments.compactMap(\.firstLiteral)
    guard literals.first == self else { return [] }
    return ["{} \(key(self))", literals.count > 1 ? "{} \(key(literals[1]))" : "{} \(key(self))s"]
  }
}

/// One entry of a catalogue's file.
struct Translation {
  var file: String
  var line: Int
  var key: String

  static func all(in folder: String) throws -> [Translation] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted().flatMap { name in
      try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false
      )
      .enumerated().compactMap { number, line in
        // A no-break space is written as YAML has it.
        let json = "{\(line.replacing("\\_", with: "\u{A0}"))}"
        guard line.hasPrefix("\""), let entry = try? JSONDecoder().decode([String: String].self, from: Data(json.utf8))
        else { return nil }
        return entry.keys.first.map { Translation(file: "\(folder)/\(name)", line: number + 1, key: $0) }
      }
    }
  }
}

/// A word that several modules say and that means the same in each.
struct Shared {
  var line: Int
  var word: String
  var reason: String

  static func all(in file: String) -> [Shared] {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return [] }
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { number, line in
      guard !line.hasPrefix("#"), let colon = line.firstIndex(of: ":") else { return nil }
      let reason = line[line.index(after: colon)...].drop { $0 == " " }
      return Shared(line: number + 1, word: String(line[..<colon]), reason: String(reason))
    }
  }
}

/// Words that two modules say, of which nobody has looked whether both mean the same; and reasons that no word needs.
func sharedWordFaults(_ words: [String: [String: String]], reasons: [Shared]) -> [String] {
  let shared = words.filter { $0.value.count > 1 }
  let known = Set(reasons.filter { !$0.reason.isEmpty }.map(\.word))
  let unlooked = shared.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }.map { word, places in
    let places = places.sorted { $0.key < $1.key }
    return "\(places[0].value): error: “\(word)” is said at \(places[1].value), too: write Phrase(\"\(word)\", of: …), "
      + "or say in Scripts/Phrases/shared-words.txt why one word does for both"
  }
  return unlooked
    + reasons.filter { shared[$0.word] == nil || $0.reason.isEmpty }.map {
      "Scripts/Phrases/shared-words.txt:\($0.line): error: “\($0.word)” is not said by two modules, or has no reason"
    }
}

let folders =
  ["LessonKit", "Exercises", "Measuring", "Reports", "Pages", "workbench"].map { "Sources/\($0)" } + ["Lessons"]
/// The files with translations of what sources alone say.
let sourcesAlone = ["commands", "exercises", "help"].map { "/\($0).yml" }

let trees = folders.map { folder in
  (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).sorted()
    .filter { $0.hasSuffix(".swift") && !$0.contains("exercise/") }
    .map {
      ("\(folder)/\($0)", Parser.parse(source: (try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) ?? ""))
    }
}
let translations = try Translation.all(in: "Lessons/Texts/zh-Hans")
let known = Set(translations.map(\.key))
var (faults, said) = ([String](), Set<String>())
/// The place where each word that is a phrase by itself is said first, by the module.
var words: [String: [String: String]] = [:]
for (index, folder) in folders.enumerated() {
  // LessonKit sees itself alone, the commands see everything.
  let declarations = Declarations(viewMode: .sourceAccurate)
  for (place, files) in trees.enumerated() where place == 0 || place == index || folder == "Sources/workbench" {
    for (_, tree) in files { declarations.walk(tree) }
  }
  for (file, tree) in trees[index] {
    let phrases = Phrases(tree, declarations.takers)
    said.formUnion(phrases.literals)
    for (key, line) in phrases.found
    where key.replacing("{}", with: "").contains(where: \.isLetter) && !known.contains(key) {
      faults.append("\(file):\(line): error: “\(key)” has no translation")
    }
    for (key, line) in phrases.found
    where key.contains(where: \.isLetter) && key.allSatisfy({ $0.isLetter || $0 == "-" })
      && words[key]?[folder] == nil
    {
      words[key, default: [:]][folder] = "\(file):\(line)"
    }
  }
}
for entry in translations where sourcesAlone.contains(where: entry.file.hasSuffix) && !said.contains(entry.key) {
  faults.append("\(entry.file):\(entry.line): error: nothing says “\(entry.key)”")
}
faults += sharedWordFaults(words, reasons: Shared.all(in: "Scripts/Phrases/shared-words.txt"))
for fault in faults { print(fault) }
guard faults.isEmpty else { exit(1) }
print("phrases: all that sources say is translated, \(known.count) keys")
