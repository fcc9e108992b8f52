package dev.cleave.agent.junit;

import dev.cleave.agent.junit.CallLog.Call;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.CallSetting.Style;
import dev.cleave.agent.scan.Reading;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Compares the evidence of two ways. */
final class Comparison {

    private final Function<Call, CallSetting> settings;
    private final boolean mayThrow;
    private final List<String> differences = new ArrayList<>();

    /** Creates a comparison.
     *
     * @param settings the call styles and settings of methods
     * @param mayThrow whether calls may have been executed that an exception kept the program from reaching
     */
    Comparison(Function<Call, CallSetting> settings, boolean mayThrow) {
        this.settings = settings;
        this.mayThrow = mayThrow;
    }

    /** Returns the differences, each a line; empty if there is none. */
    List<String> of(Evidence written, Evidence rewritten) {
        differ("evidence", written.values(), rewritten.values());
        List<Call> expected = written.calls().calls();
        List<Call> actual = rewritten.calls().calls();
        inOrder(
                "@Sync calls",
                call -> setting(call).style() != Style.ASYNC && !setting(call).movesRestoring() && !isReading(call),
                expected,
                actual);
        Set<String> groups = new LinkedHashSet<>();
        expected.forEach(call -> groups.add(setting(call).group()));
        groups.remove("");
        for (String group : groups) {
            inOrder(
                    "calls of group " + group,
                    call -> setting(call).group().equals(group) && !isReading(call),
                    expected,
                    actual);
        }
        List<Call> extra = new ArrayList<>(actual);
        for (Call call : expected) {
            if (!extra.remove(call)) {
                differences.add("not made by the rewritten program: " + call.text());
            }
        }
        for (Call call : extra) {
            if (!isReading(call) && !setting(call).isSpeculative() && !mayThrow) {
                differences.add("made by the rewritten program alone: " + call.text());
            }
        }
        return differences;
    }

    private void inOrder(String what, Predicate<Call> which, List<Call> expected, List<Call> actual) {
        differ(what, texts(which, expected), texts(which, actual));
    }

    private static List<String> texts(Predicate<Call> which, List<Call> calls) {
        return calls.stream().filter(which).map(Call::text).toList();
    }

    private void differ(String what, List<String> expected, List<String> actual) {
        int at = 0;
        while (at < expected.size() && at < actual.size() && expected.get(at).equals(actual.get(at))) {
            at++;
        }
        if (at < expected.size() || at < actual.size()) {
            differences.add(what + ", number " + (at + 1) + ": as written " + at(expected, at) + ", rewritten "
                    + at(actual, at));
        }
    }

    private static String at(List<String> texts, int index) {
        return index < texts.size() ? texts.get(index) : "none";
    }

    private boolean isReading(Call call) {
        return setting(call).reading().kind() != Reading.Kind.NONE;
    }

    private CallSetting setting(Call call) {
        return settings.apply(call);
    }
}
