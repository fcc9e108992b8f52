package dev.cleave.agent.later;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.later.LaterPrograms.Outcome;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.testing.Seed;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random methods do the same while their arguments arrive; {@code -Dcleave.later.seed} and {@code .count} choose others. */
@Tag("one-jdk")
class RandomKernelsTest {

    private static final long SEED = Long.getLong("cleave.later.seed", Seed.or(20_261_122L));
    private static final int COUNT = Integer.getInteger("cleave.later.count", 40);

    @Test
    void doTheSameWhileArgumentsArrive() {
        boolean[] catches = new boolean[COUNT];
        Map<String, String> sources = sources(catches);
        LaterPrograms programs = new LaterPrograms(sources);
        int returned = 0;
        int rewritten = 0;
        for (int i = 0; i < COUNT; i++) {
            Random random = new Random(SEED + i);
            Object[] arguments = arguments(random);
            String type = "p.K" + i;
            try {
                Outcome expected = programs.same(type, "run", random, given -> given, arguments);
                returned += expected.result().contains("Exception") ? 0 : 1;
                if (!catches[i]) {
                    lose(programs, type, random, expected, arguments);
                }
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + SEED + ", kernel " + i + ":\n" + sources.get(type), e);
            }
            rewritten += programs.verdicts(type).stream().anyMatch(v -> v.line() >= 0) ? 1 : 0;
        }
        assertThat(returned).as("seed %s: kernels that return", SEED).isGreaterThan(COUNT / 3);
        assertThat(rewritten).isGreaterThan(COUNT / 2);
        assertThat(programs.verdicts("p.K0")).allMatch(v -> v.outcome() == Verdict.Outcome.LATER);
    }

    /** Two agents rewrite each kernel to the same bytes: offline and when it is loaded. */
    @Test
    void areTheSameBytesEachTime() {
        Map<String, String> sources = sources(new boolean[COUNT]);
        LaterPrograms first = new LaterPrograms(sources);
        LaterPrograms second = new LaterPrograms(sources);
        for (int i = 0; i < COUNT; i++) {
            assertThat(first.rewritten("p.K" + i).classFile())
                    .as("seed %s, kernel %s", SEED, i)
                    .isEqualTo(second.rewritten("p.K" + i).classFile());
        }
    }

    private static Map<String, String> sources(boolean[] catches) {
        KernelGenerator generator = new KernelGenerator(new Random(SEED));
        Map<String, String> sources = new HashMap<>();
        sources.put("p.Run", """
                package p;
                import dev.cleave.*;
                @Remote public interface Run { long run(@Later int[] a, @Later int[] b, @Later int[][] m, int n); }
                """);
        for (int i = 0; i < COUNT; i++) {
            sources.put("p.K" + i, """
                    package p;
                    public class K%d implements Run {
                    static long touch(int[] x, int i) { return x[i]; }
                    public long run(int[] a, int[] b, int[][] m, int n) {
                    %s}
                    }
                    """.formatted(i, generator.body()));
            catches[i] = generator.catches();
        }
        return sources;
    }

    /** Where something never arrives, a method fails for that reason, or did not need it. */
    private static void lose(LaterPrograms programs, String type, Random random, Outcome expected, Object[] arguments) {
        Method method = LaterPrograms.method(programs.loaded(type), "run");
        for (int lostAt = 0; lostAt < 6; lostAt++) {
            ScriptedLater later = new ScriptedLater(
                    LaterPrograms.key(method), LaterPrograms.copies(arguments), Set.of(0, 1, 2), random, 2, lostAt);
            Outcome outcome = programs.arriving(type, method, later);
            if (!outcome.result().contains("Lost")) {
                assertThat(outcome.result()).isEqualTo(expected.result());
            }
        }
    }

    static Object[] arguments(Random random) {
        int[][] m = new int[8][8];
        for (int[] row : m) {
            fill(row, random);
        }
        int[] a = new int[8];
        int[] b = random.nextInt(8) == 0 ? new int[3] : new int[8];
        fill(a, random);
        fill(b, random);
        return new Object[] {a, random.nextInt(20) == 0 ? null : b, m, 3 + random.nextInt(6)};
    }

    private static void fill(int[] array, Random random) {
        for (int i = 0; i < array.length; i++) {
            array[i] = random.nextInt(50);
        }
    }
}
