package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.rule.Rule;
import dev.cleave.rt.Strands;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Nests that call methods of other classes, which call remote methods themselves, and caches in maps (R71). */
class StrandElsewhereTest extends ProgramTests {

    private static final int N = 100;

    private static final String RUN = "public static Object run(Svc s, Svc z, int n) throws Exception {\n";

    /** An interface of the program with one implementation that calls remote methods, which keeps what it got. */
    private static final String RATES = "interface Rates { String of(String c); }\n"
            + "static final class Cached implements Rates { private final Svc bank; private final Map<String, String> cache = new @M<>();\n"
            + "Cached(Svc bank) { this.bank = bank; } public String of(String c) { return cache.computeIfAbsent(c, bank::s); } }\n";

    @Override
    void add(String name, String members) {
        conformance.add(name, members.replace("@@", Conformance.className(name)));
    }

    /** The same, the calls overlap, and a run takes at most this many round trips. */
    private void strands(String name, int atMost, String body) {
        add(name, body);
        test(name, () -> {
            conformance.check(name);
            Class<?> rewritten = conformance.programs().rewritten("p." + Conformance.className(name));
            TimedService.run(rewritten, N); // classes show themselves
            long sent = Strands.sent();
            long missed = Strands.missed();
            long unclaimed = Strands.unclaimed();
            int took = TimedService.run(rewritten, N);
            assertThat(Strands.sent() - sent).as("calls sent by strands").isPositive();
            assertThat(Strands.missed() - missed)
                    .as("calls that no strand sent")
                    .isZero();
            assertThat(Strands.unclaimed() - unclaimed).as("calls given up").isZero();
            assertThat(took)
                    .as(name + " in round trips: " + conformance.verdicts(name))
                    .isLessThanOrEqualTo(atMost);
        });
    }

    /** The same, and no strand sends anything, with this rule as a reason. */
    private void without(String name, Rule rule, String body) {
        add(name, body);
        test(name, () -> {
            long sent = Strands.sent();
            conformance.check(name);
            assertThat(Strands.sent() - sent).as("calls sent by strands").isZero();
            refusedBy(name, rule);
        });
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        caches();
        receivers();
        shared();
        return tests();
    }

    private void caches() {
        for (String map : new String[] {"HashMap", "LinkedHashMap", "TreeMap"}) {
            strands("cache-in-a-" + map, 20, statement("new Cached(z)") + RATES.replace("@M", map));
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
                statement("new Cached(z)").replace("return new @@", "hits = 0; return new @@").replace("\"c\" + i % 7", "\"c\" + hits % 7")
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
                statement("new Cached(z)") + RATES.replace("@M", "HashMap").replace("public String of", "public synchronized String of"));
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
