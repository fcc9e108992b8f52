package dev.cleave.agent.premain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.conformance.Svc;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.Weaver;
import dev.cleave.testing.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Damaged class files: the transformer never throws, and what the JVM would have verified, it still verifies. A class file
 * that names something twice, as only damage does, may lose its second entry in the rewriting, and then have a form that
 * the JVM refuses; of thousands it is one.
 */
@Tag("one-jdk")
class MutatedClassFilesTest {

    private static final ClassLoader LOADER = MutatedClassFilesTest.class.getClassLoader();
    private static final int MUTANTS = Integer.getInteger("cleave.mutants", 120);
    private static final long SEED = Long.getLong("cleave.mutants.seed", Seed.or(20_261_121L));

    /** What is mutated. */
    static final class Sample {
        private int calls;

        int sum(Svc s, int n, String name) {
            int sum = 0;
            for (int i = 0; i < n; i++) {
                int answer = s.f(i);
                sum += answer * 31 + name.length();
                calls++;
            }
            return sum;
        }

        long row(Svc s, int n) {
            long a = s.lf(n);
            int b = s.g(n + 1);
            double c = s.df(n * 2.0);
            return a + 3 * b + (long) c;
        }

        String guarded(Svc s, int[] keys) {
            String text = "";
            try {
                for (int key : keys) {
                    switch (key) {
                        case 1 -> text += s.s("one");
                        case 2 -> calls--;
                        default -> text += s.f(key);
                    }
                }
            } catch (IllegalStateException e) {
                text += " caught " + e.getMessage();
            } finally {
                calls += 100;
            }
            return text;
        }
    }

    private final List<String> unexpected = new ArrayList<>();
    private final CallTransformer transformer = new CallTransformer(
            new Weaver(
                    new RemoteInterfaceIndex(ClassFileSource.OF_LOADERS, CallSettings.NONE),
                    ClassFileSource.OF_LOADERS),
            new Findings(),
            new ReentrancyGuard(),
            module -> true,
            message -> {});

    @Test
    void whatLinkedBeforeLinksAfter() {
        byte[] sample =
                ClassFileSource.ofResources(LOADER, Sample.class.getName().replace('.', '/'));
        Random random = new Random(SEED);
        int linked = 0;
        int malformed = 0;
        int rewritten = 0;
        for (int i = 0; i < MUTANTS; i++) {
            byte[] mutant = mutate(sample, random);
            byte[] given = mutant.clone();
            byte[] made = transformer.transform(null, LOADER, "com/shop/Sample", null, null, given);
            assertThat(given)
                    .as("mutant %s of seed %s is not written to", i, SEED)
                    .isEqualTo(mutant);
            if (made == null) {
                continue;
            }
            rewritten++;
            Throwable before = link(mutant);
            if (before == null) {
                linked++;
                Throwable after = link(made);
                if (after != null && after.getClass() == ClassFormatError.class) {
                    malformed++;
                } else if (after != null) {
                    unexpected.add("mutant " + i + " of seed " + SEED + ": " + after);
                }
            }
        }
        assertThat(unexpected).isEmpty();
        assertThat(malformed)
                .as("mutants of seed %s that lost their form", SEED)
                .isLessThan(2 + MUTANTS / 1_000);
        assertThat(rewritten).as("mutants of seed %s that were rewritten", SEED).isGreaterThan(MUTANTS / 10);
        assertThat(linked).as("of these, mutants that link").isGreaterThan(MUTANTS / 20);
    }

    private static byte[] mutate(byte[] sample, Random random) {
        byte[] mutant = sample.clone();
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            int at = 10 + random.nextInt(mutant.length - 10);
            mutant[at] =
                    random.nextBoolean() ? (byte) random.nextInt(256) : (byte) (mutant[at] ^ 1 << random.nextInt(8));
        }
        return mutant;
    }

    /** Defines and verifies a class without running anything of it but its initialiser, which has no code. */
    private static Throwable link(byte[] classFile) {
        try {
            Class<?> type = new ClassLoader(LOADER) {
                Class<?> define() {
                    return defineClass(null, classFile, 0, classFile.length);
                }
            }.define();
            Class.forName(type.getName(), true, type.getClassLoader());
            return null;
        } catch (ClassNotFoundException | LinkageError | RuntimeException e) {
            return e;
        }
    }
}
