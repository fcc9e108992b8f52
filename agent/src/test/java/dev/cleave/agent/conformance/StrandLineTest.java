package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Calls in straight line, some of which need results of others: strands send each as soon as what it needs has come (R73). */
@Tag("one-jdk")
class StrandLineTest extends StrandPrograms {

    StrandLineTest() {
        super(3);
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        lines();
        conditions();
        handlers();
        helpers();
        places();
        groups();
        traps();
        return tests();
    }

    private void lines() {
        strands(
                "two-chains",
                2,
                "int a = s.f(n); int b = s.g(a + 1);\nint c = s.f(n + 7); int d = s.g(c + 1); return a + 3L * b + 7L * c + 11L * d;");
        strands(
                "three-chains-of-three",
                3,
                "long t = 0;\n{ int a = s.f(n); int b = s.g(a + 1); t += s.f(b * 3); }\n{ int a = s.f(n + 1); int b = s.g(a + 1); t = t * 3 + s.f(b * 3); }\n"
                        + "{ int a = s.f(n + 2); int b = s.g(a + 1); t = t * 3 + s.f(b * 3); }\nreturn t;");
        strands(
                "dashboard",
                2,
                "String name = s.s(\"n\" + n); StringBuilder page = new StringBuilder();\n"
                        + "page.append(\"Hello \").append(name).append(s.lf(n)).append('\\n');\n"
                        + "double due = s.df(n) * z.df(name.length()); page.append(due);\n"
                        + "int unread = s.f(n);\n"
                        + "if (unread % 2 == 0) {\npage.append(unread).append(\" new: \").append(s.g(n));\n}\n"
                        + "page.append(z.s(name)).append('\\n');\n"
                        + "page.append(s.g(n + 3))\n.append(\" of \")\n.append(z.f(9));\nreturn page.toString();");
        strands("one-expression", 2, "return s.f(n) + 3L * s.g(s.f(n + 1) + 1)\n + 5L * s.g(s.f(n + 2) + 1);");
        strands(
                "results-that-meet",
                3,
                "int a = s.f(n);\nint b = s.g(a + 1);\nint c = s.f(n + 3);\nint d = s.g(c + 1);\nint e = s.f(b ^ d);\nreturn a + 3L * b + 5L * c + 7L * d + 11L * e;");
        strands(
                "arrays-and-texts",
                2,
                "int[] r = s.row(n); int x = r.length > 0 ? r[0] : 4;\nint a = s.f(x);\nString t = s.s(\"k\" + n); int b = s.f(t.length());\nreturn a * 31L + b;");
        strands(
                "void-calls-between",
                2,
                "int a = s.f(n);\ns.put(a + 1);\nint b = s.f(n + 3);\ns.put(b + 1);\nreturn a * 31L + b;");
        strands(
                "local-loop-between",
                2,
                "int a = s.f(n);\nint b = s.g(a + 1);\nlong h = 0; for (int i = 0; i < 20; i++) h = h * 31 + i;\nint c = s.f((int) (h & 31));\nint d = s.g(c + 1);\nreturn a + 3L * b + 5L * c + 7L * d + h;");
        without("two-calls-that-depend", "int a = s.f(n);\nint b = s.g(a + 1);\nreturn a * 31L + b;");
        without(
                "calls-that-a-group-sends",
                "int a = s.f(n);\nint b = s.g(n + 1);\nint c = s.f(n + 2);\nreturn a + 3L * b + 5L * c;");
        without(
                "results-that-the-server-passes-on",
                "int a = s.f(n);\nint b = s.g(a);\nint c = s.f(b);\nreturn a + 3L * b + 5L * c;");
    }

