package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.plan.verdict.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Runs programs as written and rewritten, and compares. With {@code -Dcleave.full=true} two to four times as many calls fail in
 * turn, and results of long runs come back in more orders.
 */
final class Conformance {

    private static final boolean FULL = Boolean.getBoolean("cleave.full");
    private static final Pattern GAPS = Pattern.compile("[^A-Za-z0-9]+");
    private static final int FEW = 2;
    private static final int SOME = 5;
    private static final int MANY = 20;

    private final Map<String, String> sources = new TreeMap<>();
    private Programs programs;

    /** Adds a program: the members of its class, with {@code static Object run(Svc s, Svc z, int n)}. */
    void add(String name, String members) {
        String className = className(name);
        String text = "package p;\nimport dev.cleave.agent.conformance.*;\nimport java.util.*;\n"
                + "@SuppressWarnings({\"unchecked\", \"rawtypes\"})\npublic class " + className + " {\n" + members
                + "\n}\n";
        sources.put("p." + className, text);
    }

    /** Adds a program that is only the body of its method. */
    void addBody(String name, String body) {
        add(name, "public static Object run(Svc s, Svc z, int n) throws Exception {\n" + body + "\n}");
    }

    /** The classes of the programs. */
    Set<String> names() {
        return sources.keySet();
    }

    /** The sources of the programs, by the names of their classes. */
    Map<String, String> sources() {
        return sources;
    }

    static String className(String name) {
        StringBuilder text = new StringBuilder("P");
        for (String part : GAPS.split(name)) {
            text.append(part.isEmpty() ? "" : Character.toUpperCase(part.charAt(0)) + part.substring(1));
        }
        return text.toString();
    }

    Programs programs() {
        if (programs == null) {
            programs = new Programs(sources);
        }
        return programs;
    }

    List<Verdict> verdicts(String name) {
        return programs().verdicts("p." + className(name));
    }

    /** Compares under many schedules; returns the most calls in flight that any of them saw. */
    int check(String name) {
        String className = "p." + className(name);
        assertThat(programs().incomplete(className)).as(name).isEmpty();
        Class<?> written = programs().written(className);
        Class<?> rewritten = programs().rewritten(className);
        int max = 0;
        for (int n : new int[] {0, 1, 2, 5, 17, 150}) {
            Outcome expected = Outcome.of(written, Schedule.ok(1), n);
            for (long seed = 1; seed <= (FULL ? 3 : n <= MANY ? 2 : 1); seed++) {
                max = Math.max(max, compare(name, expected, rewritten, Schedule.ok(seed), n));
            }
            if (n > MANY) {
                continue;
            }
            Set<String> calls = new LinkedHashSet<>(expected.log());
            List<String> failing = new ArrayList<>(calls);
            for (int i = 0; i < failing.size(); i += 1 + failing.size() / (FULL ? 8 : n <= SOME ? 4 : 2)) {
                String first = failing.get(i);
                String second = failing.get(Math.min(failing.size() - 1, i + 1));
                compareFailing(name, written, n, first);
                if (!first.equals(second)) {
                    compareFailing(name, written, n, first, second);
                }
            }
        }
        return max;
    }

    /** Compares all programs as another compiler leaves them, in fewer runs. */
    void check(Programs.Compilation compilation) {
        Programs others = new Programs(sources, compilation);
        sources.forEach((className, text) -> {
            Class<?> written = others.written(className);
            Class<?> rewritten = others.rewritten(className);
            for (int n : new int[] {0, 7}) {
                Outcome expected = Outcome.of(written, Schedule.ok(1), n);
                compare(className, others.verdicts(className), expected, rewritten, Schedule.ok(1), n);
                List<String> log = expected.log();
                if (!log.isEmpty()) {
                    Schedule failing = Schedule.failing(1, log.get(log.size() / 2));
                    Outcome broken = Outcome.of(written, failing, n);
                    compare(className, others.verdicts(className), broken, rewritten, failing, n);
                }
            }
        });
    }

    /** Whatever fails, the server executes what it executes of the program as written, in that order; reading apart. */
    void executesTheSame(String name) {
        Class<?> written = programs().written("p." + className(name));
        Class<?> rewritten = programs().rewritten("p." + className(name));
        for (int n : new int[] {0, 1, 5}) {
            for (String failing : Outcome.of(written, Schedule.ok(1), n).log()) {
                for (long seed = 1; seed <= 8; seed++) {
                    Schedule schedule = Schedule.failing(seed, failing);
                    List<String> expected =
                            new ArrayList<>(Outcome.of(written, schedule, n).log());
                    List<String> actual =
                            new ArrayList<>(Outcome.of(rewritten, schedule, n).log());
                    assertThat(actual)
                            .as(name + " n=" + n + " " + schedule + failing)
                            .isEqualTo(expected);
                }
            }
        }
    }

