// SPDX-License-Identifier: Apache-2.0

/// The page's style sheet: light and dark by the reader's system, from 400 pixels on, and for paper.
enum PageStyle {
  static let text = colours + layout + drawing + paper

  private static let colours = """

    :root{color-scheme:light dark;--ground:#fff;--panel:#f4f5f7;--ink:#1b1f24;--faint:#555d66;--rule:#c9ced4;--link:#0550ae;
    --connection:#0a6a7c;--session:#8a2a8f;--good:#1a6e2e;--doubtful:#8a4b00;--bad:#b3261e;--track:#e9ecef;
    --response:#0061a8;--piece:#00805a;--end:#1b1f24;--failure:#c43d00;--other:#8b3fa0;
    --load:#8a929b;--request:#5a7fb0;--touch:#f3c94a55;--stop:#b07a5544;--grid:#dfe3e7;--area:#0a6a7c33;--curve:#0a6a7c;
    --first:#bcd7f5;--second:#ffc48a;--peak:#b3261e;--body:#8a4b00;--keyword:#8a1c5b;--string:#0a5c36;--mark:#ffe9a8}
    @media (prefers-color-scheme:dark){:root{--ground:#14171a;--panel:#1e2328;--ink:#e8eaed;--faint:#a9b1ba;--rule:#3d454d;
    --link:#86b7ff;--connection:#5fd0e3;--session:#e29be6;--good:#74d18a;--doubtful:#f2b266;--bad:#ff9a90;--track:#2a3036;
    --response:#6db5ff;--piece:#3fd0a0;--end:#f1f3f5;--failure:#ff8a50;--other:#d59be6;--load:#89929c;--request:#88aede;
    --touch:#d9a91a44;--stop:#c98d6344;--grid:#2b3238;--area:#5fd0e333;--curve:#5fd0e3;--first:#234a75;--second:#7a4210;--peak:#ff9a90;--body:#f2b266;
    --keyword:#ff9ecb;--string:#8fdca9;--mark:#57480f}}
    """

