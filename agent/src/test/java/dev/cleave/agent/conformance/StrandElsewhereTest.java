package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.rule.Rule;
import dev.cleave.rt.Strands;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Nests that call methods of other classes, which call remote methods themselves, and caches in maps (R71). */
@Tag("one-jdk")
class StrandElsewhereTest extends StrandPrograms {

    private static final String RUN = "public static Object run(Svc s, Svc z, int n) throws Exception {\n";

    /** An interface of the program with one implementation that calls remote methods, which keeps what it got. */
    private static final String RATES = "interface Rates { String of(String c); }\n"
            + "static final class Cached implements Rates { private final Svc bank; private final Map<String, String> cache = new @M<>();\n"
            + "Cached(Svc bank) { this.bank = bank; } public String of(String c) { return cache.computeIfAbsent(c, bank::s); } }\n";

    StrandElsewhereTest() {
        super(100);
    }

    @Override
    void add(String name, String members) {
        conformance.add(name, members.replace("@@", Conformance.className(name)));
    }

    /** The classes of the program show themselves. */
    @Override
    void runFirst(Class<?> rewritten) {
        roundTrips(rewritten);
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        caches();
        receivers();
        shared();
        keys();
        lambdas();
        maps();
        exits();
        return tests();
    }

    private void caches() {
        for (String map : new String[] {"HashMap", "LinkedHashMap", "TreeMap"}) {
            strands("cache-in-a-" + map, 4, statement("new Cached(z)") + RATES.replace("@M", map));
        }
    }

    private void receivers() {
        never(
                "object-changes-in-a-pass",
                statement("new Cached(z)")
                                .replace("rates.of(c)", "(i % 2 == 0 ? rates : new Cached(s)).of(c)")
                                .replace("private final Rates", "private Rates")
                        + RATES.replace("@M", "HashMap"));
        never(
                "object-in-a-field-that-is-written",
                statement("new Cached(z)")
                                .replace("t = t * 3", "if (i == 2) rates = new Cached(s); t = t * 3")
                                .replace("private final Rates", "private Rates")
                        + RATES.replace("@M", "HashMap"));
        never("object-of-a-lambda", statement("z::s") + RATES.replace("@M", "HashMap"));
        never(
                "object-of-a-subclass",
                statement("new Cached(z) { public String of(String c) { return z.s(c + \"?\"); } }")
                        + RATES.replace("@M", "HashMap").replace("static final class", "static class"));
        never("object-is-null", statement("n < 0 ? new Cached(z) : null") + RATES.replace("@M", "HashMap"));
        never(
                "two-implementations",
                statement("n % 2 == 0 ? new Cached(z) : new Direct(z)")
                        + RATES.replace("@M", "HashMap")
                        + "record Direct(Svc bank) implements Rates { public String of(String c) { return bank.s(c); } }");
        strands(
                "implementation-behind-an-abstract-class",
                20,
                statement("new Cached(z)")
                        + RATES.replace("@M", "HashMap")
                                .replace("final class Cached implements Rates", "final class Cached extends Base")
                        + "abstract static class Base implements Rates { int hits; }");
        strands(
                "class-instead-of-an-interface",
                20,
                statement("new Cached(z)").replace("Rates rates", "Cached rates") + RATES.replace("@M", "HashMap"));
        strands(
                "parameter-instead-of-a-field",
                20,
                RUN
                        + "return go(s, new Cached(z), n); }\nstatic String go(Svc s, Rates rates, int n) { String t = \"\"; for (int i = 0; i < n; i++) t += s.f(i) + rates.of(\"k\" + i % 5); return t; }\n"
                        + RATES.replace("@M", "HashMap"));
        strands(
                "method-of-a-third-class",
                101,
                RUN
                        + "Shop shop = new Shop(new Desk(z)); long t = 0; for (int i = 0; i < n; i++) { int v = s.f(i); t = t * 3 + shop.of(v); } return t; }\n"
                        + "static final class Shop { private final Desk desk; Shop(Desk desk) { this.desk = desk; } int of(int k) { return desk.of(k) + 1; } }\n"
                        + "static final class Desk { private final Svc s; Desk(Svc s) { this.s = s; } int of(int k) { return s.g(k & 7) * 2; } }\n");
        strands(
                "helper-of-the-class-in-between",
                20,
                statement("new Cached(z)").replace("rates.of(c)", "euro(c)")
                        + "private String euro(String c) { return rates.of(c.trim()) + '!'; }\n"
                        + RATES.replace("@M", "HashMap"));
    }

