package dev.cleave.agent.report;

import java.util.Locale;

/** The forms of a report. */
public enum ReportForm {
    /** Columns for people at a terminal. */
    TEXT,
    /** One object for programs. */
    JSON,
    /** One page that needs no other file. */
    HTML;

    /**
     * Selects the form by the extension of a file name: {@code .json}, {@code .html} or {@code .htm}; text for any
     * other.
     */
    public static ReportForm ofFile(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.endsWith(".json")) {
            return JSON;
        }
        return lower.endsWith(".html") || lower.endsWith(".htm") ? HTML : TEXT;
    }

    /** Writes a report in this form. */
    public String write(Report report) {
        return switch (this) {
            case TEXT -> TextReport.write(report);
            case JSON -> JsonReport.write(report);
            case HTML -> HtmlReport.write(report);
        };
    }
}
