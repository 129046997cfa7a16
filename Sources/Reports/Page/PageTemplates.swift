// SPDX-License-Identifier: Apache-2.0
import Mustache

/// The page's templates. Two braces escape a value, three put finished HTML in.
struct PageTemplates {
  private let library: MustacheLibrary

  /// - Throws: a `MustacheTemplate.Error` for a template that is none.
  init() throws {
    var library = MustacheLibrary()
    for (name, text) in [
      ("page", Self.page), ("lesson", Self.lesson), ("figure", Self.figure), ("claims", Self.claims),
      ("table", Self.table), ("strip", Self.strip), ("checked", Self.checked),
    ] {
      try library.register(text, named: name)
    }
    self.library = library
  }

  /// The template of that name with these values; empty for a name that there is none of.
  func render(_ name: String, _ values: [String: Any]) -> String { library.render(values, withTemplate: name) ?? "" }

  private static let page = """
    <!DOCTYPE html>
    <html lang="{{language}}">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    {{#policy}}<meta http-equiv="Content-Security-Policy" content="{{{.}}}">
    {{/policy}}{{{head}}}
    <title>{{title}}</title>
    <style nonce="{{nonce}}">{{{style}}}</style>
    </head>
    <body>
    <a class="skip" href="#content">{{skip}}</a>
    {{{top}}}
    <header>
    <h1>{{title}}</h1>
    {{#circumstances}}<p>{{.}}</p>
    {{/circumstances}}{{#remarks}}<p class="remark">{{.}}</p>
    {{/remarks}}
    </header>
    <svg class="shapes" width="0" height="0" aria-hidden="true" focusable="false"><defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-back" width="6" height="6"/><line class="hatch-line" x1="0" x2="0" y1="0" y2="6"/></pattern>{{#shapes}}<path id="{{id}}" d="{{path}}"/>{{/shapes}}</defs></svg>
    <main id="content">
    {{{summary}}}
    {{#legend}}<details class="meaning"><summary>{{name}}</summary><ul class="legend" aria-label="{{name}}">{{#entries}}<li><svg width="22" height="16" aria-hidden="true" focusable="false">{{{svg}}}</svg>{{words}}</li>{{/entries}}</ul>
    <p class="hint">{{hint}}</p></details>
    {{/legend}}
    {{{content}}}
    </main>
    {{#circumstances}}<footer><p>{{.}}</p></footer>
    {{/circumstances}}    <script type="application/json" id="words">{{{words}}}</script>
    <script nonce="{{nonce}}">{{{script}}}</script>
    </body>
    </html>

    """

  private static let lesson = """
    <section class="lesson" id="{{id}}" aria-labelledby="{{id}}-title">
    <h2 id="{{id}}-title">{{title}}</h2>
    {{#incomplete}}<p class="remark">{{.}}</p>
    {{/incomplete}}
    <nav aria-label="{{title}}"><ul>{{#places}}<li><a href="#{{anchor}}">{{name}}</a></li>{{/places}}</ul></nav>
    {{#question}}<details class="question"><summary><strong>{{title}}</strong> {{text}}</summary><ol>{{#answers}}<li>{{.}}</li>{{/answers}}</ol><details><summary>{{show}}</summary><p>{{answer}}</p></details></details>
    {{/question}}{{{strip}}}
    {{#measured}}<h3 id="{{id}}-compared">{{title}}</h3>
    {{#subject}}<p class="subject">{{.}}</p>
    {{/subject}}
    {{{table}}}
    {{/measured}}
    {{#figures}}{{{.}}}{{/figures}}
    {{#claims}}{{{.}}}{{/claims}}
    {{#text}}<div class="text" id="{{id}}-text">{{{.}}}</div>
    {{/text}}
    {{#code}}<details class="sources" id="{{id}}-code"><summary>{{title}}</summary>{{{html}}}</details>
    {{/code}}
    </section>

    """