    private void conditions() {
        strands(
                "branch-on-a-result",
                2,
                "int a = s.f(n);\nlong t;\nif ((a & 1) == 0) {\nt = s.g(a + 1);\n} else {\nt = s.f(a + 2) * 3L;\n}\nint c = s.f(n + 3);\nint d = s.g(c + 1);\nreturn t * 31 + d;");
        strands(
                "switch-on-a-result",
                2,
                "int a = s.f(n);\nlong t = 0;\nswitch (a & 3) {\ncase 0: t = s.g(a + 1); break;\ncase 1: t = s.f(a + 2); break;\ncase 2: t = 5;\ndefault: t += s.lf(3);\n}\nint c = s.f(n + 3);\nint d = s.g(c + 1);\nreturn t * 31 + d;");
        strands(
                "return-on-a-result",
                3,
                "int a = s.f(n);\nif (a == 12345) {\nreturn -1;\n}\nint b = s.g(n + 1);\nint c = s.f(b + 3);\nint d = s.f(n + 4);\nint e = s.g(d + 5);\nreturn b + 3L * c + 5L * d + 7L * e;");
        without(
                "return-on-a-result-alone",
                "int a = s.f(n);\nif (a == 12345) {\nreturn -1;\n}\nint b = s.g(n + 1);\nint c = s.f(n + 3);\nint d = s.f(a + 4);\nint e = s.g(n + 5);\nreturn b + 3L * c + 5L * d + 7L * e;");
        strands(
                "conditional-expressions",
                2,
                "int a = s.f(n) > 3 ? s.g(n + 1) : s.g(n + 2);\nint b = s.f(n + 3) > 3 && s.ok(n + 4) ? 1 : 2;\nint c = s.f(n + 5);\nreturn a * 31L + b + c;");
        same(
                "throws-on-a-result",
                "int a = s.f(n);\nif ((a & 1) == 0) {\nthrow new IllegalStateException(\"a\" + a);\n}\nint c = s.f(n + 3);\nint d = s.g(c + 1);\nint e = s.g(a + 1);\nreturn a + 3L * c + 5L * d + e;");
    }

    private void handlers() {
        strands(
                "fallback-for-each",
                2,
                "StringBuilder l = new StringBuilder(\"caught\");\ntry {\nl.append(s.g(s.f(n) + 1));\n} catch (RuntimeException e) {\nl.append('!');\n}\n"
                        + "try {\nl.append(s.g(s.f(n + 1) + 1));\n} catch (RuntimeException e) {\nl.append('?');\n}\nreturn l.toString();");
        strands(
                "fallback-that-calls",
                2,
                "StringBuilder l = new StringBuilder(\"caught\");\ntry {\nl.append(s.f(n));\n} catch (RuntimeException e) {\nl.append(s.g(n));\n}\n"
                        + "int c = s.f(n + 3);\nint d = s.g(c + 1);\nreturn l.append(c).append(d).toString();");
        same(
                "handled-outside",
                "StringBuilder l = new StringBuilder(\"caught\");\ntry {\nint a = s.f(n);\nint b = s.g(a + 1);\nint c = s.f(n + 7);\nl.append(a).append(b).append(c).append(s.g(c + 1));\n} catch (RuntimeException e) {\nl.append(e.getMessage());\n}\nreturn l.toString();");
        same(
                "finally-around",
                "StringBuilder l = new StringBuilder(\"caught\");\ntry {\nint a = s.f(n);\nint b = s.g(a + 1);\nint c = s.f(n + 7);\nl.append(a).append(b).append(c).append(s.g(c + 1));\n} finally {\nl.append(s.f(3));\n}\nreturn l.toString();");
        same(
                "what-the-copy-throws",
                "int[] k = new int[3]; int a = s.f(n);\nint b = s.g(k[a & 3] + 1);\nint c = s.f(n + 7);\nint d = s.g(c + 1);\nreturn a + 3L * b + 5L * c + 7L * d;");
        same(
                "handler-that-changes-an-argument",
                "int k = n; StringBuilder l = new StringBuilder(\"caught\");\ntry {\nl.append(s.f(n));\n} catch (RuntimeException e) {\nk = 77;\n}\nint c = s.f(k);\nint d = s.g(c + 1);\nreturn l.append(c).append(d).toString();");
        same(
                "synchronized-around",
                "Object lock = new Object(); long t = 0;\nsynchronized (lock) {\nint a = s.f(n);\nint b = s.g(a + 1);\nint c = s.f(n + 7);\nt = a + 3L * b + 5L * c + 7L * s.g(c + 1);\n}\nreturn t + (Thread.holdsLock(lock) ? 1 : 0);");
    }

