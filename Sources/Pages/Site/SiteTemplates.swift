// SPDX-License-Identifier: Apache-2.0
import Mustache

/// The templates of what stands on this site's pages only. Two braces escape a value, three put finished HTML in.
struct SiteTemplates: Sendable {
  private let library: MustacheLibrary

  /// - Throws: a template's error, which no text of a person causes.
  init() throws {
    var library = MustacheLibrary()
    for (name, text) in Self.all { try library.register(text, named: name) }
    self.library = library
  }

  /// The template of that name with these values.
  func render(_ name: String, _ values: [String: Any]) -> String { library.render(values, withTemplate: name) ?? "" }

  private static let all = [
    "top": top, "lessons": lessons, "order": order, "live": live, "history": history, "exercises": exercises,
    "exercise": exercise, "outcome": outcome, "state": state, "check": check, "claims": claims, "behaviour": behaviour,
    "course": "<div class=\"text\">{{{html}}}</div>", "glossary": glossary, "pitfalls": pitfalls, "formats": formats,
    "text": "{{text}}", "link": "<p><a href=\"{{path}}\">{{name}}</a></p>",
  ]

  private static let top = """
    <div class="top"><nav aria-label="{{label}}"><ul>{{#places}}<li><a href="{{path}}"{{#current}} aria-current="{{.}}"{{/current}}>{{name}}</a></li>{{/places}}{{#running}}<li><a class="running" href="/run">{{.}}</a></li>{{/running}}</ul></nav>
    <form method="post" action="/language" aria-label="{{choose}}"><input type="hidden" name="to" value="{{address}}">{{#languages}}<button name="language" value="{{code}}" lang="{{code}}" aria-pressed="{{pressed}}">{{name}}</button>{{/languages}}</form></div>
    """

  private static let lessons = """
    <p>{{intro}}</p>
    <section class="order" aria-label="{{all}}"><form method="post" action="/run"><p><label>{{size}} <select name="size">{{#sizes}}<option value="{{bytes}}"{{#chosen}} selected{{/chosen}}>{{words}}</option>{{/sizes}}</select></label> <button class="go" name="all" value="1">{{all}}</button></p></form></section>
    <div class="scroll" tabindex="0" role="region" aria-label="{{label}}"><table class="overview"><thead><tr>{{#columns}}<th scope="col">{{.}}</th>{{/columns}}</tr></thead><tbody>
    {{#rows}}<tr><td>{{number}}</td><th scope="row"><a href="/lessons/{{id}}">{{title}}</a></th><td>{{minutes}}</td><td>{{examples}}</td><td>{{claims}}</td><td>{{#exercise}}<a href="/exercises/{{id}}">{{state}}</a>{{/exercise}}</td></tr>
    {{/rows}}</tbody></table></div>

    """

  private static let order = """
    <section class="order" aria-label="{{run}}"><form method="post" action="/run"><input type="hidden" name="lesson" value="{{lesson}}">
    {{#question}}<fieldset><legend>{{title}}</legend><p>{{text}}</p>{{#answers}}<label><input type="radio" name="answer" value="{{number}}"> {{text}}</label>{{/answers}}</fieldset>
    {{/question}}<p><label>{{size}} <select name="size">{{#sizes}}<option value="{{bytes}}"{{#chosen}} selected{{/chosen}}>{{words}}</option>{{/sizes}}</select></label> <button class="go" name="example" value="">{{run}}</button></p>
    <details><summary>{{one}}</summary><ul class="examples">{{#examples}}<li><button name="example" value="{{id}}" aria-label="{{label}}">{{button}}</button> <code>{{id}}</code> {{title}}</li>{{/examples}}</ul></details>
    </form>{{#exercise}}<p>{{word}}: <a href="/exercises/{{id}}">{{title}}</a> ({{state}})</p>{{/exercise}}{{#earlier}}<h2>{{title}}</h2><ul>{{#runs}}<li><a href="/runs/{{id}}">{{date}} {{name}}</a></li>{{/runs}}</ul>{{/earlier}}</section>

    """

  private static let live = """
    <section id="live"{{#from}} data-from="{{.}}"{{/from}}>
    <p id="now" role="status">{{words}}</p>
    {{#running}}<p><progress id="bar" max="{{total}}" value="{{done}}" aria-label="{{label}}"></progress></p>
    <form method="post" action="/run/stop"><button class="stop">{{stop}}</button></form>
    {{/running}}{{#next}}<p><a href="{{path}}">{{name}}</a></p>
    {{/next}}{{#table}}<div class="scroll" tabindex="0" role="region" aria-label="{{label}}"><table class="head"><thead><tr>{{#columns}}<th scope="col">{{.}}</th>{{/columns}}</tr></thead><tbody id="rows">{{#rows}}<tr class="{{side}}"><th scope="row">{{name}}</th>{{#cells}}<td>{{.}}</td>{{/cells}}</tr>{{/rows}}</tbody></table></div>
    {{/table}}</section>

    """

