// SPDX-License-Identifier: Apache-2.0

/// The rules of this site beside the report's own style sheet.
enum SiteStyle {
  static let text = """

    .top{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:.2rem 1.5rem;border-bottom:1px solid var(--rule);padding:.5rem 0}
    .top form{display:flex;gap:.3rem}.top nav ul{margin:0}.top [aria-current]{font-weight:700;text-decoration:none;color:var(--ink)}
    .running{font-weight:700}
    button,select{font:inherit;color:var(--ink);background:var(--panel);border:1px solid var(--faint);border-radius:4px;padding:.25rem .7rem;max-width:100%}
    button{cursor:pointer}button[aria-pressed=true]{border-color:var(--link);color:var(--link);font-weight:600}
    .go{background:var(--link);border-color:var(--link);color:var(--ground);font-weight:600}.stop{border-color:var(--bad);color:var(--bad);font-weight:600}
    .order{border-left:4px solid var(--link);padding:.2rem 1rem;margin:1rem 0;max-width:90ch}.order h2{font-size:1.1rem;margin:1rem 0 .2rem}
    .order form{margin:.4rem 0}.buttons{display:flex;flex-wrap:wrap;gap:0 .6rem}.order pre{white-space:pre-wrap}#watch{min-height:1.5em}fieldset{border:1px solid var(--rule);margin:.4rem 0;padding:.2rem .8rem .6rem}fieldset label{display:block;padding:.15rem 0}
    .checked{margin:.5rem 0;padding:.5rem .9rem .2rem;background:var(--panel);border-left:5px solid var(--bad)}.checked.good{border-color:var(--good)}.checked .source{font-size:.75rem;margin:.2rem 0}.checked :is(th,td){overflow-wrap:break-word}.checked td:nth-child(2){overflow-wrap:anywhere}tr.missed td:is(:first-child,:nth-child(3)){color:var(--bad)}
    .wanted,.unwanted{fill:none;stroke:var(--good);stroke-width:2px;pointer-events:none}.unwanted{stroke:var(--bad);stroke-dasharray:5 3}.allowed{fill:var(--good)}.beyond{fill:var(--bad);fill-opacity:.1}.drawing :is(.limit,.missed){font-weight:600}.drawing .limit{fill:var(--good)}.drawing .missed{fill:var(--bad)}
    legend{font-weight:600}.examples,.checks,.claims{list-style:none;padding:0}.examples li,.checks li,.claims li{margin:.5rem 0;overflow-wrap:anywhere}
    .button{display:inline-block;background:var(--panel);border:1px solid var(--faint);border-radius:4px;padding:.25rem .7rem;text-decoration:none}.projector .buttons{display:none}
    .term:target{background:var(--panel)}.term h2{font-size:1.1rem;margin:1.4rem 0 .2rem}.term p{margin:.2rem 0}
    progress{width:min(100%,40rem);height:1.2rem;accent-color:var(--link)}td a,th a{display:inline-block;padding:.1rem 0}
    .passed{color:var(--good);font-weight:600}.failing{color:var(--doubtful);font-weight:600}q{color:var(--faint)}
    @media (max-width:560px){.overview tr>:nth-child(n+3):not(:last-child){display:none}}
    @media print{.top,.order form{display:none}}

    """
}
