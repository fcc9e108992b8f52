package dev.cleave.broker.verify;

import dev.cleave.call.RemoteMethod.Conduct;
import dev.cleave.config.Style;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Compares two runs: exit code, standard output, and the calls as far as their call styles fix them. */
final class Differences {

    private static final int MOST = 20;

    private final @Nullable Pattern ignored;
    private final List<String> found = new ArrayList<>();

    /**
     * Creates a comparison.
     *
     * @param ignored matches parts of output lines that are not compared
     */
    Differences(@Nullable Pattern ignored) {
        this.ignored = ignored;
    }

    /** Returns the differences, each a line; empty if there is none. */
    List<String> of(Run written, Run rewritten) throws IOException {
        int expected = written.finished().exitCode();
        int actual = rewritten.finished().exitCode();
        if (expected != actual) {
            found.add("exit code: as written " + expected + ", with the agent " + actual);
        }
        differ(
                "output, line",
                lines(written.finished().output()),
                lines(rewritten.finished().output()));
        calls(written.calls(), rewritten.calls(), expected != 0 || failed(written));
        return found.size() <= MOST ? found : found.subList(0, MOST);
    }

    private List<String> lines(Path file) throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(file, StandardCharsets.UTF_8));
        if (ignored != null) {
            lines.removeIf(line -> ignored.matcher(line).find());
        }
        return lines;
    }

    private static boolean failed(Run run) throws IOException {
        return Files.readAllLines(run.finished().errors(), StandardCharsets.UTF_8).stream()
                .anyMatch(line -> line.startsWith("\tat "));
    }

    private void calls(List<Served> written, List<Served> rewritten, boolean threw) {
        differ(
                "call that may not move, number",
                texts(Differences::stays, written),
                texts(Differences::stays, rewritten));
        Set<String> groups = new LinkedHashSet<>();
        written.forEach(call -> groups.add(conduct(call).group()));
        groups.remove("");
        for (String group : groups) {
            Predicate<Served> member = call ->
                    conduct(call).group().equals(group) && !conduct(call).changesNothing();
            differ("call of group " + group + ", number", texts(member, written), texts(member, rewritten));
        }
        Map<Served.Key, Integer> counts = new LinkedHashMap<>();
        written.forEach(call -> counts.merge(call.key(), 1, Integer::sum));
        for (Served call : rewritten) {
            int left = counts.merge(call.key(), -1, Integer::sum);
            if (left < 0 && !conduct(call).changesNothing() && !threw) {
                found.add("made with the agent only: " + call.text());
            }
        }
        for (Served call : written) {
            if (counts.getOrDefault(call.key(), 0) > 0) {
                counts.merge(call.key(), -1, Integer::sum);
                found.add("not made with the agent: " + call.text());
            }
        }
    }

    private static boolean stays(Served call) {
        return conduct(call).style() != Style.ASYNC && !conduct(call).changesNothing();
    }

    private static Conduct conduct(Served call) {
        return call.method().conduct();
    }

    private static List<String> texts(Predicate<Served> which, List<Served> calls) {
        return calls.stream().filter(which).map(Served::text).toList();
    }

    private void differ(String what, List<String> expected, List<String> actual) {
        int at = 0;
        while (at < expected.size() && at < actual.size() && expected.get(at).equals(actual.get(at))) {
            at++;
        }
        if (at < expected.size() || at < actual.size()) {
            found.add(
                    what + " " + (at + 1) + ": as written " + at(expected, at) + ", with the agent " + at(actual, at));
        }
    }

    private static String at(List<String> texts, int index) {
        return index < texts.size() ? "\"" + texts.get(index) + "\"" : "none";
    }
}