    private void shared() {
        strands(
                "counts-hits",
                20,
                statement("new Cached(z)")
                        + RATES.replace("@M", "HashMap").replace("{ return cache", "{ hits++; return cache")
                        + "static int hits;\n");
        never(
                "counts-what-is-sent",
                statement("new Cached(z)")
                                .replace("return new @@", "hits = 0; return new @@")
                                .replace("\"c\" + i % 7", "\"c\" + hits % 7")
                        + RATES.replace("@M", "HashMap").replace("{ return cache", "{ hits++; return cache")
                        + "static int hits;\n");
        never(
                "sends-what-the-map-holds",
                RUN
                        + "Map<String, String> m = new HashMap<>(); return go(s, new Cached(z, m), m, n); }\nstatic String go(Svc s, Rates rates, Map<String, String> m, int n) { String t = \"\"; for (int i = 0; i < n; i++) t += s.f(m.size()) + rates.of(\"k\" + i % 5); return t; }\n"
                        + RATES.replace("= new @M<>()", "")
                                .replace("Svc bank) {", "Svc bank, Map<String, String> cache) { this.cache = cache;"));
        without(
                "leaves-on-what-the-map-gives",
                Rule.R37,
                statement("new Cached(z)").replace("t = t * 3", "if (e.length() == 77) break; t = t * 3")
                        + RATES.replace("@M", "HashMap"));
        never(
                "synchronized",
                statement("new Cached(z)")
                        + RATES.replace("@M", "HashMap").replace("public String of", "public synchronized String of"));
        never(
                "map-of-many-threads",
                statement("new Cached(z)") + RATES.replace("@M", "java.util.concurrent.ConcurrentHashMap"));
        never(
                "map-that-forgets",
                statement("new Cached(z)")
                        + RATES.replace(
                                "new @M<>()",
                                "new LinkedHashMap<>() { protected boolean removeEldestEntry(Map.Entry<String, String> e) { return size() > 3; } }"));
        never(
                "key-with-a-code-of-its-own",
                RUN
                        + "Key.asked = 0; return go(s, new Cached(z), n); }\nstatic String go(Svc s, Cached rates, int n) { String t = \"\"; for (int i = 0; i < n; i++) t += s.f(i) + \"\" + rates.of(new Key(i % 5)); return t; }\n"
                        + "static final class Key { final int k; static int asked; Key(int k) { this.k = k; } public int hashCode() { asked++; return k; } public boolean equals(Object o) { return o instanceof Key x && x.k == k; } }\n"
                        + "static final class Cached { private final Svc bank; private final Map<Object, Object> cache = new HashMap<>(); Cached(Svc bank) { this.bank = bank; } Object of(Key c) { return cache.computeIfAbsent(c, k -> bank.f(Key.asked)); } }");
    }

