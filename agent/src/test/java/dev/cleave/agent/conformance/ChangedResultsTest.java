package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Arrays and lists that calls return, and that the program sorts, filters or overwrites: strands work on copies (R33, R71). */
class ChangedResultsTest extends StrandPrograms {

    /** Ends the last class in place of the one that the program stands in. */
    private static final String END = " static int q() { return 1;";

    private static final String EACH = "for (int x : w) t = t * 3 + s.f(x); } return t;";

    ChangedResultsTest() {
        super(8);
    }

    /** The classes of the program show themselves. */
    @Override
    void runFirst(Class<?> rewritten) {
        roundTrips(rewritten);
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        arrays();
        lists();
        comparators();
        inPlace();
        kept();
        return tests();
    }

    /** A loop over rows that some code changes, before each element of a row is looked up. */
    private static String rows(String change) {
        return "long t = 0; for (int i = 0; i < n; i++) { int[] w = s.row(i); " + change + EACH;
    }

    private void arrays() {
        strands("row-sorted", 3, rows("Arrays.sort(w); "));
        strands("row-sorted-in-part", 3, rows("if (w.length > 1) Arrays.sort(w, 0, 2); "));
        strands("row-scaled", 3, rows("for (int k = 0; k < w.length; k++) w[k] = w[k] * 3 & 15; "));
        strands("row-summed-up", 3, rows("for (int k = 1; k < w.length; k++) w[k] = w[k] + w[k - 1] & 15; "));
        strands("row-filled", 3, rows("if (i % 3 == 0) Arrays.fill(w, i); "));
        strands(
                "row-or-none",
                3,
                rows("").replace("int[] w = s.row(i);", "int[] w = i % 3 == 0 ? new int[2] : s.row(i); w[0] += i;"));
        // another array, or one that others know
        same(
                "row-that-is-kept",
                rows("kept = w; w[0]++; ").replace(EACH, "t += kept[0]; " + EACH)
                        + " } static int[] kept; static int q() { return 1;");
        same(
                "row-of-the-pass-before",
                "long t = 0; int[] w = {1, 2, 3}; for (int i = 0; i < n; i++) { int[] y = s.row(i); for (int x : w) t = t * 3 + s.f(x); if (y.length > 0) y[0] = i; w = y; } return t;");
        same(
                "row-compared",
                "long t = 0; int[] last = {}; for (int i = 0; i < n; i++) { int[] w = s.row(i); Arrays.sort(w); if (w != last) for (int x : w) t = t * 3 + s.f(x); last = w; } return t;");
        same("row-of-two-names", rows("int[] y = w; for (int k = 0; k < y.length; k++) y[k] = y[k] * 5 & 15; "));
        same(
                "row-changed-by-a-method",
                rows("turn(w); ")
                        + " } static void turn(int[] w) { for (int k = 0; k < w.length; k++) w[k] = w[k] * 5 & 15;");
        same(
                "row-passed-on",
                "long t = 0; for (int i = 0; i < n; i++) { int[] w = s.row(i); Arrays.sort(w); t = t * 3 + s.sumOf(w); w[0] = 99; t += s.f(w[0]); } return t;");
        same("row-that-throws", rows("w[i & 3] = 1; "));
    }

    private void lists() {
        strands("names-sorted", 3, names("Collections.sort(w); "));
        strands("names-turned", 3, names("Collections.reverse(w); "));
        strands("names-without-the-first", 3, names("if (w.size() > 1) w.remove(0); "));
        strands("names-filtered", 3, names("w.removeIf(x -> x.length() % 2 == 0); "));
        strands("names-longer", 3, names("w.add(\"more\" + i); "));
        same(
                "names-that-are-kept",
                names("all.add(w); w.add(\"+\"); ")
                        .replace("long t = 0;", "long t = 0; List<List<String>> all = new ArrayList<>();")
                        .replace("return t;", "return all.toString() + t;"));
        without(
                "names-of-the-program",
                names("Collections.reverse(w); ").replace("s.names", "z.names")); // of any class
        same("names-of-two-names", names("List<String> y = w; y.add(\"y\" + i); "));
        same("names-given-back", names("w = s.more(w); Collections.sort(w); "));
    }

    private static String names(String change) {
        return "long t = 0; for (int i = 0; i < n; i++) { List<String> w = s.names(i); " + change
                + "for (String x : w) t = t * 3 + s.s(x).length(); } return t;";
    }

    private static String sorted(String how) {
        return "long t = 0; for (int i = 0; i < n; i++) { List<Integer> w = new ArrayList<>(); for (int x : s.row(i)) w.add(x); "
                + how + "; " + EACH;
    }

