package dev.cleave.agent.report;

import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Remedy;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.scan.CallSetting;
import java.util.Locale;

/** Phrases that all forms of the report share. */
final class Wording {

    private Wording() {}

    static String of(Verdict.Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    /** The verdict with its window, {@code pipelined(64)}; {@code pipelined(auto)} if that has no bound. */
    static String of(Verdict verdict) {
        return of(verdict.outcome(), verdict.window());
    }

    /** The verdict that an annotation would give. */
    static String of(Remedy remedy) {
        return of(remedy.outcome(), remedy.window());
    }

    private static String of(Verdict.Outcome outcome, int window) {
        return of(outcome)
                + (hasWindow(outcome) ? "(" + (isAutomatic(window) ? "auto" : String.valueOf(window)) + ")" : "");
    }

    static boolean isAutomatic(int window) {
        return window == CallSetting.AUTOMATIC_WINDOW;
    }

    static boolean hasWindow(Verdict.Outcome outcome) {
        return switch (outcome) {
            case PIPELINED, PREFETCHED, CHAINED -> true;
            case SPLIT, PROMISED, LATER, SEQUENTIAL -> false;
        };
    }

    static String line(int line) {
        return line < 0 ? "?" : String.valueOf(line);
    }

    /** Whether a refusal names a line other than that of the call. */
    static boolean isElsewhere(Refusal refusal, Verdict verdict) {
        return refusal.line() >= 0 && refusal.line() != verdict.line();
    }

    /** Says which results of a call stayed at their servers. */
    static String stayed(SiteFigures site) {
        return String.format(
                Locale.ROOT,
                "%,d %s stayed at the server: %,d bytes did not come",
                site.stayed(),
                site.stayed() == 1 ? "result" : "results",
                site.stayedBytes());
    }

    /** Says how much of the arguments of a call was not sent again. */
    static String spared(SiteFigures site) {
        return String.format(
                Locale.ROOT, "%,d bytes of arguments were not sent again: the server had them", site.sparedBytes());
    }

    static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }
}