    private void keys() {
        strands("keys-that-are-there", 4, statement("new Cached(z)") + cached("cache.put(\"<c3>\", \"x\");"));
        strands(
                "keys-that-are-numbers",
                4,
                RUN
                        + "Numbers m = new Numbers(z); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.f(i) + m.of(i % 9) + m.wide(i % 5); return t; }\n"
                        + "static final class Numbers { final Svc bank; final Map<Integer, Integer> cache = new HashMap<>(); final Map<Long, Long> other = new TreeMap<>(); Numbers(Svc bank) { this.bank = bank; }\n"
                        + "int of(Integer k) { return cache.computeIfAbsent(k, bank::g); } long wide(long k) { return other.computeIfAbsent(k, bank::lf); } }");
        strands(
                "results-of-all-types",
                4,
                RUN
                        + "Kinds m = new Kinds(z); String t = \"\"; for (int i = 0; i < n; i++) t += m.of(i % 9); return t; }\n"
                        + "static final class Kinds { final Svc bank; final Map<Integer, Boolean> a = new HashMap<>(); final Map<Double, Double> b = new HashMap<>(); final Map<Float, Float> c = new HashMap<>(); final Map<Integer, int[]> d = new HashMap<>(); Kinds(Svc bank) { this.bank = bank; }\n"
                        + "String of(int k) { boolean x = a.computeIfAbsent(k, bank::ok); double y = b.computeIfAbsent((double) k, bank::df); float v = c.computeIfAbsent((float) k, bank::ff); return \"\" + x + y + v + d.computeIfAbsent(k, bank::row).length; } }");
        same(
                "key-without-a-value",
                statement("new Cached(z)").replace("\"c\" + i % 7", "(i % 7 == 3 ? \"nil\" : \"c\" + i % 7)")
                        + RATES.replace("@M", "HashMap"));
        same(
                "all-keys-without-values",
                statement("new Cached(z)")
                                .replace("\"c\" + i % 7", "\"nil\" + i % 7")
                                .replace("e.length()", "i")
                        + RATES.replace("@M", "HashMap"));
        same(
                "key-is-null",
                RUN
                        + "return go(s, new Cached(z), n); }\nstatic String go(Svc s, Rates rates, int n) { String t = \"\"; for (int i = 0; i < n; i++) t += s.f(i) + rates.of(i % 4 == 2 ? null : \"k\" + i % 5); return t; }\n"
                        + RATES.replace("@M", "HashMap"));
        strands(
                "key-twice-in-a-pass",
                4,
                statement("new Cached(z)").replace("rates.of(c)", "rates.of(c) + rates.of(\"d\" + i % 3) + rates.of(c)")
                        + RATES.replace("@M", "HashMap"));
        strands(
                "key-sometimes",
                4,
                statement("new Cached(z)").replace("rates.of(c)", "i % 3 == 0 ? c : rates.of(c)")
                        + RATES.replace("@M", "HashMap"));
        strands("every-key-once", 5, statement("new Cached(z)").replace("i % 7", "i") + RATES.replace("@M", "HashMap"));
        strands(
                "keys-in-a-nest",
                6,
                RUN
                        + "return go(s, new Cached(z), n); }\nstatic String go(Svc s, Rates rates, int n) { String t = \"\"; for (int i = 0; i < n / 4; i++) for (int id : s.row(i)) t += rates.of(\"k\" + s.f(id) % 11); return t; }\n"
                        + RATES.replace("@M", "HashMap"));
    }