  private static let layout = """

    *{box-sizing:border-box}
    body{margin:0 auto;max-width:1800px;padding:0 clamp(12px,3vw,40px) 40px;background:var(--ground);color:var(--ink);
    font:16px/1.55 system-ui,"Noto Sans","Noto Sans CJK SC","PingFang SC",sans-serif;overflow-wrap:break-word}
    h1{font-size:1.7rem;line-height:1.25;margin:1.2rem 0 .3rem}h2{font-size:1.45rem;margin:2.6rem 0 .6rem;line-height:1.25}
    h3{font-size:1.2rem;margin:2rem 0 .5rem}h4{font-size:1.02rem;margin:0}h5,h6{font-size:.92rem;margin:.6rem 0 .1rem}
    header p,footer p,.source,.hint,.what{color:var(--faint)}footer{border-top:1px solid var(--rule);margin-top:3rem}
    a{color:var(--link)}a[title]{text-decoration-style:dotted}a[title]:focus-visible::after{content:attr(title);position:fixed;left:12px;right:12px;bottom:12px;z-index:2;padding:.4rem .6rem;background:var(--ink);color:var(--ground);font-size:.9rem;border-radius:4px}:focus-visible{outline:3px solid var(--link);outline-offset:2px}
    .skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;background:var(--ground);padding:4px 8px}
    .lesson{border-top:2px solid var(--rule);margin-top:2rem}.lesson~.lesson{content-visibility:auto;contain-intrinsic-size:auto 6000px}.text{max-width:80ch}.text .columns{width:min(1700px,calc(100vw - 2*clamp(12px,3vw,40px)))}
    nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;list-style:none;padding:0;margin:.2rem 0}
    nav a{display:inline-block;padding:.2rem 0}
    .remark{color:var(--bad);font-weight:600}.question{background:var(--panel);border-left:4px solid var(--link);padding:.1rem 1rem;margin:.3rem 0}.question summary{color:var(--ink)}.question details summary{color:var(--link)}
    .subject{font-weight:600;max-width:80ch}
    code,pre{font:13.5px/1.5 ui-monospace,"DejaVu Sans Mono",monospace}:not(pre)>code{background:var(--panel);padding:0 .25em;border-radius:3px;overflow-wrap:anywhere}
    pre{overflow:auto;background:var(--panel);padding:.6rem .8rem;margin:.2rem 0 .8rem;border-radius:4px;max-height:40rem}pre.heads{white-space:pre-wrap;overflow-wrap:anywhere;max-height:none}
    pre b{color:var(--keyword);font-weight:600}pre i{font-style:normal}pre .s{color:var(--string)}pre .c{color:var(--faint);font-style:italic}
    pre mark{background:var(--mark);color:inherit;display:inline-block;min-width:100%}
    .columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:0 1.2rem}.columns>*{min-width:0}
    .code{margin:.4rem 0}.code figcaption{font-size:.85rem;color:var(--faint)}.code.wrong strong{color:var(--bad)}.code.right strong{color:var(--good)}
    .scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
    .text table{display:block;overflow-x:auto}
    th,td{border-bottom:1px solid var(--rule);padding:.28rem .7rem .28rem 0;text-align:left;vertical-align:top}
    @media (min-width:561px){table.head td,table.head th{white-space:nowrap}}thead th{color:var(--faint);font-weight:600}tr.connection th[scope=row]{border-left:4px solid var(--connection);padding-left:.5rem}
    tr.session th[scope=row]{border-left:4px solid var(--session);padding-left:.5rem}tr.foundation th[scope=row]{border-left:4px dotted var(--faint);padding-left:.5rem}
    summary{cursor:pointer;color:var(--link);padding:.25rem 0}.sources{margin:1rem 0}
    .claim{border-left:5px solid var(--rule);padding:.1rem 0 .1rem .9rem;margin:1.1rem 0;max-width:110ch}.claim h4{font-weight:600}
    .claim p{margin:.25rem 0}.verdict{color:var(--good)}.verdict.qualified{color:var(--doubtful)}.verdict.refuted,.verdict.defectShown{color:var(--bad)}.verdict.unsettled{color:var(--faint)}
    .claim.qualified{border-color:var(--doubtful);border-left-style:dashed}.claim.refuted,.claim.defectShown{border-color:var(--bad)}.claim.confirmed{border-color:var(--good)}.claim.unexpected{border-color:var(--bad);border-left:9px double var(--bad)}
    dd.spoilt,td.spoilt,tr.spoilt th{color:var(--bad);font-weight:600}
    """

