package dev.cleave.agent.report;

import dev.cleave.agent.plan.Refusal;
import dev.cleave.agent.plan.Remedy;
import dev.cleave.agent.plan.Verdict;
import java.util.Locale;

/** Phrases that all forms of the report share. */
final class Wording {

    private Wording() {}

    static String of(Verdict.Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    /** The verdict with its window, {@code pipelined(64)}. */
    static String of(Verdict verdict) {
        return of(verdict.outcome(), verdict.window());
    }

    /** The verdict that an annotation would give. */
    static String of(Remedy remedy) {
        return of(remedy.outcome(), remedy.window());
    }

    private static String of(Verdict.Outcome outcome, int window) {
        return of(outcome) + (hasWindow(outcome) ? "(" + window + ")" : "");
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

    static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }
}