    private void comparators() {
        strands("sorted-by-nature", 3, sorted("Collections.sort(w)"));
        strands("sorted-by-null", 3, sorted("w.sort(null)"));
        strands("sorted-reversed", 3, sorted("w.sort(Comparator.reverseOrder())"));
        strands("sorted-by-collections", 3, sorted("Collections.sort(w, Collections.reverseOrder())"));
        strands("sorted-by-lambda", 3, sorted("w.sort((a, b) -> b - a)"));
        strands("sorted-by-key", 3, sorted("w.sort(Comparator.comparing(x -> x % 3))"));
        strands(
                "sorted-by-keys",
                3,
                sorted(
                        "w.sort(Comparator.comparingInt((Integer x) -> x % 3).reversed().thenComparing(Comparator.naturalOrder()))"));
        strands("sorted-by-captured", 3, sorted("int k = i & 1; w.sort((a, b) -> k == 0 ? a - b : b - a)"));
        same(
                "sorted-by-counting",
                sorted("w.sort((a, b) -> { asked++; return a - b; })")
                                .replace("long t = 0;", "long t = 0; asked = 0;")
                                .replace("return t;", "return t + asked;")
                        + " } static int asked;" + END);
        same(
                "sorted-by-what-changes",
                sorted("w.sort((a, b) -> (a ^ mask) - (b ^ mask)); mask = (int) t & 7")
                                .replace("long t = 0;", "long t = 0; mask = 3;")
                        + " } static int mask;" + END);
        same(
                "sorted-objects-of-the-program",
                "long t = 0; Odd.asked = 0; for (int i = 0; i < n; i++) { List<Odd> w = new ArrayList<>(); for (int x : s.row(i)) w.add(new Odd(x)); Collections.sort(w); for (Odd x : w) t = t * 3 + x.x; for (int y : s.row(i + 1)) t = t * 3 + s.f(y + Odd.asked % 3); } return t + Odd.asked; }"
                        + " static class Odd implements Comparable<Odd> { static int asked; final int x; Odd(int x) { this.x = x; } public int compareTo(Odd o) { asked++; return x - o.x; } }"
                        + END);
    }

    private static String desk(String body) {
        return "long t = 0; Desk d = new Desk(s); for (int i = 0; i < n; i++) t = t * 3 + d.of(i); return t; } static final class Desk { final Svc s; Desk(Svc s) { this.s = s; } long of(int i) { long t = 0; int[] w = s.row(i); "
                + body + " return t; } }" + END;
    }

    private void inPlace() {
        strands("element-by-its-call", 3, desk("for (int k = 0; k < w.length; k++) { w[k] = s.f(w[k]); t += w[k]; }"));
        strands(
                "element-by-its-call-downwards",
                3,
                desk("for (int k = w.length - 1; k >= 0; k--) { w[k] = s.f(w[k]); t += w[k]; }"));
        strands(
                "element-by-its-call-from-the-second",
                3,
                desk("for (int k = 1; k < w.length; k++) w[k] = s.f(w[k]); for (int x : w) t += x;"));
        same(
                "element-by-the-next",
                desk("for (int k = 0; k + 1 < w.length; k++) w[k] = s.f(w[k + 1]); for (int x : w) t += x;"));
        same(
                "next-element-by-this",
                desk(
                        "for (int k = 0; k + 1 < w.length; k++) w[k + 1] = s.f(w[k]) & 15; for (int x : w) t = t * 3 + x;"));
        same(
                "element-twice",
                desk(
                        "for (int r = 0; r < 2; r++) for (int k = 0; k < w.length; k++) w[k] = s.f(w[k]) & 15; for (int x : w) t = t * 3 + x;"));
        same(
                "element-behind-its-step",
                desk(
                        "for (int k = 0; k + 1 < w.length; ) { int y = s.f(w[k]) & 15; k++; w[k] = y; } for (int x : w) t = t * 3 + x;"));
        same(
                "element-read-again",
                desk("for (int k = 0; k < w.length; k++) { w[k] = s.f(w[k]) & 15; t += s.f(w[k]); }"));
        same(
                "element-of-two-steps",
                desk(
                        "for (int k = 0; k < w.length; k++) { w[k] = s.f(w[k]) & 15; if (w[k] % 2 == 0) k++; } for (int x : w) t = t * 3 + x;"));
        same(
                "element-of-an-array-passed-on",
                desk("for (int k = 0; k < w.length; k++) { w[k] = s.f(w[k]) & 15; t += s.sumOf(w); }"));
        same(
                "element-and-then-the-array",
                desk("for (int k = 0; k < w.length; k++) w[k] = s.f(w[k]) & 15; t = s.sumOf(w);"));
        same(
                "element-by-a-saved-index",
                desk(
                        "int j = 0; for (int k = 0; k < w.length; k++) { w[j] = s.f(w[k]) & 15; j = k; } for (int x : w) t = t * 3 + x;"));
        same(
                "element-of-an-array-of-the-method",
                "long t = 0; for (int i = 0; i < n; i++) { int[] w = {1, i, 2, i + 1}; for (int k = 0; k < w.length; k++) { w[k] = s.f(w[k]) & 15; t += w[k]; } for (int x : w) t = t * 3 + s.f(x); } return t;");
        same(
                "clone-of-what-changes",
                "long t = 0; int[] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21}; for (int i = 0; i < n && i < 20; i++) { int[] b = w.clone(); t = t * 3 + s.f(b[i]); w[i + 1] = (int) t & 7; } return t;");
    }

    /** The strand comes to a result that the program has changed since it was given it. */
    private void kept() {
        same(
                "behind-the-program",
                "long t = 0; for (int i = 0; i < n; i++) { int[] w = s.row(i); int[] y = s.row(i + 1); Arrays.sort(w); Arrays.sort(y); for (int x : y) t = t * 3 + s.f(x); for (int x : w) t = t * 5 + s.f(x); } return t;");
        same(
                "behind-the-program-by-two",
                "long t = 0; for (int i = 0; i < n; i++) { int[] w = s.row(i); for (int k = 0; k < w.length; k++) w[k] = w[k] + 1 & 15; for (int x : s.row(w.length)) { for (int y : w) t = t * 3 + s.f(x + y & 15); } } return t;");
    }
}