    private void lambdas() {
        String lambda = RATES.replace("@M", "HashMap");
        strands("key-of-a-lambda", 4, statement("new Cached(z)") + lambda.replace("bank::s", "k -> bank.s(k)"));
        strands(
                "key-of-a-lambda-with-other-arguments",
                4,
                RUN
                        + "Map<Integer, Integer> m = new HashMap<>(); long t = 0; for (int i = 0; i < n; i++) { int by = i; t = t * 3 + m.computeIfAbsent(s.f(i) % 9, k -> z.set(k, by)); } return t + \" \" + new TreeMap<>(m); }");
        strands(
                "key-of-a-lambda-of-objects",
                4,
                RUN
                        + "return new @@().go(s, z, n); }\nprivate Svc bank; private final Map<String, String> m = new HashMap<>(); String go(Svc s, Svc z, int n) { bank = z; String t = \"\"; for (int i = 0; i < n; i++) { String c = s.s(\"c\" + i % 7); t += m.computeIfAbsent(c, k -> bank.s(k)); } return t + m; }");
        same(
                "lambda-whose-field-changes",
                RUN
                        + "return new @@().go(s, z, n); }\nprivate Svc bank; private final Map<Integer, Integer> m = new HashMap<>(); String go(Svc s, Svc z, int n) { String t = \"\"; for (int i = 0; i < n; i++) { bank = i % 2 == 0 ? s : z; t += m.computeIfAbsent(s.f(i) % 9, k -> bank.g(k)); } return t + m; }");
        same(
                "lambda-on-a-local-object",
                RUN
                        + "Map<Integer, Integer> m = new HashMap<>(); Svc own = n % 2 == 0 ? null : z; String t = \"\"; try { for (int i = 0; i < n; i++) t += m.computeIfAbsent(s.f(i) % 9, k -> own.g(k)); } catch (NullPointerException e) { t += \"null\"; } return t + m; }");
        same(
                "key-of-a-lambda-that-computes",
                statement("new Cached(z)") + lambda.replace("bank::s", "k -> bank.s(\"x\" + k + c)"));
        same(
                "key-of-a-lambda-of-numbers",
                RUN
                        + "Numbers m = new Numbers(z); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.f(i) + m.of(i % 9, i % 2); return t; }\n"
                        + "static final class Numbers { final Svc bank; final Map<Integer, Integer> cache = new HashMap<>(); Numbers(Svc bank) { this.bank = bank; }\n"
                        + "int of(Integer k, long by) { return cache.computeIfAbsent(k, x -> bank.g(x * 2 + (int) by)); } }");
        strands(
                "key-of-a-lambda-in-the-method-itself",
                4,
                RUN
                        + "Map<Integer, Integer> m = new HashMap<>(); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + m.computeIfAbsent(s.f(i) % 9, k -> z.g(k)); return t; }");
        same(
                "lambda-that-goes-on-behind-the-call",
                statement("new Cached(z)") + lambda.replace("bank::s", "k -> bank.s(k) + 1"));
        same("lambda-with-two-calls", statement("new Cached(z)") + lambda.replace("bank::s", "k -> bank.s(bank.s(k))"));
        same(
                "lambda-with-a-condition",
                statement("new Cached(z)") + lambda.replace("bank::s", "k -> k.length() > 4 ? bank.s(k) : k"));
        same(
                "lambda-that-writes",
                statement("new Cached(z)")
                                .replace("return new @@", "hits = 0; return new @@")
                                .replace("return out", "return out.append(hits)")
                        + lambda.replace("bank::s", "k -> { hits++; return bank.s(k); }") + "static int hits;\n");
        same(
                "lambda-that-converts",
                RUN
                        + "Map<Integer, Long> m = new HashMap<>(); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + m.computeIfAbsent(s.f(i) % 9, k -> (long) z.g(k)); return t; }");
        same(
                "lambda-that-divides",
                RUN
                        + "Map<Integer, Integer> m = new HashMap<>(); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + m.computeIfAbsent(s.f(i) % 9, k -> z.g(100 / (k - 7))); return t; }");
        same(
                "lambda-kept-in-a-variable",
                RUN
                        + "Map<Integer, Integer> m = new HashMap<>(); java.util.function.Function<Integer, Integer> f = z::g; long t = 0; for (int i = 0; i < n; i++) t = t * 3 + m.computeIfAbsent(s.f(i) % 9, f); return t; }");
    }

