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
        return tests();
    }

    private void caches() {
        for (String map : new String[] {"HashMap", "LinkedHashMap", "TreeMap"}) {
            strands("cache-in-a-" + map, 20, statement("new Cached(z)") + RATES.replace("@M", map));
        }
    }

    private static String statement(String rates) {
        return RUN + "return new @@(s, " + rates + ").go(n); }\n"
                + "private final Svc s; private final Rates rates; @@(Svc s, Rates rates) { this.s = s; this.rates = rates; }\n"
                + "String go(int n) { StringBuilder out = new StringBuilder(); long t = 0; for (int i = 0; i < n; i++) { String c = s.s(\"c\" + i % 7); String e = rates.of(c); out.append(i).append(' ').append(e); t = t * 3 + e.length(); } return out.append(t).toString(); }\n";
    }
}
