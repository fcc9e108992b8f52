package dev.cleave.lab.history;

import dev.cleave.lab.history.Checker.Broken;
import dev.cleave.lab.history.Checker.Invariant;
import dev.cleave.lab.history.Outcome.End;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Compares results with the {@link Model} of each key: it replays the operations of the servers on the model, in their
 * order. A result that differs is a lost update; a call that is done before one which had ended before it began is in
 * the wrong order, and so is one that is done behind one which its caller has sent later, if that caller's calls have
 * an order. A call in doubt may still run when its caller has been told so and goes on; it is in the wrong order only
 * behind one that had ended before that.
 *
 * @param lane of a call that has an order among the calls of its lane, by their numbers; 0 for one that has none
 */
public record ModelChecker(LongUnaryOperator lane) {

    private static final int MOST_TOLD = 20;

    /**
     * The promises that were not kept, at most {@value #MOST_TOLD} of them.
     *
     * @param done the calls of each key in the order in which they were done
     */
    public List<Broken> check(Collection<Outcome> outcomes, Map<Long, List<Long>> done) {
        List<Broken> broken = new ArrayList<>();
        Map<Long, Outcome> byCall = new HashMap<>();
        outcomes.forEach(outcome -> byCall.put(outcome.call(), outcome));
        Map<Long, Integer> times = new HashMap<>();
        done.values().forEach(calls -> {
            replay(calls, byCall, broken);
            checkOrder(calls, byCall, broken);
            calls.forEach(call -> times.merge(call, 1, Integer::sum));
        });
        for (Outcome outcome : outcomes) {
            int count = times.getOrDefault(outcome.call(), 0);
            String story = outcome.end() + ", and done " + count + " times";
            if (count > 1) {
                broken.add(new Broken(Invariant.AT_MOST_ONCE, outcome.call(), story));
            } else if (count == 0 && (outcome.end() == End.OK || outcome.end() == End.EXECUTED)) {
                broken.add(new Broken(Invariant.WRITTEN, outcome.call(), story));
            } else if (count == 1 && outcome.end() == End.NOT_EXECUTED) {
                broken.add(new Broken(Invariant.NOT_EXECUTED_IS_NOT, outcome.call(), story));
            }
        }
        return broken.size() <= MOST_TOLD ? broken : broken.subList(0, MOST_TOLD);
    }

    private void replay(List<Long> calls, Map<Long, Outcome> byCall, List<Broken> broken) {
        Model model = new Model();
        Map<Long, Long> last = new HashMap<>(); // call of each lane, by its number
        for (Long call : calls) {
            long expected = model.apply(call);
            Outcome outcome = byCall.get(call);
            if (outcome != null && outcome.end() == End.OK && outcome.result() != expected) {
                broken.add(new Broken(
                        Invariant.WRITTEN, call, "result " + outcome.result() + " (expected: " + expected + ")"));
            }
            long of = lane.applyAsLong(call);
            Long before = of == 0 ? null : last.get(of);
            if (before != null && before > call && !isExcused(outcome, byCall.get(before))) {
                broken.add(new Broken(Invariant.ORDER, call, "done behind call " + before + " of its lane"));
            }
            last.merge(of, call, Math::max);
        }
    }

    /** Whether its caller had been told that a call may still run before a later one, which overtook it, came to its end. */
    private static boolean isExcused(@Nullable Outcome overtaken, @Nullable Outcome by) {
        return overtaken != null
                && overtaken.end() == End.IN_DOUBT
                && (by == null || by.endedNanos() > overtaken.endedNanos());
    }

    private static void checkOrder(List<Long> calls, Map<Long, Outcome> byCall, List<Broken> broken) {
        record Done(Outcome outcome, int place) {}
        List<Done> all = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            Outcome outcome = byCall.get(calls.get(i));
            if (outcome != null && outcome.end() == End.OK) {
                all.add(new Done(outcome, i));
            }
        }
        all.sort((a, b) -> Long.compare(a.outcome().beganNanos(), b.outcome().beganNanos()));
        PriorityQueue<Done> before = new PriorityQueue<>(
                (a, b) -> Long.compare(a.outcome().endedNanos(), b.outcome().endedNanos()));
        int last = -1; // place of those that had ended
        for (Done next : all) {
            while (!before.isEmpty()
                    && before.peek().outcome().endedNanos() < next.outcome().beganNanos()) {
                last = Math.max(last, before.remove().place());
            }
            if (next.place() < last) {
                broken.add(new Broken(
                        Invariant.ORDER, next.outcome().call(), "place " + next.place() + " is not behind " + last));
            }
            before.add(next);
        }
    }
}
