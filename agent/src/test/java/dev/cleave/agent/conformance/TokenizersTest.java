package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Loops over the parts of a text that a string tokenizer gives (R34), and tokenizers that are asked for more than that. */
class TokenizersTest extends StrandPrograms {

    private static final String TEXT =
            "StringBuilder b = new StringBuilder(); for (int i = 0; i < n; i++) b.append(i * 7 % 11).append(i % 3 == 2 ? \", \" : \" \"); String text = b.toString(); long t = 0; ";
    private static final String ASK = "while (st.hasMoreTokens()) t = t * 3 + s.f(st.nextToken().charAt(0)); return t;";

    TokenizersTest() {
        super(8);
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        parts();
        otherUses();
        failures();
        return tests();
    }

    private void parts() {
        trips("parts", 1, TEXT + "StringTokenizer st = new StringTokenizer(text); " + ASK);
        trips(
                "numbers",
                1,
                TEXT
                        + "StringTokenizer st = new StringTokenizer(text, \", \"); while (st.hasMoreTokens()) t = t * 3 + s.f(Integer.parseInt(st.nextToken())); return t;");
        trips("parts-by-delimiters", 1, TEXT + "StringTokenizer st = new StringTokenizer(text, \",\" + \" \"); " + ASK);
        trips("parts-and-delimiters", 1, TEXT + "StringTokenizer st = new StringTokenizer(text, \",\", n > 2); " + ASK);
        trips(
                "elements",
                1,
                TEXT
                        + "StringTokenizer st = new StringTokenizer(text); while (st.hasMoreElements()) t = t * 3 + s.f(((String) st.nextElement()).length()); return t;");
        trips(
                "in-a-for-loop",
                1,
                TEXT
                        + "for (StringTokenizer st = new StringTokenizer(text); st.hasMoreTokens(); ) { String p = st.nextToken(); if (p.length() > 1) t = t * 3 + s.f(p.charAt(0)); } return t;");
        trips(
                "in-two-loops",
                1,
                TEXT
                        + "StringTokenizer lines = new StringTokenizer(text, \",\"); while (lines.hasMoreTokens()) { StringTokenizer st = new StringTokenizer(lines.nextToken()); while (st.hasMoreTokens()) t = t * 3 + s.f(st.nextToken().charAt(0)); } return t;");
        trips(
                "of-a-result",
                2,
                TEXT
                        + "StringTokenizer st = new StringTokenizer(text + s.f(n)); while (st.hasMoreTokens()) t = t * 3 + s.f(st.nextToken().charAt(0)); return t;");
        same(
                "one-or-the-other",
                TEXT
                        + "StringTokenizer st = new StringTokenizer(text); if (n % 2 == 0) st = new StringTokenizer(text, \",\"); "
                        + ASK);
        same(
                "in-rounds",
                TEXT + "StringTokenizer st = new StringTokenizer(text); for (int r = 0; r < 3; r++) "
                        + "for (int k = 0; k < r && st.hasMoreTokens(); k++) t = t * 3 + s.f(st.nextToken().charAt(0)); return t;");
        same(
                "first-part-apart",
                TEXT
                        + "StringTokenizer st = new StringTokenizer(text); int head = s.f(st.nextToken().charAt(0)); t = head; "
                        + ASK);
        same(
                "two-at-a-time",
                TEXT
                        + "StringTokenizer st = new StringTokenizer(text); while (st.hasMoreTokens()) { String a = st.nextToken(); if (!st.hasMoreTokens()) break; t = t * 3 + s.f(a.charAt(0) + st.nextToken().charAt(0)); } return t;");
    }

    private void otherUses() {
        same("counted", TEXT + "StringTokenizer st = new StringTokenizer(text); t = st.countTokens(); " + ASK);
        same(
                "counted-in-the-loop",
                TEXT
                        + "StringTokenizer st = new StringTokenizer(text); while (st.hasMoreTokens()) t = t * 3 + s.f(st.nextToken().charAt(0)) + st.countTokens(); return t;");
        same(
                "other-delimiters",
                TEXT
                        + "StringTokenizer st = new StringTokenizer(text); while (st.hasMoreTokens()) t = t * 3 + s.f(st.nextToken(\",\").length()); return t;");
        same(
                "handed-on",
                TEXT
                        + "StringTokenizer st = new StringTokenizer(text); skip(st); while (st.hasMoreTokens()) t = t * 3 + s.f(st.nextToken().charAt(0)); return t; } static void skip(StringTokenizer o) { o.nextToken(); } static long other() { return 1;");
        same(
                "known-by-two-names",
                TEXT
                        + "StringTokenizer st = new StringTokenizer(text); StringTokenizer o = st; while (st.hasMoreTokens()) { t = t * 3 + s.f(st.nextToken().charAt(0)); if (o.hasMoreTokens()) o.nextToken(); } return t;");
        same(
                "chosen",
                TEXT
                        + "StringTokenizer st = n > 3 ? new StringTokenizer(text) : new StringTokenizer(text, \",\"); "
                        + ASK);
        same("given", TEXT + "StringTokenizer st = null; if (n > 3) st = new StringTokenizer(text); " + ASK);
        same(
                "of-another",
                TEXT
                        + "StringTokenizer st = new StringTokenizer(new StringTokenizer(text, \",\").nextToken()); "
                        + ASK);
        same(
                "as-an-enumeration",
                TEXT
                        + "Enumeration<Object> st = new StringTokenizer(text); while (st.hasMoreElements()) t = t * 3 + s.f(((String) st.nextElement()).length()); return t;");
        same(
                "slot-used-again",
                TEXT
                        + "{ StringTokenizer st = new StringTokenizer(text); while (st.hasMoreTokens()) t = t * 3 + s.f(st.nextToken().charAt(0)); } { List<Integer> l = new ArrayList<>(); l.add(s.f(n)); t += l.get(0); } return t;");
    }

    private void failures() {
        same("no-text", TEXT + "text = n > 100 ? text : null; StringTokenizer st = new StringTokenizer(text); " + ASK);
        same(
                "no-delimiters",
                TEXT
                        + "String none = n > 100 ? text : null; StringTokenizer st = new StringTokenizer(text, none); t = s.f(1); "
                        + ASK);
        same(
                "beyond-the-end",
                TEXT
                        + "StringTokenizer st = new StringTokenizer(text); while (true) { t = t * 3 + s.f(st.nextToken().charAt(0)); if (t == 7) break; } return t;");
        same(
                "no-number",
                TEXT
                        + "StringTokenizer st = new StringTokenizer(text, \" \"); while (st.hasMoreTokens()) t = t * 3 + s.f(Integer.parseInt(st.nextToken())); return t;");
    }
}
