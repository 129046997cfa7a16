// SPDX-License-Identifier: Apache-2.0

/// The page's script: pointing at a moment of a drawing shows what each lane did then, in all examples of the figure; the
/// arrow keys step from callback to callback. Plus, minus and the wheel with Ctrl zoom all drawings of a figure about one
/// moment, Shift with the arrows and a drag move them. The page says everything without it, too.
enum PageScript {
  static let text = """

    'use strict';
    const words = JSON.parse(document.getElementById('words').textContent);
    const number = (value, digits) => value.toFixed(digits);
    const size = b => { const a = Math.abs(b), s = '\\u00a0';
      return a < 1024 ? b + s + 'B' : a < 1048576 ? number(b / 1024, 0) + s + 'KiB'
        : a < 1073741824 ? number(b / 1048576, 1) + s + 'MiB' : number(b / 1073741824, 2) + s + 'GiB'; };
    const time = t => t < 0.0995 ? number(t * 1000, t < 0.00995 ? 1 : 0) + '\\u00a0ms' : number(t, 2) + '\\u00a0s';
    const within = (pair, t) => pair && t >= pair[0] && t <= pair[1];
    function describe(data, t) {
      const near = data.duration / 400, parts = [time(t)];
      const isOver = span => span[1] !== null && t >= span[1];
      const transfer = span => span[3] + ' ' + (isOver(span) ? data.labels[span[2]]
        : span[4] && t < span[4] ? words.connecting : span[5] && t < span[5] ? words.waiting : words.loading);
      const request = span => data.labels[span[2]] + ' · ' + (isOver(span) ? data.labels[span[5]]
        : span[4] === null ? words.asked : t < span[4] ? words.waiting : words.answering);
      if (within(data.touch, t)) parts.push(words.touch);
      if (within(data.stop, t)) parts.push(words.stop);
      if (data.gaps.some(gap => within(gap, t))) parts.push(words.silent);
      for (const lane of data.lanes) {
        const counts = new Map();
        for (const [at, kind, thread, count] of data.ticks)
          if (thread === lane.thread && Math.abs(at - t) <= near) counts.set(kind, (counts.get(kind) || 0) + count);
        const said = [...counts].map(([kind, count]) => {
          const { name, place: usual, touched } = data.kinds[kind];
          const place = within(data.touch, t) && touched[lane.thread] || usual[lane.thread];
          return name + ' ' + count + '×' + (place ? ' (' + place + ')' : '');
        });
        parts.push(lane.label + ': ' + (said.join(', ') || '–'));
      }
      for (const [spans, word, label] of [[data.loads, words.library, transfer], [data.requests, words.server, request]]) {
        const open = spans.filter(([began, ended]) => began <= t && (ended === null || ended + near >= t));
        if (open.length) parts.push(word + ': ' + open.slice(0, 3).map(label).join(', ') + (open.length > 3 ? ' …' : ''));
      }
      let level = null;
      for (const [at, bytes] of data.curve) if (at <= t + near) level = bytes;
      if (level !== null) parts.push(words.memory + ' ' + size(level));
      return parts.join(' · ');
    }
    for (const figure of document.querySelectorAll('.compare, .strip')) {
      const boxes = [...figure.querySelectorAll('.example')].map(box => {
        const svg = box.querySelector('svg.drawing'), whole = box.dataset.of ? document.getElementById(box.dataset.of) : box;
        const data = JSON.parse(whole.querySelector('script').textContent);
        return { svg, pan: svg.parentElement, data: { ...data, duration: Number(svg.dataset.duration) || data.duration }, out: box.querySelector('.moment') }; });
      let now = 0, scale = 1;
      const share = box => box.pan.scrollLeft / box.svg.getBoundingClientRect().width;
      const move = to => { for (const { pan, svg } of boxes) {
        pan.scrollLeft = to * svg.getBoundingClientRect().width;
        for (const name of svg.querySelectorAll('.lane')) name.setAttribute('x', 100 * share({ pan, svg }) + '%'); } };
      // What lies at `at`, a share of the axis, stays where it is in the window.
      const zoom = (factor, at) => { const first = share(boxes[0]), next = Math.min(32, Math.max(1, scale * factor));
        for (const { pan, svg } of boxes) { svg.setAttribute('width', 100 * next + '%'); pan.classList.toggle('zoomed', next > 1); }
        move(at - (at - first) * scale / next); scale = next; };
      const reveal = at => { const first = share(boxes[0]);
        if (at < first || at > first + 1 / scale) move(at - 0.5 / scale); };
      const show = (t, spoken) => { now = t;
        for (const { svg, out, data } of boxes) {
          const line = svg.querySelector('.cursor'), x = 100 * t / data.duration + '%';
          line.setAttribute('x1', x); line.setAttribute('x2', x); line.setAttribute('visibility', 'visible');
          out.setAttribute('aria-live', spoken ? 'polite' : 'off'); out.textContent = describe(data, t); } };
      const hide = () => { for (const { svg, out } of boxes) {
        svg.querySelector('.cursor').setAttribute('visibility', 'hidden'); out.textContent = ''; } };
      for (const { svg, pan, data } of boxes) {
        const at = event => { const place = svg.getBoundingClientRect();
          return Math.min(1, Math.max(0, (event.clientX - place.left) / place.width)); };
        pan.addEventListener('scroll', () => { if (Math.abs(share(boxes[0]) - share({ pan, svg })) > 0.0001
          || Number.parseFloat(svg.querySelector('.lane').getAttribute('x')) / 100 !== share({ pan, svg })) move(share({ pan, svg })); });
        svg.addEventListener('pointermove', event => {
          if (event.pointerType === 'mouse' && event.buttons === 1 && scale > 1)
            move(share({ pan, svg }) - event.movementX / svg.getBoundingClientRect().width);
          else show(data.duration * at(event), false); });
        svg.addEventListener('wheel', event => { if (!event.ctrlKey) return;
          event.preventDefault(); zoom(event.deltaY < 0 ? 1.25 : 0.8, at(event)); }, { passive: false });
        svg.addEventListener('keydown', event => {
          const middle = share(boxes[0]) + 0.5 / scale;
          const about = svg.querySelector('.cursor').getAttribute('visibility') === 'visible' ? now / data.duration : middle;
          const order = event.ctrlKey || event.metaKey || event.altKey ? undefined
            : event.shiftKey && event.key === 'ArrowRight' ? () => move(share(boxes[0]) + 0.2 / scale)
            : event.shiftKey && event.key === 'ArrowLeft' ? () => move(share(boxes[0]) - 0.2 / scale)
            : { '+': () => zoom(2, about), '=': () => zoom(2, about), '-': () => zoom(0.5, about), '0': () => zoom(1 / scale, 0) }[event.key];
          if (order) { event.preventDefault(); order(); return; }
          const all = data.ticks.map(tick => tick[0]);
          const visible = svg.querySelector('.cursor').getAttribute('visibility') === 'visible';
          const next = { ArrowRight: all.find(t => !visible || t > now), Home: all[0], End: all[all.length - 1],
            ArrowLeft: all.filter(t => t < now).pop() }[event.key];
          if (event.key === 'Escape') hide();
          if (next === undefined) return;
          event.preventDefault(); show(next, true); reveal(next / data.duration); });
      }
    }
    if (/[?&]projector\\b/.test(location.search)) document.documentElement.classList.add('projector');
    addEventListener('beforeprint', () => { for (const d of document.querySelectorAll('details')) if (!d.closest('.example')) d.open = true; });

    """
}
