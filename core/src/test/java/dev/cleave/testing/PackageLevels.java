package dev.cleave.testing;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/** The package graph of a folder of classes, held against the level that each package is meant to have. */
public final class PackageLevels {

    private static final Pattern ARROW = Pattern.compile("^\\s+(\\S+)\\s+->\\s+(\\S+)\\s.*$");

    private final Map<String, Set<String>> arrows = new TreeMap<>();

    private PackageLevels() {}

    /** Reads the arrows between packages below {@code root} with jdeps. */
    public static PackageLevels read(Path classes, String root) {
        StringWriter out = new StringWriter();
        ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
        PrintWriter writer = new PrintWriter(out);
        int code = jdeps.run(
                writer, writer, "--ignore-missing-deps", "-verbose:package", "-filter:none", classes.toString());
        if (code != 0) {
            throw new AssertionError("jdeps ended with " + code + ": " + out);
        }
        PackageLevels levels = new PackageLevels();
        for (String line : out.toString().split("\n")) {
            Matcher arrow = ARROW.matcher(line);
            if (arrow.matches() && arrow.group(1).startsWith(root)) {
                levels.arrows.computeIfAbsent(arrow.group(1), p -> new TreeSet<>());
                if (arrow.group(2).startsWith(root) && !arrow.group(1).equals(arrow.group(2))) {
                    levels.arrows.get(arrow.group(1)).add(arrow.group(2));
                }
            }
        }
        return levels;
    }

    /** The packages that were seen. */
    public Set<String> packages() {
        return arrows.keySet();
    }

    /**
     * What breaks the design: packages without a level, arrows that do not go down.
     *
     * @param level the level of each package, 0 at the bottom
     */
    public List<String> violations(Map<String, Integer> level) {
        List<String> found = new ArrayList<>();
        arrows.forEach((from, targets) -> {
            if (!level.containsKey(from)) {
                found.add(from + " has no level");
                return;
            }
            for (String to : targets) {
                Integer target = level.get(to);
                if (target != null && target >= level.get(from)) {
                    found.add(from + " (level " + level.get(from) + ") -> " + to + " (level " + target + ")");
                }
            }
        });
        return found;
    }

    /** The packages that reach themselves. */
    public Set<String> cyclic() {
        Set<String> cyclic = new TreeSet<>();
        for (String start : arrows.keySet()) {
            Set<String> seen = new TreeSet<>();
            List<String> todo = new ArrayList<>(arrows.get(start));
            while (!todo.isEmpty()) {
                String next = todo.remove(todo.size() - 1);
                if (seen.add(next)) {
                    todo.addAll(arrows.getOrDefault(next, Set.of()));
                }
            }
            if (seen.contains(start)) {
                cyclic.add(start);
            }
        }
        return cyclic;
    }
}
