package dev.cleave.lab.chaos;

import dev.cleave.broker.report.Json;
import dev.cleave.broker.report.TextTable;
import dev.cleave.lab.history.Outcome;
import dev.cleave.lab.history.Outcome.End;
import java.util.List;

/** The effects of one kind of fault on the calls that were made while it lasted and for a while after. */
final class Row {

    private final String id;
    private final String what;
    private final long mostStallMillis;
    private final int mostInDoubt;
    private int injected;
    private boolean isShort;
    private long calls;
    private long idempotentCalls;
    private long failedIdempotent;
    private long failedDirectIdempotent;
    private long inDoubt;
    private long notExecuted;
    private long longestNanos;
    private long pausedNanos;
    private boolean isBroken;
    private String note = "";

    /**
     * Creates a row without calls.
     *
     * @param mostStallMillis how long a direct idempotent call may take; 0 if that is not checked
     * @param mostInDoubt how many calls each injected fault may leave in doubt
     */
    Row(String id, String what, long mostStallMillis, int mostInDoubt) {
        this.id = id;
        this.what = what;
        this.mostStallMillis = mostStallMillis;
        this.mostInDoubt = mostInDoubt;
    }

    static Row of(Fault fault) {
        return new Row(fault.id(), fault.what(), fault.mostStall().toMillis(), fault.mostInDoubt());
    }

    String id() {
        return id;
    }

    void injected() {
        injected++;
    }

    /** The fault came when the calls were over: this machine was too slow. */
    void cutShort() {
        isShort = true;
    }

    /** Notes that the guarantee of the row was broken, whatever the outcomes of the calls. */
    void broke() {
        isBroken = true;
    }

    /** Something that people should know. */
    void note(String text) {
        note = note.isEmpty() ? text : note + "; " + text;
    }

    /** This machine stood still for a while. */
    void paused(long nanos) {
        pausedNanos = Math.max(pausedNanos, nanos);
    }

    void add(Outcome outcome, boolean direct) {
        calls++;
        inDoubt += outcome.end() == End.IN_DOUBT ? 1 : 0;
        notExecuted += outcome.end() == End.NOT_EXECUTED ? 1 : 0;
        if (outcome.idempotent()) {
            idempotentCalls++;
            failedIdempotent += outcome.end() == End.OK ? 0 : 1;
            failedDirectIdempotent += direct && outcome.end() != End.OK ? 1 : 0;
        }
        if (direct && (outcome.idempotent() || idempotentCalls == 0)) { // of plain loops too
            longestNanos = Math.max(longestNanos, outcome.nanos());
        }
    }

    boolean isEmpty() {
        return injected == 0;
    }

    /** Whether what the row promises was kept: no direct idempotent call failed, and no more in doubt than may be. */
    boolean isKept() {
        return !isBroken && failedDirectIdempotent == 0 && inDoubt <= mostInDoubt();
    }

    /** How many calls may be in doubt. */
    long mostInDoubt() {
        return (long) mostInDoubt * injected;
    }

    String verdict() {
        if (!isKept()) {
            return "BROKEN";
        }
        if (isShort) {
            return "too few calls";
        }
        long tooLong = mostStallMillis == 0 ? 0 : longestNanos - mostStallMillis * 1_000_000;
        if (tooLong > pausedNanos) {
            return "slow";
        }
        return tooLong > 0 ? "held: this machine stood still" : "held";
    }

    /** What stands in its line of a table with these {@link #heads}. */
    List<String> cells() {
        return List.of(
                id,
                what,
                String.valueOf(injected),
                String.valueOf(calls),
                String.valueOf(failedIdempotent),
                inDoubt + "/" + mostInDoubt(),
                String.valueOf(notExecuted),
                longestNanos / 1_000_000 + " ms",
                pausedNanos / 1_000_000 + " ms",
                note.isEmpty() ? verdict() : verdict() + " (" + note + ")");
    }

    static TextTable heads() {
        return new TextTable(
                "row", "fault", "injected", "calls", "idem.fail", "in doubt", "unrun", "longest", "paused", "verdict");
    }

    String json() {
        return Json.record(
                "row",
                id,
                "fault",
                what,
                "injected",
                injected,
                "calls",
                calls,
                "idempotent",
                idempotentCalls,
                "failed_idempotent",
                failedIdempotent,
                "in_doubt",
                inDoubt,
                "most_in_doubt",
                mostInDoubt(),
                "not_executed",
                notExecuted,
                "longest_ms",
                longestNanos / 1_000_000,
                "most_ms",
                mostStallMillis,
                "paused_ms",
                pausedNanos / 1_000_000,
                "verdict",
                verdict());
    }
}
