package dev.cleave.agent.fuzz;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What programs are made of, told by their text; the run counts in how many programs each occurs. */
final class FuzzShape {

    private static final Map<String, Shape> SHAPES = new LinkedHashMap<>();

    static {
        shape("loop", "\\b(for|while) \\(");
        shape(
                "nested loops",
                "\\b(for|while) \\([^\\n]*\\b(for|while) \\(|\\n +(for|while) \\([^\\n]*\\n {6,}(for|while) \\(");
        shape("bound that is a result", "\\bfor \\(int \\w+ : (s|t)\\.row\\(", ".row(");
        shape(
                "helper with a loop",
                "\\b(lines|priced|counted|deeper|noted)\\((s|t),",
                "lines(",
                "priced(",
                "counted(",
                "deeper(",
                "noted(");
        shape("try/catch", "\\bcatch \\(", "catch (");
        shape("finally", "\\bfinally \\{", "finally {");
        shape("switch", "\\bswitch \\(", "switch (");
        shape("synchronized", "\\bsynchronized \\(", "synchronized (");
        shape("helper that calls", "private [^\\n]*\\(FuzzService s, int x\\)", "(FuzzService s, int x)");
        shape(
                "helper that only reads",
                "private [^\\n]*\\(FuzzService s, int x\\)[^\\n]*s\\.(calc|peek|look)\\(",
                "(FuzzService s, int x)");
        shape("collection", "\\b(xs|list|map|ArrayList|ArrayDeque|TreeSet|HashSet|LinkedList|TreeMap)\\b");
        shape("iterator", "for \\([^;()]* : |\\.iterator\\(\\)", " : ", ".iterator()");
        shape("aliased arrays", "\\bint\\[\\] \\w+ = (arr|a|b|same\\([^)]*\\));|\\bb = ", "int[] ", "b = ");
        shape("early exit", "\\b(break|continue)\\b|\\bif \\([^;\\n]*\\) return ", "break", "continue", ") return ");
        shape("throw", "\\bthrow new ", "throw new ");
        shape("string building", "sb\\.append|\\+= s\\.name|q = \"x\"", "sb.append", "+= s.name", "q = \"x\"");
        shape("field", "\\b(this\\.f|f) ");
        shape("static field", "\\bsteps\\b", "steps");
        shape("lambda", "-> ", "-> ");
        shape("stream", "stream\\(|IntStream", "tream");
        shape("stream beside calls of a loop", "\\bfor \\([^\\n]*\\b(stream\\(|forEach\\()", "stream(", "forEach(");
        if (Runtime.version().feature() >= 21) {
            shape("switch on patterns", "case [A-Z]\\w*(\\(| \\w+ (->|when))", "case ");
        }
        shape("switch on strings", "switch \\((s|t)\\.name|case \"", ".name", "case \"");
        shape("record", "\\bDuo\\b", "Duo");
        shape("resource", "\\bRes\\b", "Res");
        shape("two slots under a handler", "\\b(long l|double d)\\d+[^\\n]*\\bcatch \\(", "long l", "double d");
        shape("lock", "\\block\\.", "lock.");
        shape("local or other receiver", "\\bt\\.", "t.");
        shape("call without a style", "\\.(barrier|store)\\(", ".barrier(", ".store(");
        shape("@Async", "\\.(get|num|put|set|checked|sum|row|flag)\\(");
        shape("@Async(speculative)", "\\.(spec|perhaps)\\(", ".spec(", ".perhaps(");
        shape("@Async(group)", "\\.(note|tick)\\(", ".note(", ".tick(");
        shape("@Chained", "\\.(push|pull|label)\\(", ".push(", ".pull(", ".label(");
        shape("@Pure", "\\.(calc|calcSum|name)\\(|::name", ".calc", "name");
        shape("@ReadOnly", "\\.(look|peek)\\(", ".look(", ".peek(");
        shape(
                "@ReadOnly beside changes",
                "(?s)\\.(look|peek)\\(.*\\.store\\(|\\.store\\(.*\\.(look|peek)\\(",
                ".store(");
        shape("own write that is read", "\\.set\\(.*\\.(look|peek)\\(", ".set(");
        shape("step on a condition", "if \\([^;{]*\\) \\w+\\+\\+;", "++;");
        shape("@OneWay", "\\.tip\\(", ".tip(");
        shape("result of a call as argument", "\\bs\\.\\w+\\(s\\.\\w+\\(");
        shape("map of results", "\\.merge\\(|computeIfAbsent\\(", ".merge(", "computeIfAbsent(");
        shape("cache", "\\bkept\\(s|m\\d+\\.(computeIfAbsent|containsKey|get)\\(k\\d", "kept(s", "(k");
        shape("search", "\\be\\d+\\.isEmpty|\\be\\d+\\.(poll|get)\\(", "e");
        shape("retry", "i\\d+ < 3; i\\d+\\+\\+\\) try", "++) try");
        shape("pages behind a cursor", "\\bc\\d+ = @?(s|t)\\.get\\(c|\\br\\d+\\[0\\] %", " = ");
        shape("page of calls", "\\bd\\d+x0 = ", "x0 = ");
        shape("local service", "\\bh\\d+\\.of\\(", ".of(");
        shape("bean", "for \\(Bean |Bean o\\d+", "Bean ");
        shape("recursion", "\\b(walk\\d*|gather|gathered|visit)\\((s|t)", "walk", "gather", "visit(");
        shape("loop of the JDK", "setAll\\(|replaceAll\\(|removeIf\\(", "setAll(", "replaceAll(", "removeIf(");
        shape("function given to a method", "\\b\\w+Op\\([^\\n]*->|Tries\\.of\\(", "Op(", "Tries.of(");
        shape("collector that calls", "Collectors\\.\\w+\\([^\\n]*s\\.(get|flag)\\(|, @?s::get\\)", "Collectors.");
        shape("helper with a loop elsewhere", "Sums\\.of\\(", "Sums.of(");
        shape("layers", "new Repo\\d+\\(", "new Repo");
        shape("callback", "\\.tell\\(", ".tell(");
    }

    private FuzzShape() {}

    /** What a source shows if it has one of the literals, which are looked for faster, and matches. */
    private record Shape(Pattern pattern, List<String> literals) {

        boolean isIn(String text) {
            boolean mayBe = literals.isEmpty() || literals.stream().anyMatch(text::contains);
            return mayBe && pattern.matcher(text).find();
        }
    }

    private static void shape(String name, String regex, String... literals) {
        SHAPES.put(name, new Shape(Pattern.compile(regex), List.of(literals)));
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
                .collect(Collectors.joining("\n", "", "\n"));
        SHAPES.forEach((name, shape) -> {
            if (shape.isIn(text)) {
                found.add(name);
            }
        });
        return found;
    }
}
