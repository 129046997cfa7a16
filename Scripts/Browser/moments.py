# SPDX-License-Identifier: Apache-2.0
"""Points at ten moments of each drawing of a stored run, and compares what the page says with the run's own JSON: touch, stop
and silence of main, the callbacks of each kind, how far transfers and requests were."""
import json
import pathlib

RUN = "20261123T000001Z-lesson-09-4MiB"
GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "Tests" / "ReportsTests" / "Golden"
MOMENTS = 10


def seconds(text):
    value, unit = text.split("\u00a0")
    return float(value) / (1000 if unit == "ms" else 1)


def within(stretch, instant):
    return stretch is not None and stretch["began"] <= instant <= stretch["ended"]


def reached(ended, instant):
    return ended is not None and instant >= ended


def touch_of(example):
    """The stretch of the touch. A stored touch of former builds begins a tenth of a second late."""
    touch = example["happenings"].get("touch")
    if touch is None:
        return None
    early = 0 if "countedFrom" in touch else 0.1
    return {"began": touch["stretch"]["began"] - early, "ended": touch["stretch"]["ended"]}


def expected(example, instant, near):
    """Whether each word must be said of the moment, or must not; of spans with one name any has its words said."""
    touch, stop = touch_of(example), example["happenings"].get("stop")
    states = [("touch", within(touch, instant)), ("process stopped", within(stop, instant)),
              ("main silent", any(within(gap, instant) for gap in example["mainThread"].get("gaps", [])))]
    for load in example["loads"]:
        lies = load["began"] <= instant and (load["ended"] is None or instant <= load["ended"] + near)
        over = reached(load.get("ended"), instant)
        states += [(f"library: {load['number']} under way", lies and not over), (f"library: {load['number']} {load['kind']}", lies and over)]
    for seen in example["requests"]:
        lies = seen["began"] <= instant and (seen.get("ended") is None or instant <= seen["ended"] + near)
        over = reached(seen.get("ended"), instant)
        name = f"{seen['method']} {seen['target']} · "
        states += [(f"{name}{seen['status']}", lies and over), (f"{name}asked", lies and not over and seen.get("answered") is None)]
    holding = {}
    for words, holds in states:
        holding[words] = holding.get(words, False) or holds
    return holding


def callbacks(example, instant, near, grain):
    """Kinds that came at the moment for certain, and those that may be said, for a drawing thins out what lies at one place."""
    kinds = example["callbacks"]
    for sure, reach in ((True, near - grain), (False, near + grain)):
        yield {kinds[tick[1]]["name"] for tick in ticks(example) if abs(tick[0] - instant) <= reach}


def ticks(example):
    return [tick if isinstance(tick, list) else [tick["instant"], tick["callback"]] for tick in example["ticks"]]


def store(name, stored, folder):
    """A golden run as one of those that `serve` shows."""
    run = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    (folder / "workbench-runs" / f"{stored}.json").write_text(json.dumps(run), encoding="utf-8")
    return {example["id"]: example for example in run["lessons"][0]["examples"]}


def point(page, note, example, box, shares, duration, thinned):
    """Points at those shares of a box's drawing, whose axis has `duration`, and compares what is said; the data behind the drawing
    is thinned to a thousandth of `thinned` seconds. Returns how many words were looked at."""
    drawing, words = box.query_selector("svg.drawing"), 0
    drawing.scroll_into_view_if_needed()
    place = drawing.bounding_box()
    for share in shares:
        x = round(place["x"] + place["width"] * share)
        page.mouse.move(x, place["y"] + 30)
        said = box.query_selector(".moment").inner_text()
        instant = duration * (x - place["x"]) / place["width"]
        near = duration / 400
        where = f"{example['id']} at {instant:.3f} s"
        if not said or abs(seconds(said.split(" · ")[0]) - instant) > 0.006:
            note(f"{where}: {said}")
            continue
        states = expected(example, instant, near)
        for words_of, holds in states.items():
            # What is true within a pixel of its edge may be said or not.
            edges = [expected(example, instant + step * near / 2, near).get(words_of) for step in (-1, 1)]
            parts = said.split(" · ", 1)[1]
            if len(set(edges + [holds])) == 1 and (words_of in parts) != holds:
                note(f"{where}: “{words_of}” is {'not ' if holds else ''}said: {said}")
        sure, possible = callbacks(example, instant, near, thinned / 1000)
        named = {kind["name"] for kind in example["callbacks"] if kind["name"] in said}
        if not sure <= named or not named <= possible:
            note(f"{where}: callbacks {sorted(named)}, and the run has {sorted(sure)}")
        words += len(states) + len(possible)
    return words


def check(page, note, origin, folder):
    """Every drawing of the golden run of lesson 09, at ten moments of the axis."""
    examples = store("lesson-09", RUN, folder)
    page.goto(f"{origin}/runs/{RUN}")
    words = 0
    for box in page.query_selector_all(".compare .example"):
        name = box.query_selector("h3, h4").inner_text().split(": ")[-1]
        duration = json.loads(box.query_selector("script").inner_text())["duration"]
        shares = [(moment + 0.5) / MOMENTS for moment in range(MOMENTS)]
        words += point(page, note, examples[name], box, shares, duration, duration)
    print(f"serve: {words} words of {len(examples)} drawings at {MOMENTS} moments")
    if words < 100:
        note("the moments of a run are not named")
