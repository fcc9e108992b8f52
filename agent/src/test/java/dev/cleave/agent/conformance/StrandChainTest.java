package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Nests in which each call of one place needs the result of the call of that place before: pages behind a cursor (R71). */
@Tag("one-jdk")
class StrandChainTest extends StrandPrograms {

    StrandChainTest() {
        super(60);
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        strands(
                "pages",
                130,
                "int at = 1; long t = 0; for (int k = 0; k < n; k++) { at = s.f(at) % 50; for (int id : s.row(at)) t = t * 3 + s.g(id); } return t;");
        strands(
                "pages-up-to-the-last",
                130,
                "int at = 1; int k = 0; long t = 0; while (at % 50 != 49 && k < n) { k++; at = s.f(at) % 50; for (int id : s.row(at)) t = t * 3 + s.g(id); } return t + at;");
        strands(
                "pages-without-end",
                130,
                "int at = 1; int k = 0; long t = 0; while (true) { k++; at = s.f(at) % 50; for (int id : s.row(at)) t = t * 3 + s.g(id); if (at == 49 || k >= n) return t + at; }");
        strands(
                "pages-of-a-do",
                130,
                "int at = 1; int k = 0; long t = 0; do { at = s.f(at) % 50; for (int id : s.row(at)) t = t * 3 + s.g(id); } while (at != 49 && k++ < n); return t + at;");
        strands(
                "pages-of-texts",
                130,
                "String at = \"a\"; long t = 0; for (int k = 0; k < n && at != null; k++) { at = s.s(at); for (int id : s.row(at.length() & 7)) t = t * 3 + s.g(id); if (at.length() > 80) at = null; } return t + \" \" + at;");
        strands(
                "pages-of-items",
                75,
                "int[] page = s.row(1); long t = 0; for (int k = 0; k < n && page.length > 0; k++) { for (int id : page) t = t * 3 + s.g(id); page = s.row(page[0] + k); } return t;");
        strands(
                "pages-of-a-helper",
                130,
                "int at = 1; long t = 0; for (int k = 0; k < n; k++) { at = next(s, at); for (int id : s.row(at)) t = t * 3 + s.g(id); } return t; }\n"
                        + "private static int next(Svc s, int at) { int x = s.f(at); return x < 0 ? -x : x % 50;");
        strands(
                "pages-now-and-then",
                130,
                "int at = 1; long t = 0; for (int k = 0; k < n; k++) { if (k % 3 == 0) at = s.f(at) % 50; for (int id : s.row(at + k)) t = t * 3 + s.g(id); } return t;");
        strands(
                "pages-in-the-inner-loop",
                200,
                "int at = 1; long t = 0; for (int k = 0; k < n; k++) { for (int j = 0; j < 3; j++) { at = s.f(at) % 50; t = t * 3 + s.g(at); } } return t;");
        strands(
                "two-chains",
                130,
                "int a = 1; int b = 2; long t = 0; for (int k = 0; k < n; k++) { a = s.f(a) % 50; b = s.w(b) % 50; for (int id : s.row(a ^ b)) t = t * 3 + s.g(id); } return t;");
        strands(
                "chain-of-a-chain",
                190,
                "int a = 1; int b = 2; long t = 0; for (int k = 0; k < n; k++) { a = s.f(a) % 50; b = s.w(b + a) % 50; for (int id : s.row(a ^ b)) t = t * 3 + s.g(id); } return t;");
        same(
                "two-that-need-each-other",
                "int a = 1; int b = 2; long t = 0; for (int k = 0; k < n; k++) { a = s.f(b) % 50; b = s.w(a) % 50; for (int id : s.row(a ^ b)) t = t * 3 + s.g(id); } return t;");
        same(
                "pages-that-the-program-leaves",
                "int at = 1; long t = 0; for (int k = 0; k < n; k++) { at = s.f(at) % 50; for (int id : s.row(at)) { t = t * 3 + s.g(id); if (t % 7 == 3) return t; } } return t;");
        same(
                "pages-that-the-items-change",
                "int at = 1; long t = 0; for (int k = 0; k < n; k++) { at = s.f(at) % 50; for (int id : s.row(at)) { int g = s.g(id); t = t * 3 + g; at = (at + g) % 50; } } return t;");
        same(
                "pages-whose-cursor-is-written",
                "int[] at = {1, 0}; long t = 0; for (int k = 0; k < n; k++) { at[0] = s.f(at[0]) % 50; for (int id : s.row(at[0])) t = t * 3 + s.g(id); } return t;");
        same(
                "pages-that-throw",
                "int at = 1; long t = 0; for (int k = 0; k < n; k++) { at = s.f(at) % 50; for (int id : s.row(at)) { t = t * 3 + s.g(id); if (k == 9) throw new IllegalStateException(\"k\" + t); } } return t;");
        same(
                "pages-whose-cursor-throws",
                "int at = 1; int[] a = new int[9]; long t = 0; for (int k = 0; k < n; k++) { at = s.f(at) % 12; for (int id : s.row(at)) { t = t * 3 + s.g(id); } at += a[at]; } return t;");
        same(
                "pages-of-a-group",
                "int at = 1; long t = 0; for (int k = 0; k < n; k++) { at = s.kept(at) % 50; for (int id : s.row(at)) t = t * 3 + s.kept(id); } return t;");
        same(
                "pages-that-change",
                "int at = 1; long t = 0; for (int k = 0; k < n; k++) { at = s.set(at % 5, k) % 50; for (int id : s.row(at)) t = t * 3 + s.load(id % 5); } return t;");
        same(
                "pages-of-a-local-object",
                "Svc x = new LocalSvc(); int at = 1; long t = 0; for (int k = 0; k < n; k++) { at = x.f(at) % 50; for (int id : s.row(at)) t = t * 3 + s.g(id); } return t;");
        same(
                "pages-of-another-one",
                "Svc[] of = {s, z}; int at = 1; long t = 0; for (int k = 0; k < n; k++) { at = of[k & 1].f(at) % 50; for (int id : s.row(at)) t = t * 3 + s.g(id); } return t;");
        same(
                "pages-handled",
                "StringBuilder l = new StringBuilder(\"caught\"); int at = 1; try { for (int k = 0; k < n && k < 6; k++) { at = s.f(at) % 50; for (int id : s.row(at)) l.append(s.g(id)); } } catch (RuntimeException e) { l.append('!').append(at); } return l.toString();");
        same(
                "pages-handled-inside",
                "StringBuilder l = new StringBuilder(\"caught\"); int at = 1; for (int k = 0; k < n && k < 6; k++) { try { at = s.f(at) % 50; for (int id : s.row(at)) l.append(s.g(id)); } catch (RuntimeException e) { l.append('!').append(at++); } } return l.toString();");
        same(
                "pages-that-are-written",
                "int[] page = s.row(1); long t = 0; for (int k = 0; k < n && page.length > 0; k++) { for (int id : page) t = t * 3 + s.g(id); page[0]++; page = s.row(page[0] + k); } return t;");
        same(
                "pages-kept",
                "List<int[]> all = new ArrayList<>(); int[] page = s.row(1); long t = 0; for (int k = 0; k < n && page.length > 0; k++) { all.add(page); for (int id : page) t = t * 3 + s.g(id); page = s.row(page[0] + k); all.get(0)[0]++; } return t + all.size();");
        return tests();
    }
}
