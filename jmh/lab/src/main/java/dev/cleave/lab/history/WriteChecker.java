package dev.cleave.lab.history;

import dev.cleave.lab.history.Checker.Broken;
import dev.cleave.lab.history.Checker.Invariant;
import dev.cleave.lab.history.Outcome.End;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.LongToIntFunction;
import java.util.function.LongUnaryOperator;

/**
 * Compares results with the written lists: each call appends itself to the list of its key, and returns its position
 * there. A position that another call has, or none, is a lost update; a position before that of a call which had ended
 * before is a wrong order.
 *
 * @param key of a call
 * @param place the position in a result, from 0 on
 */
public record WriteChecker(LongUnaryOperator key, LongToIntFunction place) {

    private static final int MOST_TOLD = 20;

    /** A result of a call and the place that it names. */
    private record Read(Outcome outcome, int place) {}

    /**
     * The promises that were not kept, at most {@value #MOST_TOLD} of them.
     *
     * @param written the calls of each key in the order in which they were written
     */
    public List<Broken> check(Collection<Outcome> outcomes, Map<Long, List<Long>> written) {
        List<Broken> broken = new ArrayList<>();
        Set<Long> all = new HashSet<>();
        written.values().forEach(all::addAll);
        Map<Long, List<Read>> reads = new HashMap<>();
        for (Outcome outcome : outcomes) {
            long of = key.applyAsLong(outcome.call());
            if (outcome.end() == End.OK) {
                Read read = new Read(outcome, place.applyAsInt(outcome.result()));
                checkPlace(read, written.getOrDefault(of, List.of()), broken);
                reads.computeIfAbsent(of, k -> new ArrayList<>()).add(read);
            } else if (outcome.end() == End.EXECUTED && !all.contains(outcome.call())) {
                broken.add(new Broken(Invariant.WRITTEN, outcome.call(), "executed, and not written"));
            } else if (outcome.end() == End.NOT_EXECUTED && all.contains(outcome.call())) {
                broken.add(new Broken(Invariant.NOT_EXECUTED_IS_NOT, outcome.call(), "not executed, and written"));
            }
        }
        reads.values().forEach(each -> checkOrder(each, broken));
        return broken.size() <= MOST_TOLD ? broken : broken.subList(0, MOST_TOLD);
    }

    private static void checkPlace(Read read, List<Long> written, List<Broken> broken) {
        long call = read.outcome().call();
        boolean isThere = read.place() >= 0 && read.place() < written.size() && written.get(read.place()) == call;
        if (!isThere) {
            String there = read.place() >= 0 && read.place() < written.size()
                    ? "call " + written.get(read.place())
                    : "nothing";
            broken.add(new Broken(Invariant.WRITTEN, call, "place " + read.place() + " has " + there));
        }
    }

    private static void checkOrder(List<Read> reads, List<Broken> broken) {
        reads.sort((a, b) -> Long.compare(a.outcome().beganNanos(), b.outcome().beganNanos()));
        PriorityQueue<Read> before = new PriorityQueue<>(
                (a, b) -> Long.compare(a.outcome().endedNanos(), b.outcome().endedNanos()));
        int last = -1; // place of those that had ended
        for (Read read : reads) {
            while (!before.isEmpty()
                    && before.peek().outcome().endedNanos() < read.outcome().beganNanos()) {
                last = Math.max(last, before.remove().place());
            }
            if (read.place() <= last) {
                broken.add(new Broken(
                        Invariant.ORDER, read.outcome().call(), "place " + read.place() + " is not behind " + last));
            }
            before.add(read);
        }
    }
}