    private void helpers() {
        same(
                "exception-in-front-that-is-handled-inside",
                "StringBuilder l = new StringBuilder(\"caught\");\nfor (int i = 0; i < 3; i++) {\nint x = 0, b = 0;\ntry {\nx = 60 / (n - i);\nx += s.f(x);\nb = s.g(x + 1);\n} catch (ArithmeticException e) {\nl.append('0');\n}\nint c = s.f(n + 7);\nint d = s.g(c + 1);\nl.append(x).append(b).append(c).append(d);\n}\nreturn l.toString();");
        strands(
                "page-of-helpers",
                2,
                "StringBuilder page = new StringBuilder();\npage.append(header(s, n));\npage.append(balance(s, n));\npage.append(news(s, n));\nreturn page.toString(); }\n"
                        + "private static String header(Svc s, int n) { String name = s.s(\"n\" + n); return name + s.f(name.length()); }\n"
                        + "private static double balance(Svc s, int n) { double d = s.df(n); return d * s.df(d + 1); }\n"
                        + "private static String news(Svc s, int n) { int unread = s.f(n); if (unread % 2 == 0) { return \"new \" + s.g(unread + 1); } return \"none\";");
        strands(
                "helpers-of-an-object",
                2,
                "return new PHelpersOfAnObject(s).page(n); }\n"
                        + "private final Svc s; PHelpersOfAnObject(Svc s) { this.s = s; }\n"
                        + "String page(int n) {\nreturn one(n)\n+ two(n)\n+ s.f(n + 9); }\n"
                        + "private String one(int n) { int a = s.f(n); return \"a\" + s.g(a + 1); }\n"
                        + "private String two(int n) { int a = s.f(n + 5); return \"b\" + s.g(a + 1);");
        strands(
                "helpers-with-loops",
                2,
                "long a = sum(s, n);\nlong b = sum(s, n + 1);\nreturn a * 31 + b; }\n"
                        + "private static long sum(Svc s, int y) { long t = 0; for (int id : s.row(y)) t = t * 5 + s.f(id); return t;");
        strands(
                "helpers-one-needs-the-other",
                4,
                "int a = pair(s, n);\nint b = pair(s, a & 31);\nint c = pair(s, n + 2);\nreturn a + 3L * b + 5L * c; }\n"
                        + "private static int pair(Svc s, int y) { int a = s.f(y); return s.g(a + 1);");
        same(
                "helper-that-throws",
                "int a = pair(s, n);\nint b = pair(s, n + 2);\nreturn a + 3L * b; }\n"
                        + "private static int pair(Svc s, int y) { int a = s.f(y); if ((a & 1) == 0) throw new IllegalStateException(\"a\" + a); return s.g(a + 1);");
        same(
                "helper-that-writes",
                "return new PHelperThatWrites().page(s, n); }\nint k;\n"
                        + "long page(Svc s, int n) {\nint a = pair(s, n);\nint b = pair(s, n + 2);\nint c = s.f(k);\nreturn a + 3L * b + 5L * c + k; }\n"
                        + "private int pair(Svc s, int y) { int a = s.f(y + k); k = a & 7; return s.g(a + 1);");
        same(
                "helper-that-looks-at-the-clock",
                "int a = pair(s, n);\nint b = pair(s, n + 2);\nint c = timed(s, n + 3);\nint d = pair(s, n + 4);\nint e = pair(s, n + 5);\nreturn a + 3L * b + 5L * c + 7L * d + e; }\n"
                        + "private static int timed(Svc s, int y) { long t = System.nanoTime(); int a = s.f(y); return s.g(a + 1) + (System.nanoTime() < t ? 1 : 0); }\n"
                        + "private static int pair(Svc s, int y) { int a = s.f(y); return s.g(a + 1);");
    }