  private static let drawing = """

    .shapes{position:absolute}.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;list-style:none;padding:0;margin:1rem 0 .2rem;font-size:.9rem}
    .legend svg{vertical-align:-3px;margin-right:.4rem;overflow:visible}.hint{margin:.1rem 0;font-size:.9rem}
    main>.lesson:first-of-type{margin-top:.2rem;border-top:0}main>.lesson:first-of-type>h2{margin-top:.5rem}.meaning{margin:0}
    .strip{margin:.4rem 0 1rem}.strip .example{padding:.25rem .9rem 0;margin-bottom:.3rem}.which{margin:0;font-size:.95rem}.which span{color:var(--faint)}.wrong>strong{color:var(--bad)}.right>strong{color:var(--good)}
    .strip .moment{margin:0;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
    .projector body{font-size:18px}.projector :is(.drawing,.bytes){zoom:1.5}.projector :is(.facts,.pieces,.legend,.moment,.which,table){font-size:18px}.projector :is(.top,header,.meaning,.lesson>nav,.question){display:none}.projector .lesson,.projector h2{margin-top:.3rem}
    .compare{margin:1.2rem 0 2.2rem;padding:0}.compare figcaption{color:var(--faint);margin-bottom:.3rem}
    .example{border-left:5px solid var(--connection);background:var(--panel);padding:.6rem .9rem .4rem;margin-bottom:.5rem}.example.session{border-color:var(--session)}
    .example h3,.example h4{margin:0;color:var(--connection);overflow-wrap:anywhere}.example.session h3,.example.session h4{color:var(--session)}.example.foundation{border-color:var(--faint);border-left-style:dotted}.example.foundation h3,.example.foundation h4{color:var(--faint)}.what{margin:0}
    .facts{display:flex;flex-wrap:wrap;gap:.15rem 1.4rem;margin:.35rem 0 .6rem;font-size:.9rem}.facts div{display:flex;gap:.4rem;flex-wrap:wrap}.facts dt{color:var(--faint)}.facts dd{margin:0;font-weight:600;overflow-wrap:anywhere}
    .zoomed{overflow-x:auto;cursor:grab}.zoomed .drawing{touch-action:pan-x pan-y}.drawing{display:block;overflow:visible;touch-action:pan-y}.drawing text{font:12px system-ui,"Noto Sans CJK SC",sans-serif;fill:var(--ink);paint-order:stroke;stroke:var(--panel);stroke-width:3px;stroke-linejoin:round}
    .drawing .scale{fill:var(--faint)}.grid{stroke:var(--grid)}.track{fill:var(--track)}.tick{fill:none;stroke-width:1.6px;vector-effect:non-scaling-stroke}
    .k-response{stroke:var(--response);fill:var(--response)}.k-piece{stroke:var(--piece);fill:var(--piece)}.k-end{stroke:var(--end);fill:var(--end)}.k-failure{stroke:var(--failure);fill:var(--failure)}.k-other{stroke:var(--other);fill:var(--other)}
    .drawing use,.legend path:not(.tick){stroke:var(--panel);stroke-width:1px}.hatch-back{fill:var(--ground)}.hatch-line{stroke:var(--bad);stroke-width:4px}
    .gap{fill:url(#hatch);stroke:var(--bad)}.load{fill:var(--load)}.request{fill:var(--request)}.open{fill-opacity:.45;stroke:currentColor;stroke-dasharray:3 2;vector-effect:non-scaling-stroke}
    .connecting,.waiting{pointer-events:none}.connecting{fill:var(--body)}.waiting{fill:var(--panel);fill-opacity:.6}.given{fill:var(--area);stroke:var(--curve);stroke-width:1.2px;vector-effect:non-scaling-stroke}.sent{fill:none;stroke:var(--request);stroke-width:2px;vector-effect:non-scaling-stroke}.legend .given{fill:var(--area);stroke:var(--curve)!important}.legend .sent{fill:none;stroke:var(--request)!important;stroke-width:2px!important}.legend :is(.connecting,.waiting){stroke:none!important}
    .touch rect{fill:var(--touch)}.stop rect{fill:var(--stop)}.drawing .band{font-weight:600}
    .area{fill:var(--area)}.curve{fill:none;stroke:var(--curve);stroke-width:1.8px;vector-effect:non-scaling-stroke}
    .baseline{stroke:var(--faint)}.peak{stroke:var(--peak);stroke-dasharray:5 3}.body{stroke:var(--body);stroke-dasharray:1 4;stroke-width:2px}
    .pieces{margin:.3rem 0 .2rem;font-size:.9rem;display:flex;flex-wrap:wrap;gap:0 1.2rem}.pieces i{display:inline-block;width:.8em;height:.8em;margin-right:.35em}.pieces .good{color:var(--good)}.pieces .bad{color:var(--bad)}
    .v1{fill:var(--first);background:var(--first)}.v2{fill:var(--second);background:var(--second)}.v0{fill:var(--ground);background:var(--ground)}.bytes{display:block;width:100%;height:22px;background:var(--track)}.bytes rect{stroke:var(--panel);stroke-width:2px}.bytes .misplaced{fill:url(#hatch);fill-opacity:.45;pointer-events:none}.bytes text{transform:translate(5px,15px);font:12px system-ui,"Noto Sans CJK SC",sans-serif;fill:var(--ink);pointer-events:none}
    .cursor{stroke:var(--ink);stroke-width:1px}.moment{min-height:1.4em;margin:.2rem 0;font-size:.9rem;font-variant-numeric:tabular-nums}
    .example details ul{margin:.1rem 0 .5rem;padding-left:1.2rem;font:13px/1.5 ui-monospace,"DejaVu Sans Mono","Noto Sans Mono CJK SC",monospace;overflow-wrap:anywhere}
    """

  private static let paper = """

    @media print{:root{color-scheme:light}body{font-size:10pt;max-width:none}pre{max-height:none;white-space:pre-wrap}
    nav,.skip,.hint,.moment{display:none}.example,.claim,.code{break-inside:avoid}.compare .example{min-height:122mm}.example details,.meaning>summary{display:none}.strip{break-inside:avoid}.lesson~.lesson{content-visibility:visible}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}

    """
}