    private void maps() {
        strands(
                "map-in-the-method-itself",
                4,
                RUN
                        + "Map<String, String> m = new HashMap<>(); String t = \"\"; for (int i = 0; i < n; i++) { String c = s.s(\"c\" + i % 7); t += m.computeIfAbsent(c, z::s); } return t + m.size(); }");
        strands(
                "map-in-a-field-of-the-class",
                4,
                RUN
                        + "return new @@().go(s, z, n); }\nprivate final Map<String, String> m = new HashMap<>(); String go(Svc s, Svc z, int n) { String t = \"\"; for (int i = 0; i < n; i++) { String c = s.s(\"c\" + i % 7); t += m.computeIfAbsent(c, z::s); } return t + m; }");
        strands(
                "map-in-a-helper-of-the-class",
                4,
                RUN
                        + "return new @@().go(s, z, n); }\nprivate final Map<String, String> m = new HashMap<>(); private String one(Svc z, String c) { return m.computeIfAbsent(c, z::s) + 1; } String go(Svc s, Svc z, int n) { String t = \"\"; for (int i = 0; i < n; i++) { String c = s.s(\"c\" + i % 7); t += one(z, c); } return t + m; }");
        strands(
                "two-caches",
                4,
                statement("new Cached(z)")
                                .replace("rates.of(c)", "rates.of(c) + other.of(c)")
                                .replace(
                                        "private final Svc s;",
                                        "private final Svc s; private final Rates other = new Cached(Holder.z);")
                                .replace("return new @@", "Holder.z = z; return new @@")
                        + RATES.replace("@M", "HashMap") + "static class Holder { static Svc z; }");
        same(
                "one-map-of-two-objects",
                RUN
                        + "Map<String, String> m = new HashMap<>(); return go(s, new Cached(z, m), new Cached(s, m), n); }\nstatic String go(Svc s, Rates a, Rates b, int n) { String t = \"\"; for (int i = 0; i < n; i++) t += s.f(i) + a.of(\"k\" + i % 5) + b.of(\"k\" + i % 7); return t; }\n"
                        + RATES.replace("= new @M<>()", "")
                                .replace("Svc bank) {", "Svc bank, Map<String, String> cache) { this.cache = cache;"));
        same(
                "map-that-is-cleared",
                statement("new Cached(z)")
                                .replace("t = t * 3", "if (i % 10 == 9) ((Cached) rates).cache.clear(); t = t * 3")
                        + RATES.replace("@M", "HashMap"));
        same(
                "map-with-a-key-removed",
                statement("new Cached(z)")
                                .replace("t = t * 3", "if (i % 4 == 1) ((Cached) rates).cache.remove(c); t = t * 3")
                        + RATES.replace("@M", "HashMap"));
        same(
                "map-removed-in-the-helper",
                statement("new Cached(z)")
                        + RATES.replace("@M", "HashMap")
                                .replace("{ return cache", "{ cache.remove(\"<c2>\"); return cache"));
        same(
                "map-put-in-the-helper",
                statement("new Cached(z)")
                        + RATES.replace("@M", "HashMap")
                                .replace("{ return cache", "{ if (c.length() > 4) cache.put(c, c); return cache"));
        same(
                "map-with-a-comparator",
                statement("new Cached(z)")
                        + RATES.replace("new @M<>()", "new TreeMap<>(Comparator.comparing(String::length))"));
        same(
                "map-in-order-of-access",
                statement("new Cached(z)").replace("return out", "out.append(((Cached) rates).cache); return out")
                        + RATES.replace("new @M<>()", "new LinkedHashMap<>(16, 0.75f, true)"));
        same(
                "map-of-a-class-of-its-own",
                statement("new Cached(z)")
                        + RATES.replace(
                                "new @M<>()",
                                "new HashMap<>() { public boolean containsKey(Object k) { throw new IllegalStateException(); } public String computeIfAbsent(String k, java.util.function.Function<? super String, ? extends String> f) { return f.apply(k + 1); } }"));
        same("service-is-local", statement("new Cached(new LocalSvc())") + RATES.replace("@M", "HashMap"));
        same(
                "service-changes",
                statement("new Cached(z)")
                        + RATES.replace("@M", "HashMap")
                                .replace("private final Svc bank", "private Svc bank")
                                .replace(
                                        "{ return cache", "{ if (c.length() > 3) bank = new LocalSvc(); return cache"));
        same(
                "value-is-an-argument",
                statement("new Cached(z)").replace("t = t * 3", "t += s.f(e.length()); t = t * 3")
                        + RATES.replace("@M", "HashMap"));
        same(
                "value-decides-about-a-call",
                statement("new Cached(z)").replace("t = t * 3", "if (e.hashCode() % 2 == 0) t += s.f(i); t = t * 3")
                        + RATES.replace("@M", "HashMap"));
        same(
                "value-decides-about-a-key",
                statement("new Cached(z)")
                                .replace("t = t * 3", "if (e.hashCode() % 2 == 0) t += rates.of(e).length(); t = t * 3")
                        + RATES.replace("@M", "HashMap"));
        same(
                "value-is-a-key",
                statement("new Cached(z)").replace("rates.of(c)", "rates.of(rates.of(c))")
                        + RATES.replace("@M", "HashMap"));
        same(
                "size-is-a-key",
                statement("new Cached(z)").replace("rates.of(c)", "rates.of(c + ((Cached) rates).cache.size() % 5)")
                        + RATES.replace("@M", "HashMap"));
        same("map-is-null", statement("new Cached(z)") + RATES.replace("new @M<>()", "null"));
    }