    private void places() {
        strands(
                "in-a-loop-that-cannot-run-ahead",
                7,
                "long t = 0; int k = n;\nfor (int i = 0; i < 3; i++) {\nint a = s.f(k);\nint b = s.g(a + 1);\nint c = s.f(k + 7);\nint d = s.g(c + 1);\nk = (b ^ d) & 15;\nt = t * 31 + k; rows(i);\n}\nreturn t; }\n"
                        + "private static long was; private static void rows(int i) { was = System.nanoTime() + i;");
        strands(
                "behind-a-barrier",
                2,
                "long now = System.nanoTime();\nint a = s.f(n);\nint b = s.g(a + 1);\nint c = s.f(n + 7);\nint d = s.g(c + 1);\nlong then = System.nanoTime();\nreturn a + 3L * b + 5L * c + 7L * d + (then < now ? 1 : 0);");
        strands(
                "on-both-sides-of-a-barrier",
                4,
                "int a = s.f(n);\nint b = s.g(a + 1);\nint c = s.f(n + 7);\nint d = s.g(c + 1);\nlong then = System.nanoTime();\n"
                        + "int e = s.f(n + 2);\nint f = s.g(e + 1);\nint g = s.f(n + 9);\nint h = s.g(g + 1);\nreturn a + 3L * b + 5L * c + 7L * d + 11L * e + 13L * f + 17L * g + 19L * h;");
        strands(
                "behind-a-loop-of-calls",
                130,
                "long t = 0; for (int i = 0; i < n; i++) t += s.f(i);\nint a = s.f(n);\nint b = s.g(a + 1);\nint c = s.f(n + 7);\nint d = s.g(c + 1);\nreturn t + a + 3L * b + 5L * c + 7L * d;");
        strands(
                "in-a-branch",
                2,
                "if (n < 4) {\nint a = s.f(n);\nint b = s.g(a + 1);\nint c = s.f(n + 7);\nint d = s.g(c + 1);\nreturn a + 3L * b + 5L * c + 7L * d;\n}\nreturn 5L;");
        strands(
                "first-call-in-a-branch",
                2,
                "int a = 3;\nif (n < 400) {\na = s.f(n);\n}\nint b = s.g(a + 1);\nint c = s.f(n + 7);\nint d = s.g(c + 1);\nreturn a + 3L * b + 5L * c + 7L * d;");
        strands(
                "in-a-constructor",
                2,
                "return new PInAConstructor(s, n).sum; }\n"
                        + "final long sum; final int k;\nPInAConstructor(Svc s, int n) { super();\nint a = s.f(n);\nint b = s.g(a + 1);\nint c = s.f(n + 7);\nint d = s.g(c + 1);\nk = n;\nsum = a + 3L * b + 5L * c + 7L * d;");
        same(
                "constructor-whose-fields-decide",
                "return new PConstructorWhoseFieldsDecide(s, n).sum; }\n"
                        + "final long sum; final int k;\nPConstructorWhoseFieldsDecide(Svc s, int n) { super();\nint a = s.f(n);\nint b = s.g(a + 1);\nk = b & 7;\nint c = s.f(k + 7);\nint d = s.g(c + k());\nsum = a + 3L * b + 5L * c + 7L * d; } private int k() { return k;");
        same(
                "stream-between",
                "int a = s.f(n);\nint b = s.g(a + 1);\nint m = List.of(1, 2, 3).stream().mapToInt(x -> s.f(x)).sum();\nint c = s.f(n + 7);\nint d = s.g(c + 1);\nreturn a + 3L * b + 5L * c + 7L * d + m;");
        same(
                "lambda-between",
                "int a = s.f(n);\nint b = s.g(a + 1);\njava.util.function.IntSupplier q = () -> s.f(b);\nint m = q.getAsInt();\nint c = s.f(n + 7);\nint d = s.g(c + 1);\nreturn a + 3L * b + 5L * c + 7L * d + m;");
        same(
                "objects-under-construction",
                "StringBuilder l = new StringBuilder(new StringBuilder(s.s(\"a\" + s.f(n)))\n.append(s.g(s.f(n + 1) + 1))\n.append(s.g(s.f(n + 2) + 1)).toString());\nreturn l.toString();");
    }

    private void groups() {
        strands(
                "group-behind",
                4,
                "int a = s.f(n);\nint b = s.g(a + 1);\nint c = s.f(n + 7);\nint d = s.g(c + 1);\nint e = s.f(n + 3);\nint f = s.g(e + 1);\nint g = s.f(n + 5);\nint h = s.g(g + 1);\ns.kept(d);\ns.kept(b);\nreturn a + 3L * b + 5L * c + 7L * d + f + h;");
        without(
                "reads-beside-changes",
                "int a = s.set(n, 3);\nint b = s.load(a & 7);\nint c = s.set(n + 7, 4);\nint d = s.load(c & 7);\nreturn a + 3L * b + 5L * c + 7L * d;");
    }