  private static let strip = """
    <section class="strip" aria-label="{{label}}">
    {{#examples}}<div class="example {{side}}" data-of="{{anchor}}">
    <p class="which{{#role}} {{.}}{{/role}}">{{#words}}<strong>{{.}}</strong> {{/words}}<a href="#{{anchor}}">{{id}}</a> <span>{{facts}}</span></p>
    <div class="pan">{{{svg}}}</div>
    {{{file}}}<p class="moment" role="status"></p>
    </div>
    {{/examples}}</section>

    """

  private static let figure = """
    <figure class="compare">
    {{#difference}}<figcaption>{{.}}</figcaption>
    {{/difference}}
    {{#examples}}<div class="example {{side}}" id="{{anchor}}">
    <h{{level}}>{{id}}</h{{level}}>
    <p class="what">{{title}}</p>
    <dl class="facts">{{#facts}}<div><dt>{{name}}</dt><dd{{#style}} class="{{.}}"{{/style}}>{{value}}</dd></div>{{/facts}}</dl>
    <div class="pan">{{{svg}}}</div>
    <script type="application/json">{{{data}}}</script>
    {{#file}}{{{.}}}
    {{/file}}<p class="moment" role="status"></p>
    <details><summary>{{more}}</summary>{{#details}}<h{{level}}>{{title}}</h{{level}}><ul>{{#rows}}<li>{{text}}{{#heads}}<details><summary>{{name}}</summary><pre class="heads">{{lines}}</pre></details>{{/heads}}</li>{{/rows}}</ul>{{/details}}</details>
    </div>
    {{/examples}}
    </figure>

    """

  private static let checked = """
    <div class="columns">{{#figures}}<figure class="checked {{role}}"><figcaption><strong>{{words}}</strong></figcaption>
    <div class="pan">{{{svg}}}</div>
    {{#table}}<div class="scroll" tabindex="0" role="region" aria-label="{{label}}"><table><thead><tr>{{#columns}}<th scope="col">{{.}}</th>{{/columns}}</tr></thead><tbody>{{#rows}}<tr{{#style}} class="{{.}}"{{/style}}><td>{{sign}}</td>{{#cells}}<td>{{.}}</td>{{/cells}}</tr>{{/rows}}</tbody></table></div>
    {{/table}}<p class="source">{{circumstances}}</p></figure>{{/figures}}</div>
    """

  private static let claims = """
    <h{{level}} id="{{anchor}}">{{title}}</h{{level}}>
    {{#claims}}<article class="claim {{style}}">
    <h{{below}}><span class="verdict {{kind}}">{{sign}} {{verdict}}</span> {{id}} {{sentence}}</h{{below}}>
    {{#expected}}<p class="remark">{{.}}</p>
    {{/expected}}
    <p class="source">{{source}}</p>
    {{#rows}}<div class="scroll" tabindex="0" role="region" aria-label="{{id}}"><table><thead><tr><th scope="col">{{what}}</th><th scope="col">{{measured}}</th><th scope="col">{{bounds}}</th></tr></thead><tbody>{{#findings}}<tr><td>{{sign}} {{what}}</td><td>{{measured}}</td><td>{{bound}}</td></tr>{{/findings}}</tbody></table></div>
    {{/rows}}
    {{#explanation}}<p>{{.}}</p>
    {{/explanation}}{{#toolchain}}<p>{{.}}</p>
    {{/toolchain}}
    </article>
    {{/claims}}

    """

  private static let table = """
    {{#title}}<h2>{{.}}</h2>
    {{/title}}
    <div class="scroll" tabindex="0" role="region" aria-label="{{label}}"><table class="{{^wraps}}head{{/wraps}}{{#wraps}}lessons{{/wraps}}"><thead><tr>{{#columns}}<th scope="col">{{.}}</th>{{/columns}}</tr></thead><tbody>
    {{#rows}}<tr class="{{style}}"><th scope="row">{{#anchor}}<a href="#{{anchor}}">{{name}}</a>{{/anchor}}{{^anchor}}{{name}}{{/anchor}}</th>{{#cells}}<td{{#isWrong}} class="spoilt"{{/isWrong}}>{{.}}</td>{{/cells}}</tr>
    {{/rows}}
    </tbody></table></div>

    """
}
