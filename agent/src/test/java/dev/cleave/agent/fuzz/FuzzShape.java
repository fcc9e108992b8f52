package dev.cleave.agent.fuzz;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What programs are made of, told by their text; the run counts in how many programs each occurs. */
final class FuzzShape {

    private static final Map<String, Pattern> SHAPES = new LinkedHashMap<>();

    static {
        shape("loop", "\\b(for|while) \\(");
        shape(
                "nested loops",
                "\\b(for|while) \\([^\\n]*\\b(for|while) \\(|\\n +(for|while) \\([^\\n]*\\n {6,}(for|while) \\(");
        shape("try/catch", "\\bcatch \\(");
        shape("finally", "\\bfinally \\{");
        shape("switch", "\\bswitch \\(");
        shape("synchronized", "\\bsynchronized \\(");
        shape("helper that calls", "private [^\\n]*\\(FuzzService s, int x\\)");
        shape("helper that only reads", "private [^\\n]*\\(FuzzService s, int x\\)[^\\n]*s\\.(calc|peek|look)\\(");
        shape("collection", "\\b(xs|list|map|ArrayList|ArrayDeque|TreeSet|HashSet|LinkedList|TreeMap)\\b");
        shape("iterator", "for \\([^;()]* : |\\.iterator\\(\\)");
        shape("aliased arrays", "\\bint\\[\\] \\w+ = (arr|a|b|same\\([^)]*\\));|\\bb = ");
        shape("early exit", "\\b(break|continue)\\b|\\bif \\([^;\\n]*\\) return ");
        shape("throw", "\\bthrow new ");
        shape("string building", "sb\\.append|\\+= s\\.name|q = \"x\"");
        shape("field", "\\b(this\\.f|f) ");
        shape("static field", "\\bsteps\\b");
        shape("lambda", "-> ");
        shape("stream", "stream\\(|IntStream");
        shape("stream beside calls of a loop", "\\bfor \\([^\\n]*\\b(stream\\(|forEach\\()");
        shape("switch on strings", "switch \\((s|t)\\.name|case \"");
        shape("record", "\\bDuo\\b");
        shape("resource", "\\bRes\\b");
        shape("two slots under a handler", "\\b(long l|double d)\\d+[^\\n]*\\bcatch \\(");
        shape("lock", "\\block\\.");
        shape("local or other receiver", "\\bt\\.");
        shape("call without a style", "\\.(barrier|store)\\(");
        shape("@Async", "\\.(get|num|put|checked|sum|row|flag)\\(");
        shape("@Async(speculative)", "\\.(spec|perhaps)\\(");
        shape("@Async(group)", "\\.(note|tick)\\(");
        shape("@Chained", "\\.(push|pull|label)\\(");
        shape("@Pure", "\\.(calc|calcSum|name)\\(|::name");
        shape("@ReadOnly", "\\.(look|peek)\\(");
        shape("@ReadOnly beside changes", "(?s)\\.(look|peek)\\(.*\\.store\\(|\\.store\\(.*\\.(look|peek)\\(");
        shape("@OneWay", "\\.tip\\(");
        shape("result of a call as argument", "\\bs\\.\\w+\\(s\\.\\w+\\(");
        shape("callback", "\\.tell\\(");
    }

    private FuzzShape() {}

    private static void shape(String name, String regex) {
        SHAPES.put(name, Pattern.compile(regex));
    }

    /** The names of all shapes. */
    static List<String> all() {
        return List.copyOf(SHAPES.keySet());
    }

    /** The shapes that a source shows. */
    static List<String> of(String source) {
        List<String> found = new ArrayList<>();
        String text = source.lines()
                .filter(line -> !line.contains("Object run(") && !line.contains("int[] b = arr;"))
                .map(line -> line + "\n")
                .reduce("", String::concat);
        SHAPES.forEach((name, pattern) -> {
            if (pattern.matcher(text).find()) {
                found.add(name);
            }
        });
        return found;
    }
}
