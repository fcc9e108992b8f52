package dev.cleave.lab.chaos;

import dev.cleave.lab.chaos.LinkCaller.Kind;
import dev.cleave.lab.history.Checker;
import dev.cleave.lab.history.Checker.Broken;
import dev.cleave.lab.history.Checker.Invariant;
import dev.cleave.lab.history.ModelChecker;
import dev.cleave.lab.history.Outcome;
import dev.cleave.lab.history.Outcome.End;
import dev.cleave.lab.history.Planted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Real nodes over TCP whose links are cut between any two frames, one kind of link after the other, while calls of all kinds run and
 * wait: plain and idempotent, direct and relayed, in order, hedged, large, one-way, with callbacks, and through another server.
 *
 * @param seed of the cuts
 * @param planted a defect that the processes have; null for none
 * @param calls of each caller while one kind of link is cut
 */
public record LinkChaos(long seed, @Nullable Planted planted, int calls) {

    static final int CALLERS = 8;

    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final Duration SHORT_DEADLINE = Duration.ofSeconds(3);
    private static final int MOST_EXECUTED = 4; // sent three times, and a hedge

    /** The result.
     *
     * @param rows for each kind of link what {@link Row#cells} has for a fault
     * @param broken the promises that were not kept
     */
    public record Result(List<List<String>> rows, List<Broken> broken) {

        /** Copies its components. */
        public Result {
            rows = List.copyOf(rows);
            broken = List.copyOf(broken);
        }
    }

    /** Runs; with a defect no longer than until a promise is broken. */
    public Result run() throws InterruptedException {
        List<List<String>> rows = new ArrayList<>();
        List<Broken> broken = new ArrayList<>();
        LedgerBook book = new LedgerBook(planted);
        List<Outcome> all = new ArrayList<>();
        try (LinkRig rig = new LinkRig(seed, planted, book, deadline())) {
            new CalmSteps(rig, planted, broken).run();
            new StagedSteps(rig, planted, broken).run();
            if (CalmSteps.show(planted) || StagedSteps.show(planted)) {
                return new Result(rows, broken);
            }
            for (LinkRow row : LinkRow.values()) {
                Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
                rig.cuts(row);
                List<Long> made = call(rig, book, row.ordinal() * calls, outcomes);
                int cuts = rig.cuts();
                rig.cuts(LinkRow.CALM);
                all.addAll(outcomes);
                check(made, List.copyOf(outcomes), book, broken);
                long inDoubt = doubt(row, cuts, outcomes, broken);
                rows.add(cells(row, cuts, inDoubt, outcomes));
                if (planted != null) {
                    checkModel(all, book, broken);
                }
                if (planted != null
                        && broken.stream().anyMatch(each -> planted.breaks().contains(each.invariant()))) {
                    return new Result(rows, broken);
                }
            }
        }
        // All calls in flight have ended: every operation is in the book.
        checkModel(all, book, broken);
        return new Result(rows, broken);
    }

    private static void checkModel(List<Outcome> all, LedgerBook book, List<Broken> broken) {
        List<Outcome> modelled = all.stream()
                .filter(o -> LinkCaller.kindOf(o.call()).isModelled())
                .toList();
        broken.addAll(new ModelChecker(LinkCaller::laneOf).check(modelled, book.done()));
    }

    private static List<String> cells(LinkRow row, int cuts, long inDoubt, Collection<Outcome> outcomes) {
        Optional<Outcome> longest = outcomes.stream().max(Comparator.comparingLong(Outcome::nanos));
        return List.of(
                "links",
                row.what() + " cut",
                String.valueOf(cuts),
                String.valueOf(outcomes.size()),
                "",
                inDoubt + "/" + row.mostInDoubt() * cuts,
                String.valueOf(outcomes.stream()
                        .filter(o -> o.end() == End.NOT_EXECUTED)
                        .count()),
                longest.map(o -> o.nanos() / 1_000_000 + " ms").orElse("-"),
                "",
                longest.map(o -> "longest: " + LinkCaller.kindOf(o.call()) + " " + o.end())
                        .orElse(""));
    }

    private Duration deadline() {
        return planted == null ? DEADLINE : SHORT_DEADLINE;
    }

    private List<Long> call(LinkRig rig, LedgerBook book, int from, Queue<Outcome> outcomes)
            throws InterruptedException {
        List<LinkCaller> callers = new ArrayList<>();
        List<Long> made = new ArrayList<>();
        for (int i = 1; i <= CALLERS; i++) {
            Ledger ledger = rig.ledger(i, i <= CALLERS / 2 ? LinkRig.DIRECT : LinkRig.RELAYED);
            LinkCaller caller = new LinkCaller(i, from, calls, ledger, book, outcomes::add);
            callers.add(caller);
            made.addAll(caller.made());
        }
        callers.forEach(Thread::start);
        long until = System.nanoTime() + deadline().multipliedBy(6).toNanos();
        for (LinkCaller caller : callers) {
            caller.join(Math.max(1, (until - System.nanoTime()) / 1_000_000));
        }
        return made;
    }

    private void check(List<Long> made, List<Outcome> outcomes, LedgerBook book, List<Broken> broken) {
        List<Outcome> checked = new ArrayList<>();
        Map<Long, Integer> executions = new HashMap<>(book.executions());
        for (Outcome outcome : outcomes) {
            Kind kind = LinkCaller.kindOf(outcome.call());
            boolean hasModel = kind.isModelled() && outcome.end() == End.OK; // whose results the model tells
            long result = hasModel ? Probe.resultOf(outcome.call()) : outcome.result();
            checked.add(new Outcome(
                    outcome.call(),
                    outcome.idempotent(),
                    outcome.end(),
                    result,
                    outcome.beganNanos(),
                    outcome.endedNanos()));
            if (kind == Kind.NOTE && outcome.end() == End.OK) { // no caller learns whether it was executed
                executions.merge(outcome.call(), 1, (had, one) -> Math.max(had, one));
            }
        }
        for (Broken each : new Checker(Probe::resultOf, MOST_EXECUTED, deadline()).check(made, checked, executions)) {
            broken.add(new Broken(each.invariant(), each.call(), LinkCaller.kindOf(each.call()) + " " + each.story()));
        }
        book.callbacks().forEach((call, times) -> {
            if (times > 1) {
                broken.add(new Broken(Invariant.AT_MOST_ONCE, call, "its callback ran " + times + " times"));
            }
        });
    }

    private static long doubt(LinkRow row, int cuts, Iterable<Outcome> outcomes, List<Broken> broken) {
        long inDoubt = 0;
        long last = 0;
        for (Outcome outcome : outcomes) {
            boolean isLost = outcome.end() == End.IN_DOUBT || outcome.end() == End.EXECUTED;
            if (isLost && (cuts == 0 || LinkCaller.kindOf(outcome.call()).isRemembered())) {
                inDoubt++;
                last = outcome.call();
            }
        }
        int most = row.mostInDoubt() * cuts;
        if (inDoubt > most) {
            broken.add(new Broken(
                    Invariant.LITTLE_DOUBT,
                    last,
                    LinkCaller.kindOf(last) + " in doubt, as are " + (inDoubt - 1) + " others, while " + row.what()
                            + " was cut " + cuts + " times; at most " + most + " may be"));
        }
        return inDoubt;
    }
}