    private void traps() {
        same(
                "write-that-a-later-call-reads",
                "int[] k = {n, 2, 3, 4}; int a = s.f(k[0]);\nk[0] = a;\nint b = s.g(k[0] + 1);\nk[1] = 9;\nint c = s.f(k[1]);\nk[0] = 8;\nint d = s.g(c + k[0]);\nreturn a + 3L * b + 5L * c + 7L * d;");
        same(
                "write-behind-the-last-read",
                "int[] k = {n, 2}; int a = s.f(n);\nint b = s.g(k[0] + a);\nint c = s.f(n + 7);\nint d = s.g(c + 1);\nk[0] = 7;\nreturn a + 3L * b + 5L * c + 7L * d + k[0];");
        same(
                "flag-that-is-set-behind-what-decides",
                "int[] flag = {0}; int a = s.f(n);\nlong t = 0; if (a + flag[0] > 1000000) {\nt = s.g(a + 1);\n}\nflag[0] = 2000000;\nint c = s.f(n + 7);\nint d = s.g(c + 1);\nreturn t + a + 5L * c + 7L * d + flag[0];");
        same(
                "write-through-a-result",
                "int[] r = s.row(n); r[0]++;\nint a = s.f(r[0]);\nint[] q = s.row(n + 1);\nint b = s.f(q[0]);\nq[0]++;\nint c = s.f(q[0]);\nreturn a + 3L * b + 5L * c + r[0] + q[0];");
        same(
                "array-argument-that-changes",
                "int[] k = {n, 2}; int a = s.sumOf(k);\nk[0] = a;\nint b = s.sumOf(k);\nint c = s.f(n + 7);\nk[1] = c;\nint d = s.sumOf(k);\nreturn a + 3L * b + 5L * c + 7L * d;");
        same(
                "local-receiver",
                "Svc x = new LocalSvc(); int a = s.f(n);\nint b = x.g(a + 1);\nint c = x.f(n + 7);\nint d = s.g(c + 1);\nreturn a + 3L * b + 5L * c + 7L * d;");
        same(
                "receiver-that-is-chosen",
                "Svc x = (n & 1) == 0 ? new LocalSvc() : z; int a = s.f(n);\nint b = x.g(a + 1);\nx = s;\nint c = x.f(n + 7);\nint d = x.g(c + 1);\nreturn a + 3L * b + 5L * c + 7L * d;");
        same(
                "null-receiver",
                "Svc x = n == 2 ? null : z; int a = s.f(n);\nint b = s.g(a + 1);\nint c = x.f(n + 7);\nint d = s.g(c + 1);\nreturn a + 3L * b + 5L * c + 7L * d;");
        same(
                "plain-call-between",
                "int a = s.f(n);\nint b = s.g(a + 1);\nint p = s.plain(n);\nint c = s.f(n + 7);\nint d = s.g(c + 1);\nint e = s.f(n + 9);\nreturn a + 3L * b + 5L * c + 7L * d + p + e;");
        same(
                "chained-between",
                "int a = s.f(n);\nint b = s.g(a + 1);\ns.linkPut(n);\nint c = s.f(n + 7);\nint d = s.g(c + 1);\ns.linkPut(d);\nreturn a + 3L * b + 5L * c + 7L * d;");
        same(
                "unknown-code-between",
                "List<Object> l = new ArrayList<>() { @Override public boolean add(Object o) { return super.add(o + \"!\"); } }; int a = s.f(n);\nint b = s.g(a + 1);\nl.add(b);\nint c = s.f(n + 7);\nint d = s.g(c + l.size());\nreturn a + 3L * b + 5L * c + 7L * d + \"\" + l;");
        same(
                "map-that-changes",
                "Map<Integer, Integer> m = new HashMap<>(); int a = s.f(n);\nm.put(a, 5);\nint b = s.g(m.size());\nm.put(b, 6);\nint c = s.f(m.getOrDefault(b, 0));\nint d = s.g(c + m.size());\nreturn a + 3L * b + 5L * c + 7L * d + \"\" + m;");
        same(
                "own-list-that-grows",
                "List<Integer> m = new ArrayList<>(); m.add(s.f(n));\nm.add(s.g(m.get(0) + 1));\nm.add(s.f(n + 7));\nm.add(s.g(m.get(2) + 1));\nreturn m.toString();");
        same(
                "static-fields",
                "K.a = n; int a = s.f(K.a);\nK.a = a & 7;\nint b = s.g(K.a + 1);\nint c = s.f(n + 7);\nint d = s.g(c + K.a);\nreturn a + 3L * b + 5L * c + 7L * d; }\nstatic final class K { static int a; }\nstatic long unused() { return 0;");
        same(
                "later-loop-that-changes-the-array",
                "int[] k = {n, 2, 3}; int a = s.f(k[1]);\nint b = s.g(a + k[2]);\nfor (int i = 0; i < 3; i++) k[i] += a;\nint c = s.f(k[1]);\nint d = s.g(c + k[2]);\nreturn a + 3L * b + 5L * c + 7L * d;");
    }
}
