package dev.cleave.broker.report;

import java.util.Map;

/** A page of HTML that needs no other file: headings, paragraphs, charts, a legend. */
public final class HtmlPage {

    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>%1$s</title>
            <style>
              body { font: 15px/1.5 system-ui, sans-serif; color: #1c2430; background: #fff; max-width: 60rem;
                     margin: 2rem auto; padding: 0 1rem }
              h1 { font-size: 1.55rem; margin-bottom: .2rem } h2 { font-size: 1.1rem; margin: 2rem 0 .2rem }
              p { color: #55606e; margin: .2rem 0 } .notes { margin-top: 2rem; font-size: .85rem }
              .grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem 1.5rem }
              .wide { max-width: 78rem } .wide .grid { grid-template-columns: repeat(auto-fill, minmax(34rem, 1fr));
                gap: 1.6rem 2rem; margin-top: 1.4rem }
              figure { margin: 1.4rem 0 0 } .grid figure { margin: 0 } figure h2 { margin: .6rem 0 .2rem } figcaption { font-size: .85rem; color: #55606e }
              .wide figure { padding: .4rem 1rem .9rem; border: 1px solid #e2e7ed; border-radius: 8px }
              svg { width: 100%%; height: auto } text { font: 13px system-ui, sans-serif; fill: #1c2430 }
              .lines text { font-size: 11px } .axis { stroke: #e3e7ec } .note, .none { fill: #7a8594 }
              .spread { stroke: #1c2430; stroke-opacity: .45; stroke-width: 1.5 }
              .key i { display: inline-block; width: .8rem; height: .8rem; border-radius: 2px; margin: 0 .35rem 0 1.2rem;
                vertical-align: -1px } .key i:first-child { margin-left: 0 }
              .ours { fill: #2563a8; background: #2563a8 } .light { fill: #8fb8de; background: #8fb8de }
              .gold { fill: #c9a227; background: #c9a227 } .sand { fill: #c9a86a; background: #c9a86a }
              .pale { fill: #d9dee5; background: #d9dee5 } .grey { fill: #a9b4c0; background: #a9b4c0 }
              .dark { fill: #5c6773; background: #5c6773 }
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
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
