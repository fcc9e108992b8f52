package dev.cleave.broker.report;

import dev.cleave.text.Printable;
import java.util.Map;

/** A page of HTML without scripts, in the light or dark colours of its reader: headings, paragraphs, tables, charts, a legend. */
public final class HtmlPage {

    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>%1$s</title>
            <style>
              :root { color-scheme: light dark; --ink: #1c2430; --paper: #fff; --soft: #55606e; --faint: #6b7683; --rule: #dde3ea;
                --band: #f4f6f9; --input: #fbf3dc; --ours: #2563a8; --light: #8fb8de; --gold: #b98a10; --sand: #c9a86a;
                --pale: #d9dee5; --grey: #a9b4c0; --dark: #5c6773; --link: #1f5a9c;
                --line-0: #2563a8; --line-1: #c9541f; --line-2: #2e8b57; --line-3: #7c9fc4; --line-4: #d99b74; --line-5: #86bb9d }
              @media (prefers-color-scheme: dark) { :root { --ink: #e4e9ef; --paper: #14181e; --soft: #a7b1bd; --faint: #909baa;
                --rule: #313944; --band: #1c222a; --input: #38301a; --ours: #5b9be0; --light: #35587f; --gold: #d9ae3c; --sand: #8f7748;
                --pale: #39424d; --grey: #66717e; --dark: #99a5b2; --link: #7db3ee;
                --line-0: #5b9be0; --line-1: #ee8352; --line-2: #5cbf88; --line-3: #4d76a6; --line-4: #a8694a; --line-5: #47805f } }
              body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem;
                     margin: 2rem auto; padding: 0 1rem } a { color: var(--link) }
              h1 { font-size: 1.55rem; margin-bottom: .2rem } h2 { font-size: 1.15rem; margin: 2.2rem 0 .3rem }
              p { color: var(--soft); margin: .3rem 0 } .notes { margin-top: 2rem; font-size: .85rem } .lead { color: var(--ink); font-size: 1.05rem }
              .grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr)); gap: 1rem 1.5rem }
              .wide { max-width: 78rem } .wide .grid { grid-template-columns: repeat(auto-fill, minmax(34rem, 1fr));
                gap: 1.6rem 2rem; margin-top: 1.4rem }
              .wide .small { grid-template-columns: repeat(auto-fill, minmax(21rem, 1fr)); gap: 1rem }
              figure { margin: 1.4rem 0 0 } .grid figure { margin: 0 } figure h2 { margin: .6rem 0 .2rem; font-size: 1rem }
              figcaption { font-size: .85rem; color: var(--soft) } img { max-width: 100%%; image-rendering: pixelated; border-radius: 6px }
              .wide figure { padding: .4rem 1rem .9rem; border: 1px solid var(--rule); border-radius: 8px }
              .scroll { overflow-x: auto } table { border-collapse: collapse; margin: .6rem 0; font-variant-numeric: tabular-nums }
              caption { text-align: left; font-weight: 600; padding-bottom: .3rem } th { font-weight: 600; text-align: left; vertical-align: bottom }
              th, td { padding: .22rem .7rem; border-bottom: 1px solid var(--rule) } td.n, th.n { text-align: right; white-space: nowrap } th.n { white-space: normal } td:first-child { white-space: nowrap }
              thead th { border-bottom: 2px solid var(--rule) } tbody tr:nth-child(even) { background: var(--band) }
              td.input { background: var(--input) } td small { color: var(--faint); font-size: .8em } td.paper { color: var(--soft) }
              dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; font-size: .88rem; margin: 1rem 0 }
              dt { color: var(--soft) } dd { margin: 0 } code { font-size: .92em }
              svg { width: 100%%; height: auto } text { font: 13px system-ui, sans-serif; fill: var(--ink) }
              .lines text { font-size: 11px } .axis { stroke: var(--rule) } .one { stroke: var(--dark); stroke-dasharray: 4 3 }
              .note, .none, .mark { fill: var(--faint) } .mark { font-size: 11px }
              .spread { stroke: var(--ink); stroke-opacity: .55; stroke-width: 1.5 }
              .key i { display: inline-block; width: .8rem; height: .8rem; border-radius: 2px; margin: 0 .35rem 0 1.2rem;
                vertical-align: -1px } .key i:first-child { margin-left: 0 }
              .ours { fill: var(--ours); background: var(--ours) } .light { fill: var(--light); background: var(--light) }
              .gold { fill: var(--gold); background: var(--gold) } .sand { fill: var(--sand); background: var(--sand) }
              .pale { fill: var(--pale); background: var(--pale) } .grey { fill: var(--grey); background: var(--grey) }
              .dark { fill: var(--dark); background: var(--dark) } i.input { background: var(--input); outline: 1px solid var(--rule) }
              .l0 { stroke: var(--line-0); fill: var(--line-0) } .l1 { stroke: var(--line-1); fill: var(--line-1) }
              .l2 { stroke: var(--line-2); fill: var(--line-2) } .l3 { stroke: var(--line-3); fill: var(--line-3) }
              .l4 { stroke: var(--line-4); fill: var(--line-4) } .l5 { stroke: var(--line-5); fill: var(--line-5) }
              polyline { stroke-width: 2; fill: none !important }
            </style></head><body%2$s>
            <h1>%1$s</h1>
            """;

    private final StringBuilder page;

    /**
     * Begins a page.
     *
     * @param title its first heading, too
     * @param isWide whether it has room for charts beside each other
     */
    public HtmlPage(String title, boolean isWide) {
        page = new StringBuilder(HEAD.formatted(escape(title), isWide ? " class=\"wide\"" : ""));
    }

    /** Adds HTML. */
    public HtmlPage add(String html) {
        page.append(html);
        return this;
    }

    /** Adds a heading. */
    public HtmlPage heading(String text) {
        return add("<h2>" + escape(text) + "</h2>\n");
    }

    /** Adds a paragraph. */
    public HtmlPage paragraph(String text) {
        return add("<p>" + escape(text) + "</p>\n");
    }

    /**
     * Adds a legend of colours.
     *
     * @param meanings the meanings by the name of the colour, in the order of the map
     */
    public HtmlPage legend(Map<String, String> meanings) {
        add("<p class=\"key\">");
        meanings.forEach((color, meaning) -> add("<i class=\"" + color + "\"></i>" + escape(meaning)));
        return add("</p>\n");
    }

    /**
     * Builds the HTML of a chart with its title.
     *
     * @param caption the text below the title
     * @param svg the chart
     */
    public static String figure(String title, String caption, String svg) {
        String below = caption.isEmpty() ? "" : "<figcaption>" + escape(caption) + "</figcaption>\n";
        return "<figure><h2>" + escape(title) + "</h2>" + below + svg + "</figure>\n";
    }

    /** Returns the page. */
    @Override
    public String toString() {
        return page + "</body></html>\n";
    }

    /** Escapes a text for HTML and SVG. */
    public static String escape(String text) {
        return Printable.lines(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
