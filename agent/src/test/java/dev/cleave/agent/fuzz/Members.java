package dev.cleave.agent.fuzz;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Members that programs may have beside their method, one a line; a program gets those that it uses. */
final class Members {

    private static final Pattern TYPE = Pattern.compile("\\b(?:class|enum|interface) (\\w+)");
    private static final Pattern OTHER = Pattern.compile("(\\w+)(?:\\(| = )");
    private static final Pattern WORD = Pattern.compile("\\w+");

    /** Fields whose contents are part of the heap. */
    private static final Map<String, String> HEAP = Map.of(
            "box", "box.v + \"/\" + (box.next == null)",
            "map", "new TreeMap<>(map)",
            "open", "open.v",
            "sub", "sub.v",
            "steps", "steps",
            "grid", "Arrays.deepToString(grid)");

    private final Map<String, List<String>> byName = new LinkedHashMap<>();

    Members(String... texts) {
        for (String text : texts) {
            text.lines().forEach(line -> byName.computeIfAbsent(nameOf(line), name -> new ArrayList<>())
                    .add(line.strip()));
        }
    }

    private static String nameOf(String member) {
        Matcher type = TYPE.matcher(member);
        if (type.find()) {
            return type.group(1);
        }
        Matcher other = OTHER.matcher(member);
        if (!other.find()) {
            throw new IllegalArgumentException("member: " + member + " (expected: a type, a method or a field)");
        }
        return other.group(1);
    }

    /** The members that a text names, and those that they name, with the method that tells what is in the fields. */
    String usedBy(String text) {
        Set<String> used = new LinkedHashSet<>();
        find(text, used);
        StringBuilder members = new StringBuilder();
        StringBuilder heap = new StringBuilder("\"\"");
        byName.forEach((name, all) -> {
            if (used.contains(name)) {
                all.forEach(member -> members.append("  ").append(member).append('\n'));
                if (HEAP.containsKey(name)) {
                    heap.append(" + ").append(HEAP.get(name)).append(" + \";\"");
                }
            }
        });
        return members + "  @Override protected String own() { return " + heap + "; }\n";
    }

    private void find(String text, Set<String> used) {
        Matcher words = WORD.matcher(text);
        while (words.find()) {
            List<String> named = byName.get(words.group());
            if (named != null && used.add(words.group())) {
                named.forEach(member -> find(member, used));
            }
        }
    }
}