    private void exits() {
        strands(
                "leaves-at-a-number",
                4,
                statement("new Cached(z)").replace("t = t * 3", "if (i == 20) break; t = t * 3")
                        + RATES.replace("@M", "HashMap"));
        same(
                "leaves-on-another-result",
                statement("new Cached(z)").replace("t = t * 3", "if (s.f(i) > 40) break; t = t * 3")
                        + RATES.replace("@M", "HashMap"));
        same(
                "leaves-on-the-key",
                statement("new Cached(z)").replace("String e", "if (c.hashCode() % 5 == 0) break; String e")
                        + RATES.replace("@M", "HashMap"));
        same(
                "leaves-when-the-map-is-full",
                statement("new Cached(z)")
                                .replace("t = t * 3", "if (((Cached) rates).cache.size() > 4) break; t = t * 3")
                        + RATES.replace("@M", "HashMap"));
        same(
                "throws-behind-a-key",
                statement("new Cached(z)")
                                .replace("t = t * 3", "if (i == 9) throw new IllegalStateException(e); t = t * 3")
                        + RATES.replace("@M", "HashMap"));
        same(
                "caught-around-the-nest",
                statement("new Cached(z)")
                                .replace("for (int i", "try { for (int i")
                                .replace(
                                        "return out",
                                        "} catch (RuntimeException x) { out.append(((Cached) rates).cache.size()); } return out")
                        + RATES.replace("@M", "HashMap"));
        same(
                "caught-in-the-nest",
                statement("new Cached(z)")
                                .replace(
                                        "String e = rates.of(c);",
                                        "String e = \"\"; try { e = rates.of(c); } catch (RuntimeException x) { e = \"none\"; }")
                        + RATES.replace("@M", "HashMap"));
        same(
                "caught-in-the-helper",
                statement("new Cached(z)")
                        + RATES.replace("@M", "HashMap")
                                .replace(
                                        "{ return cache.computeIfAbsent(c, bank::s);",
                                        "{ try { return cache.computeIfAbsent(c, bank::s); } catch (RuntimeException x) { return \"none\"; }"));
        same(
                "calls-itself",
                statement("new Cached(z)")
                        + RATES.replace("@M", "HashMap")
                                .replace(
                                        "{ return cache",
                                        "{ if (c.length() > 4) return of(c.substring(1)); return cache"));
        same(
                "used-in-two-nests",
                statement("new Cached(z)")
                                .replace(
                                        "return out",
                                        "for (int i = 0; i < n; i++) out.append(s.f(i)).append(rates.of(\"c\" + i % 11)); return out")
                        + RATES.replace("@M", "HashMap"));
        same(
                "used-by-two-methods",
                RUN + "Cached r = new Cached(z); return new @@(s, r).go(n) + new @@(z, r).go(n); }\n"
                        + statement("new Cached(z)")
                                .substring((RUN + "return new @@(s, new Cached(z)).go(n); }\n").length())
                        + RATES.replace("@M", "HashMap"));
    }

    /** A class with a cache. */
    private static String cached(String filled) {
        return RATES.replace("@M", "HashMap").replace("this.bank = bank;", "this.bank = bank; " + filled);
    }

    /** The same, and no strand sends anything. */
    private void never(String name, String body) {
        add(name, body);
        test(name, () -> {
            long sent = Strands.sent();
            conformance.check(name);
            assertThat(Strands.sent() - sent).as("calls sent by strands").isZero();
        });
    }

    private static String statement(String rates) {
        return RUN + "return new @@(s, " + rates + ").go(n); }\n"
                + "private final Svc s; private final Rates rates; @@(Svc s, Rates rates) { this.s = s; this.rates = rates; }\n"
                + "String go(int n) { StringBuilder out = new StringBuilder(); long t = 0; for (int i = 0; i < n; i++) { String c = s.s(\"c\" + i % 7); String e = rates.of(c); out.append(i).append(' ').append(e); t = t * 3 + e.length(); } return out.append(t).toString(); }\n";
    }
}