    /** The order in which results come back is none of the program as written: it runs once. */
    private void compareFailing(String name, Class<?> written, int n, String... failing) {
        Class<?> rewritten = programs().rewritten(written.getName());
        Outcome expected = Outcome.of(written, Schedule.failing(1, failing), n);
        for (long seed = 1; seed <= (FULL || n <= FEW ? 2 : 1); seed++) {
            compare(name, expected, rewritten, Schedule.failing(seed, failing), n);
        }
    }

    private int compare(String name, Outcome expected, Class<?> rewritten, Schedule schedule, int n) {
        return compare("p." + className(name), verdicts(name), expected, rewritten, schedule, n);
    }

    private int compare(
            String className, List<Verdict> verdicts, Outcome expected, Class<?> rewritten, Schedule schedule, int n) {
        Outcome actual = Outcome.of(rewritten, schedule, n);
        Supplier<String> where = () -> className + " n=" + n + " " + schedule + "\nexpected " + expected + "\nactual   "
                + actual + "\n" + verdicts + "\n" + sources.get(className);
        assertThat(actual.result()).as(where).isEqualTo(expected.result());
        assertThat(actual.open()).as(() -> "open calls: " + where.get()).isZero();
        assertThat(actual.violation()).as(where).isEmpty();
        Map<String, Integer> times = new HashMap<>();
        actual.log().forEach(call -> times.merge(call, 1, Integer::sum));
        for (String call : expected.log()) {
            int left = times.merge(call, -1, Integer::sum);
            if (left < 0) {
                assertThat(left).as("missing " + call + ": " + where.get()).isNotNegative();
            }
        }
        List<String> extra = new ArrayList<>();
        times.forEach((call, left) -> extra.addAll(Collections.nCopies(left, call)));
        extra.removeIf(ScriptedService::isReading);
        extra.removeIf(call -> call.startsWith("try")); // T2: may be started and not be reached
        if (!extra.isEmpty()) {
            boolean failed = actual.result().startsWith("threw")
                    || expected.log().stream().anyMatch(schedule.fails())
                    || actual.result().contains("caught");
            assertThat(failed)
                    .as(() -> "extra calls without an exception: " + where.get())
                    .isTrue();
        }
        assertThat(chainedOf(actual.log()))
                .as(() -> "chained calls: " + where.get())
                .isEqualTo(chainedOf(expected.log()));
        Iterator<String> ofGroup = actual.ofGroup().iterator();
        for (String call : expected.ofGroup()) {
            boolean isThere = false;
            while (!isThere && ofGroup.hasNext()) {
                isThere = ofGroup.next().equals(call);
            }
            if (!isThere) {
                throw new AssertionError("order of a group: no " + call + ": " + where.get());
            }
        }
        assertThat(syncOf(actual.log())).as(where).isEqualTo(syncOf(expected.log()));
        return actual.maxInFlight();
    }

    /** What a server executes of chained calls is what it is of the program as written, failures or not. */
    private static List<String> chainedOf(List<String> log) {
        return log.stream().filter(call -> call.startsWith("link")).toList();
    }

    private static List<String> syncOf(List<String> log) {
        return log.stream()
                .filter(call -> call.startsWith("sync[")
                        || call.startsWith("shout")
                        || call.startsWith("plain")
                        || call.startsWith("store"))
                .toList();
    }

    /** The same, and with a window of 64 a run takes at most this many round trips. */
    void takes(String name, int n, int atMost) {
        check(name);
        int written = TimedService.run(programs().written("p." + className(name)), n);
        int rewritten = TimedService.run(programs().rewritten("p." + className(name)), n);
        assertThat(rewritten)
                .as(name + " in round trips, as written " + written + ": " + verdicts(name))
                .isLessThanOrEqualTo(atMost);
    }

    /** How many results a run does not give to the program, which only passes them on. */
    int staying(String name, long seed, int n) {
        return Outcome.of(programs().rewritten("p." + className(name)), Schedule.ok(seed), n)
                .stayed();
    }

    /** O: the same, and calls overlap. */
    void overlaps(String name) {
        int max = check(name);
        assertThat(max).as(name + " in flight: " + verdicts(name)).isGreaterThanOrEqualTo(2);
    }

    /** Q: the same, and no two calls overlap. */
    void staysSequential(String name) {
        int max = check(name);
        assertThat(max).as(name + " in flight: " + verdicts(name)).isLessThanOrEqualTo(1);
        for (Verdict verdict : verdicts(name)) {
            if (verdict.outcome() == Verdict.Outcome.SEQUENTIAL) {
                assertThat(verdict.refusal()).as(name).isNotNull();
            }
        }
    }
}
