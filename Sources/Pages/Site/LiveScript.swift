// SPDX-License-Identifier: Apache-2.0

/// The scripts of pages that fill themselves from an event stream. One that is lost comes back by itself.
enum LiveScript {
  /// The script of a run under way: what the stream says goes into the page, which gives way to the outcome at the end. A
  /// browser that comes back says where it was.
  static let text = """

    const live = document.getElementById('live');
    if (live && live.dataset.from) {
      const now = document.getElementById('now'), bar = document.getElementById('bar');
      const rows = document.getElementById('rows');
      const stream = new EventSource('/run/events?from=' + live.dataset.from);
      const hear = (name, act) => stream.addEventListener(name, event => act(JSON.parse(event.data)));
      hear('progress', told => { now.textContent = told.words; bar.max = told.total; bar.value = told.done; });
      hear('row', told => {
        if (!rows) return;
        const row = rows.insertRow(), head = document.createElement('th');
        row.className = told.side; head.scope = 'row'; head.textContent = told.name; row.append(head);
        for (const cell of told.cells) row.insertCell().textContent = cell;
        bar.value += 1;
      });
      hear('end', told => { stream.close(); location.replace(told.to); });
    }

    """

  /// The script of an exercise's page: it hears how its checks go, and shows what the last one found. A page that is out of
  /// sight lets its stream go, since a browser has six connections to a server and no more.
  static let exercise = """

    const watch = document.getElementById('watch');
    if (watch) {
      let stream = null, number = Number(watch.dataset.number);
      const path = '/exercises/' + watch.dataset.exercise;
      const refresh = async () => {
        const answer = await fetch(path + '/outcome');
        if (!answer.ok) return;
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        for (const id of ['state', 'outcome'])
          document.getElementById(id).replaceChildren(...page.getElementById(id).childNodes);
      };
      const open = () => {
        stream = new EventSource(path + '/events');
        stream.addEventListener('state', event => {
          const told = JSON.parse(event.data);
          watch.textContent = told.words;
          if (told.number !== number) { number = told.number; refresh(); }
        });
      };
      const close = () => { if (stream) stream.close(); stream = null; };
      const follow = () => { if (document.hidden) close(); else if (!stream) open(); };
      document.addEventListener('visibilitychange', follow);
      addEventListener('pagehide', close);
      follow();
    }

    """
}