  private static let history = """
    <p>{{where}}</p>
    {{#some}}<form action="/compare"><div class="scroll" tabindex="0" role="region" aria-label="{{label}}"><table><thead><tr>{{#columns}}<th scope="col">{{.}}</th>{{/columns}}</tr></thead><tbody>
    {{#rows}}<tr><th scope="row"><a href="/runs/{{id}}">{{name}}</a></th><td>{{date}}</td><td><input type="radio" name="before" value="{{id}}" aria-label="{{before}}"{{#isBefore}} checked{{/isBefore}}></td><td><input type="radio" name="after" value="{{id}}" aria-label="{{after}}"{{#isAfter}} checked{{/isAfter}}></td></tr>
    {{/rows}}</tbody></table></div><p><button class="go">{{compare}}</button></p></form>
    {{/some}}
    """

  private static let exercises = """
    <p>{{intro}}</p>
    <div class="scroll" tabindex="0" role="region" aria-label="{{label}}"><table class="overview"><thead><tr>{{#columns}}<th scope="col">{{.}}</th>{{/columns}}</tr></thead><tbody>
    {{#rows}}<tr><th scope="row"><a href="/exercises/{{id}}">{{title}}</a></th><td>{{id}}</td><td>{{minutes}}</td><td>{{points}}</td><td>{{state}}</td></tr>
    {{/rows}}</tbody></table></div>

    """

  private static let exercise = """
    <section class="order" aria-label="{{work}}">{{> state}}
    {{#file}}<p>{{words}} <code>{{path}}</code></p>{{/file}}
    <div class="buttons">{{#buttons}}<form method="post" action="/exercises/{{action}}"><input type="hidden" name="exercise" value="{{id}}"><button class="{{style}}">{{name}}</button></form>
    {{/buttons}}</div>
    {{#watch}}<p id="watch" role="status" data-exercise="{{id}}" data-number="{{number}}"></p>
    {{/watch}}{{> check}}
    {{#hints}}<h2>{{title}}</h2><ol>{{#texts}}<li>{{.}}</li>{{/texts}}</ol>{{/hints}}</section>
    <div class="text">{{{task}}}<p><a href="/lessons/{{lesson}}">{{back}}</a></p></div>

    """

  private static let outcome = "{{> state}}{{> check}}"

  private static let state = """
    <p id="state">{{state}}</p>
    """

  private static let check = """
    <div id="outcome" aria-live="polite">{{#check}}<h2>{{title}}</h2><p class="{{style}}">{{words}}</p>{{/check}}{{#trouble}}<p class="failing">{{.}}</p>{{/trouble}}{{#check}}{{#why}}<p>{{.}}</p>{{/why}}{{#compiler}}<pre tabindex="0" role="region" aria-label="{{title}}"><code>{{.}}</code></pre>{{/compiler}}{{#advice}}<p class="advice">{{.}}</p>{{/advice}}
    <ul class="checks">{{#checks}}<li><strong>{{sign}} {{title}}</strong><br>{{wantedWord}}: {{wanted}}<br>{{measuredWord}}: {{measured}}{{{figure}}}</li>{{/checks}}</ul>{{/check}}
    {{#passed}}<h2>{{title}}</h2><div class="text">{{{html}}}</div>
    <details><summary>{{solution}}</summary><pre tabindex="0" role="region" aria-label="{{solution}}"><code>{{code}}</code></pre></details>{{/passed}}</div>
    """

  private static let claims = """
    {{#notes}}<h2>{{title}}</h2><ul class="claims">{{#claims}}<li><strong>{{id}}</strong> {{sentence}}{{#quote}} <q>{{.}}</q>{{/quote}} <span class="source">{{expected}}{{#lessons}} · <a href="/lessons/{{id}}">{{id}}</a>{{/lessons}}</span></li>{{/claims}}</ul>
    {{/notes}}
    """

  private static let glossary = """
    <div class="text">{{{intro}}}
    {{#entries}}<section class="term" id="{{anchor}}"><h2>{{word}}</h2>{{{html}}}</section>
    {{/entries}}</div>

    """

  private static let pitfalls = """
    <div class="text"><p>{{intro}}</p>
    {{#entries}}<section class="term" id="{{name}}"><h2><code>{{name}}</code> ({{grade}})</h2><p>{{harm}}</p><p>{{cure}}</p>
    <p><a href="/lessons/{{id}}">{{lesson}}</a>{{#examples}} · <a href="/lessons/{{id}}">{{id}}</a> <code>{{example}}</code>{{/examples}}</p></section>
    {{/entries}}</div>

    """

  private static let formats = """
    <p class="buttons">{{#formats}}<a class="button" href="{{path}}" download="{{file}}">{{name}}</a>{{/formats}}</p>

    """

  private static let behaviour = """
    <p>{{sum}}</p>
    <section class="order" aria-label="{{choose}}"><form action="/behaviour"><p><label>{{choose}} <select name="feature">{{#features}}<option value="{{value}}"{{#chosen}} selected{{/chosen}}>{{name}}</option>{{/features}}</select></label> <button class="go">{{show}}</button></p></form></section>
    {{#overview}}<div class="scroll" tabindex="0" role="region" aria-label="{{label}}"><table class="overview"><thead><tr>{{#columns}}<th scope="col">{{.}}</th>{{/columns}}</tr></thead><tbody>
    {{#rows}}<tr><th scope="row"><a href="/behaviour?feature={{address}}">{{name}}</a></th><td>{{rows}}</td><td>{{ours}}</td><td>{{toolchain}}</td></tr>
    {{/rows}}</tbody></table></div>
    {{/overview}}{{{tables}}}
    """
}
