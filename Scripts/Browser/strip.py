# SPDX-License-Identifier: Apache-2.0
"""Looks at the strip with which a lesson's page begins, at a desk and on a projector: two drawings on one axis, no higher than a
projector shows, letters to be read from the last row, the lanes alone that matter; the touch where the run had it; and what the
pointer says at random moments against the run's own JSON."""
import json
import random

import moments

RUNS = {"lesson-05": "20261123T000002Z-lesson-05-4MiB", "lesson-09": "20261123T000003Z-lesson-09-4MiB",
        "lesson-22": "20261123T000004Z-lesson-22-4MiB"}
HIGHEST = 700
PROJECTOR = {"width": 1024, "height": 768}
LETTERS = 18
MOST_LANES = 4  # main, the busiest other thread, the server, memory

# Of each drawing of the strip its place, its axis, its lanes and bands; of the whole strip the size of each text as it is painted,
# and pairs of texts of a drawing that lie over each other.
STRIP = """() => {
  const strip = document.querySelector('.strip'), box = e => { const b = e.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; };
  const drawings = [...strip.querySelectorAll('svg.drawing')].map(svg => ({ place: box(svg), duration: Number(svg.dataset.duration),
    lanes: [...svg.querySelectorAll('text.lane')].map(e => e.textContent),
    touch: [...svg.querySelectorAll('.touch rect')].map(box)[0] || null }));
  const own = e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
  const texts = [...strip.querySelectorAll('*')].filter(e => own(e) && e.getClientRects().length && !e.closest('title, .moment'));
  const sizes = texts.map(e => { const svg = e.closest('svg');
    return [Number.parseFloat(getComputedStyle(e).fontSize) * (svg ? svg.currentCSSZoom : 1), e.textContent.trim()]; });
  const over = [];
  for (const svg of strip.querySelectorAll('svg')) { const all = [...svg.querySelectorAll('text')];
    for (const [i, a] of all.entries()) for (const b of all.slice(i + 1)) {
      const [p, q] = [box(a), box(b)];
      if (Math.min(p[0] + p[2], q[0] + q[2]) - Math.max(p[0], q[0]) > 2 && Math.min(p[1] + p[3], q[1] + q[3]) - Math.max(p[1], q[1]) > 4)
        over.push(a.textContent + ' / ' + b.textContent); } }
  return { place: box(strip), drawings, sizes, over, of: [...strip.querySelectorAll('.example')].map(e => e.dataset.of) };
}"""

# The bands of touches in the figures, with the places of their drawings.
BANDS = """() => [...document.querySelectorAll('.compare .example')].map(e => { const box = b => [b.left, b.top, b.width, b.height];
  const svg = e.querySelector('svg.drawing'), band = svg.querySelector('.touch rect'), data = JSON.parse(e.querySelector('script').textContent);
  return [data.id, data.duration, box(svg.getBoundingClientRect()), band && box(band.getBoundingClientRect())]; })"""


def check_band(note, where, example, duration, drawing, band):
    """The band of the touch begins and ends within a pixel of the touch."""
    touch = moments.touch_of(example)
    if (touch is None) != (band is None):
        note(f"{where}: a band of the touch is {'missing' if band is None else 'drawn without a touch'}")
    if touch is None or band is None:
        return 0
    left, width = drawing[0], drawing[2]
    for name, instant, x in (("begins", touch["began"], band[0]), ("ends", touch["ended"], band[0] + band[2])):
        due = left + width * instant / duration
        if abs(due - x) > 1:
            note(f"{where}: the touch {name} at {x:.1f} px, and the run had it at {due:.1f} px")
    return 1


def check_strip(page, note, where, examples, letters):
    """Two drawings on one axis; returns how many bands were compared."""
    strip = page.evaluate(STRIP)
    drawings = strip["drawings"]
    if len(drawings) != 2:
        note(f"{where}: {len(drawings)} drawings")
        return 0
    axes = {(d["duration"], round(d["place"][0]), round(d["place"][2])) for d in drawings}
    if len(axes) != 1:
        note(f"{where}: not one axis: {axes}")
    if strip["place"][3] > HIGHEST:
        note(f"{where}: {strip['place'][3]:.0f} px high")
    for size, text in strip["sizes"]:
        if not size >= letters - 0.01:
            note(f"{where}: letters of {size:.1f} px: {text}")
    for texts in strip["over"]:
        note(f"{where}: letters over each other: {texts}")
    bands = 0
    for figure, drawing in zip(strip["of"], drawings):
        example = next(e for name, e in examples.items() if "-".join(name.split("/")) in figure
                       and figure.split("-" + "-".join(name.split("/")) + "-")[-1].replace("-", "").isdigit())
        lanes = drawing["lanes"]
        if not 1 <= len(lanes) <= MOST_LANES or any("library" in lane for lane in lanes):
            note(f"{where}: lanes {lanes}")
        bands += check_band(note, f"{where}, {example['id']}", example, drawing["duration"], drawing["place"], drawing["touch"])
    return bands


def check_pointer(page, note, where, examples, seed):
    """Ten random moments of each drawing of the strip."""
    chance, words = random.Random(seed), 0
    for box in page.query_selector_all(".strip .example"):
        whole = json.loads(page.evaluate("id => document.querySelector('#' + id + ' script').textContent", box.get_attribute("data-of")))
        duration = float(box.query_selector("svg.drawing").get_attribute("data-duration"))
        shares = sorted(chance.uniform(0.01, 0.99) for _ in range(moments.MOMENTS))
        words += moments.point(page, lambda fault: note(f"{where}, seed {seed}: {fault}"), examples[whole["id"]], box, shares, duration,
                               whole["duration"])
    return words


def check(page, note, origin, folder):
    """The strips of the golden runs, in both sizes; with the lesson of the touch its bands and its moments."""
    seed, bands, words = random.randrange(1_000_000), 0, 0
    for name, stored in RUNS.items():
        examples = moments.store(name, stored, folder)
        for query, letters, size in (("", 12, {"width": 1100, "height": 900}), ("?projector", LETTERS, PROJECTOR)):
            page.set_viewport_size(size)
            page.goto(f"{origin}/runs/{stored}{query}")
            where = f"{name}{query}"
            bands += check_strip(page, note, where, examples, letters)
            words += check_pointer(page, note, where, examples, seed)
        place = page.evaluate("() => { const b = document.querySelector('.strip').getBoundingClientRect(); return b.bottom + scrollY; }")
        if place > PROJECTOR["height"]:
            note(f"{where}: the strip ends {place:.0f} px down")
    page.set_viewport_size({"width": 1100, "height": 900})
    examples = moments.store("lesson-09", RUNS["lesson-09"], folder)
    page.goto(f"{origin}/runs/{RUNS['lesson-09']}")
    for identifier, duration, drawing, band in page.evaluate(BANDS):
        bands += check_band(note, f"lesson-09, {identifier}", examples[identifier], duration, drawing, band)
    print(f"serve: strips of {len(RUNS)} runs in two sizes, {bands} bands of touches, {words} words at random moments of seed {seed}")
    if bands < 5 or words < 100:
        note("the strips show no touch or name no moments")
