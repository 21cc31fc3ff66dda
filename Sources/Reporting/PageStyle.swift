/// How pages look.
enum PageStyle {
  /// Okabe and Ito's palette, darkened until text reaches 4.5:1 and marks 3:1 in both themes.
  static let text = """
    :root{--paper:#fff;--ink:#1b1b1f;--soft:#55555f;--line:#d5d5dc;--band:#f4f4f7;--accent:#0b5cad;--bad:#b3261e;--good:#0a6b45;--warn:#8a5300;--c0:#0072b2;--c1:#b34700;--c2:#007a5a;--c3:#a1417d;--c4:#6b6400;--c5:#444}
    @media(prefers-color-scheme:dark){:root{--paper:#141417;--ink:#ececf1;--soft:#a9a9b6;--line:#3a3a44;--band:#1e1e24;--accent:#7db8f5;--bad:#ff8a80;--good:#5fd3a4;--warn:#f0b95a;--c0:#56b4e9;--c1:#f08a3c;--c2:#2fc79a;--c3:#e08fc0;--c4:#d9cf4a;--c5:#c8c8d0}}
    *{box-sizing:border-box}
    html{font:16px/1.5 system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;background:var(--paper);color:var(--ink);-webkit-text-size-adjust:100%;text-size-adjust:100%}
    body{margin:0 auto;max-width:78rem;padding:0 1rem 3rem;overflow-wrap:break-word}
    h1{font-size:1.35rem;line-height:1.25;margin:.9rem 0 .35rem}
    h2{font-size:1.2rem;margin:1.75rem 0 .5rem;padding-top:.5rem;border-top:2px solid var(--line)}
    h3{font-size:1.05rem;margin:1.5rem 0 .25rem}
    p{margin:.5rem 0;max-width:54rem}
    a{color:var(--accent)}
    a:focus-visible,summary:focus-visible,button:focus-visible,input:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
    :target{outline:2px solid var(--accent);outline-offset:2px;scroll-margin-top:4rem}
    code,kbd{font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:.875em;overflow-wrap:anywhere}
    pre{overflow-x:auto;padding:.5rem .75rem;background:var(--band);border:1px solid var(--line);border-radius:4px}
    .skip,.hidden{position:absolute;left:-99rem}
    .skip:focus{left:.5rem;top:.5rem;background:var(--paper);padding:.5rem}
    nav ul,ul.legend{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;margin:.75rem 0;padding:0}
    ul.legend{margin:.25rem 0;font-size:.8125rem}
    ul.legend svg{display:inline-block;vertical-align:middle}
    nav a{display:inline-block;min-height:24px;padding:.1rem 0}
    .answer{font-size:1.05rem;font-weight:600;max-width:none;line-height:1.4}
    .soft{color:var(--soft)}
    .nowrap{white-space:nowrap}
    .cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:.75rem;list-style:none;padding:0;margin:.6rem 0;font-size:.9375rem;line-height:1.4}
    .cards>li{border:1px solid var(--line);border-top:4px solid var(--accent);border-radius:6px;padding:.35rem .8rem .6rem;background:var(--band);min-width:0;overflow-wrap:anywhere}
    .cards h3{margin:.1rem 0 .2rem;font-size:1rem}
    .cards ul{margin:.2rem 0;padding-left:1.1rem}
    .counts{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;padding:0;margin:.75rem 0}
    .counts li{border:1px solid var(--line);border-radius:6px;padding:.35rem .75rem;background:var(--band)}
    .counts b{font-size:1.25rem;margin-right:.1rem;font-variant-numeric:tabular-nums}
    .box{border:1px solid var(--line);border-left:5px solid var(--c2);border-radius:4px;background:var(--band);padding:.5rem .9rem;margin:.75rem 0;overflow-wrap:anywhere}
    .box-warn{border-left-color:var(--warn)}
    .box-bad{border-left-color:var(--bad)}
    .box p,.box ul{margin:.25rem 0}
    .scroll{overflow-x:auto;margin:.5rem 0}
    table{min-width:min(100%,32rem);border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.875rem}
    caption{text-align:left;color:var(--soft);padding:.25rem 0;caption-side:top}
    th,td{padding:.2rem .5rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
    thead th{border-bottom:2px solid var(--soft);vertical-align:bottom}
    thead th.axis{padding-bottom:0}
    td.n,th.n{text-align:right}
    td.n,td summary{white-space:nowrap}
    tbody th{font-weight:500}
    tr.group th{padding-top:.9rem;font-weight:600}
    tr.group th div{font-weight:400}
    .self{text-decoration:none;padding:0 .3rem}
    table.flat th[data-g]::before{content:attr(data-g) " ";font-weight:600}
    th button{font:inherit;color:inherit;background:none;border:0;padding:0;min-height:24px;cursor:pointer;text-align:inherit;text-decoration:underline dotted}
    th[aria-sort=ascending] button::after{content:" ↑"}
    th[aria-sort=descending] button::after{content:" ↓"}
    .bad{color:var(--bad)}.good{color:var(--good)}.warn{color:var(--warn)}
    td.why{min-width:11rem}
    td.why svg{width:100%;max-width:240px;height:auto}
    .verdict{white-space:nowrap;font-weight:600}
    .best{font-weight:700}
    .tag{display:inline-block;border:1px solid var(--line);border-radius:4px;padding:0 .35rem;font-size:.8125rem;color:var(--soft)}
    .tools{position:sticky;top:0;z-index:1;background:var(--paper);border-bottom:1px solid var(--line);padding:.4rem 0;display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
    .tools[hidden],[hidden]{display:none!important}
    .tools input,.tools button{font:inherit;color:var(--ink);background:var(--band);border:1px solid var(--line);border-radius:4px;padding:.2rem .5rem;min-height:28px}
    .tools input{width:16rem;max-width:100%}
    details{margin:.35rem 0}
    summary{cursor:pointer;min-height:24px;color:var(--accent)}
    details.chapter{margin:0;border-top:2px solid var(--line)}
    details.chapter>summary{padding:.55rem 0}
    details.chapter>summary h2{display:inline;border:0;margin:0;padding:0;font-size:1.15rem;color:var(--ink)}
    .chapter-body{scroll-margin-top:6rem}
    tr,li,section{scroll-margin-top:4rem}
    .charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,23rem),1fr));gap:.5rem 1.5rem}
    .charts>*{min-width:0}
    figure{margin:.75rem 0;min-width:0}
    figcaption{font-weight:600;margin-bottom:.25rem;overflow-wrap:anywhere}
    figure p{font-size:.875rem}
    svg{display:block}
    svg.chart{width:100%;max-width:30rem;height:auto}
    svg.strip,svg.spread{overflow:hidden}
    svg.spread{display:inline-block;vertical-align:middle}
    svg text{fill:var(--ink);font-family:inherit}
    svg .soft{fill:var(--soft)}
    svg .grid{stroke:var(--line)}
    svg .axis{stroke:var(--soft)}
    svg .band{fill:var(--band)}
    svg .margin{fill:var(--line)}
    svg .s0{stroke:var(--c0)}svg .s1{stroke:var(--c1)}svg .s2{stroke:var(--c2)}svg .s3{stroke:var(--c3)}svg .s4{stroke:var(--c4)}svg .s5{stroke:var(--c5)}
    svg .f0{fill:var(--c0)}svg .f1{fill:var(--c1)}svg .f2{fill:var(--c2)}svg .f3{fill:var(--c3)}svg .f4{fill:var(--c4)}svg .f5{fill:var(--c5)}
    dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem}
    dl.facts dt{color:var(--soft)}dl.facts dd,dl dd{margin:0;overflow-wrap:anywhere}
    footer{margin-top:3rem;color:var(--soft);font-size:.875rem}
    @media(max-width:48rem){dl.facts{grid-template-columns:1fr}dl.facts dd{margin-bottom:.4rem}h1{font-size:1.2rem}
    table.stack,table.stack tbody,table.stack tr,table.stack tbody th,table.stack td,table.stack caption,table.stack thead,table.stack thead tr,table.stack th.axis{display:block;border:0;padding:.05rem 0;text-align:left;white-space:normal}
    table.stack thead th:not(.axis){display:none}
    table.stack thead{border-bottom:1px solid var(--line)}
    table.stack tbody tr{border-bottom:1px solid var(--line);padding:.3rem 0}
    table.stack td[data-l]::before{content:attr(data-l) ": ";color:var(--soft);font-weight:400}
    table.stack td:empty{display:none}table.stack tbody th{overflow-wrap:anywhere;font-weight:600}
    .tools{position:static}}
    @media(forced-colors:active){svg .s0,svg .s1,svg .s2,svg .s3,svg .s4,svg .s5{stroke:CanvasText}svg .f0,svg .f1,svg .f2,svg .f3,svg .f4,svg .f5{fill:CanvasText}}
    @media print{body{max-width:none;font-size:11px}nav,.skip,.tools{display:none!important}.scroll{overflow:visible}table{font-size:8px;max-width:100%}th,td,td.n,th.n{padding:1px 3px;white-space:normal;overflow-wrap:anywhere}details::details-content{content-visibility:visible;display:block;height:auto}details>*{display:block}section{break-inside:auto}figure,tr{break-inside:avoid}}
    """
}
