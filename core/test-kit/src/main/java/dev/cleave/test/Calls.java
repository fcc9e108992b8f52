package dev.cleave.test;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Calls that have reached services, in the order in which they began. What is asserted of them fails with an {@link AssertionError}
 * that lists them.
 *
 * @param all the calls
 */
public record Calls(List<Call> all) {

    /** Copies the list. */
    public Calls {
        all = List.copyOf(all);
    }

    /** Returns the calls of a method. */
    public Calls of(String method) {
        return new Calls(
                all.stream().filter(call -> call.method().equals(method)).toList());
    }

    /** The number of calls. */
    public int count() {
        return all.size();
    }

    /** Checks that exactly these calls have come, in this order, each as a program would write it: {@code stock(apples, 3)}. */
    public Calls were(String... calls) {
        return check(texts(all).equals(List.of(calls)), "expected, in this order: " + List.of(calls));
    }

    /** Checks that exactly these calls have come, in any order. */
    public Calls wereInAnyOrder(String... calls) {
        return check(
                texts(all).stream()
                        .sorted()
                        .toList()
                        .equals(Arrays.stream(calls).sorted().toList()),
                "expected, in any order: " + List.of(calls));
    }

    /** Checks that of two calls the first had ended before the second began; each is the first of its text. */
    public Calls endedBefore(String first, String second) {
        return check(
                find(first).ended() <= find(second).began(),
                first + " was expected to end before " + second + " began");
    }

    /** Checks that each call was being executed together with another one at some moment. */
    public Calls overlapped() {
        return check(
                !all.isEmpty()
                        && all.stream().allMatch(call -> all.stream()
                                .anyMatch(other -> other != call && call.overlaps(other))),
                "each was expected to overlap another");
    }

    /** Checks that no two calls were being executed at one moment. */
    public Calls cameOneByOne() {
        return check(mostTogether() <= 1, "none was expected to overlap another");
    }

    /** The greatest number of calls that were being executed at one moment. */
    public int mostTogether() {
        return (int) all.stream()
                .mapToLong(call -> all.stream()
                        .filter(other -> other.began() <= call.began() && call.began() < other.ended())
                        .count())
                .max()
                .orElse(0);
    }

    private Call find(String text) {
        return all.stream()
                .filter(call -> call.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new AssertionError(text + " has not come; calls: " + this));
    }

    private Calls check(boolean holds, String expected) {
        if (!holds) {
            throw new AssertionError(expected + "; calls: " + this);
        }
        return this;
    }

    private static List<String> texts(List<Call> calls) {
        return calls.stream().map(Call::toString).toList();
    }

    /** Each call with the times at which it began and ended, in ms since the first began. */
    @Override
    public String toString() {
        if (all.isEmpty()) {
            return "none";
        }
        long zero = all.get(0).began();
        return all.stream()
                .map(call -> call + " from " + millis(call.began() - zero) + " to "
                        + (call.ended() == Long.MAX_VALUE ? "now" : millis(call.ended() - zero)))
                .collect(Collectors.joining("\n  ", "\n  ", ""));
    }

    private static String millis(long nanos) {
        return nanos / 1_000_000 + "." + nanos / 100_000 % 10 + " ms";
    }
}
