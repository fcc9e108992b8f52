package dev.cleave.agent.ir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.ir.Unsupported.Reason;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Methods that went into register form and back: they verify, and they do what they did. {@code -Dcleave.full=true}
 * takes AssertJ and the rest of JUnit through every pass as well.
 */
@Tag("one-jdk")
class RoundTripTest {

    private static final boolean FULL = Boolean.getBoolean("cleave.full");
    private static final String LIBRARIES = FULL ? ".*(assertj|junit|awaitility).*" : ".*awaitility.*";

    @Test
    @Tag("full")
    @Timeout(300)
    void everyMethodOfTheTestClassPathVerifies() {
        Corpus.Figures figures = Corpus.of(classPath(), Pass.NONE).run();

        System.out.printf(
                "round trip: %d classes, %d methods, code size ratio %.3f, refused %s%n",
                figures.classes(), figures.methods(), figures.ratio(), figures.refused());
        assertThat(figures.errors()).isEmpty();
        assertThat(figures.methods()).isGreaterThan(15_000);
        assertThat(figures.ratio()).isBetween(0.9, 1.1);
        assertThat(figures.refused().keySet()).isSubsetOf(Reason.OLD_CLASS_FILE, Reason.UNKNOWN_CLASS);
        assertThat(figures.refused().getOrDefault(Reason.UNKNOWN_CLASS, 0)).isLessThan(100);
    }

    @ParameterizedTest
    @EnumSource
    void kernelsComputeTheSameAfterwards(Pass pass) throws Exception {
        List<Class<?>> classes = new ArrayList<>(List.of(Kernels.class.getDeclaredClasses()));
        classes.add(Kernels.class);
        Map<String, byte[]> rewritten = Corpus.ofClasses(classes, pass).rewritten();
        Class<?> copy = Class.forName(Kernels.class.getName(), true, new Corpus.MapLoader(rewritten));
        Class<?> original = Class.forName(
                Kernels.class.getName(),
                true,
                new Corpus.MapLoader(Corpus.ofClasses(classes, pass).originals()));

        Map<String, String> expected = results(original);
        Map<String, String> actual = results(copy);

        assertThat(expected).hasSizeGreaterThan(20);
        assertThat(actual).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(120)
    void librariesVerifyAfterEveryPass(Pass pass) {
        List<Path> libraries = classPath().stream()
                .filter(path -> path.toString().matches(LIBRARIES))
                .toList();

        Corpus.Figures figures = Corpus.of(libraries, pass).run();

        assertThat(figures.errors()).isEmpty();
        assertThat(figures.methods()).isGreaterThan(FULL ? 6_000 : 400);
        assertThat(figures.refused().keySet()).isSubsetOf(Reason.UNKNOWN_CLASS, Reason.TOO_LARGE);
    }

    private static List<Path> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::exists)
                .toList();
    }

    private static Map<String, String> results(Class<?> kernels) throws IllegalAccessException {
        Map<String, String> results = new TreeMap<>();
        for (Method kernel : kernels.getDeclaredMethods()) {
            if (!kernel.isSynthetic() && kernel.getParameterCount() == 0) {
                kernel.setAccessible(true);
                try {
                    results.put(kernel.getName(), String.valueOf(kernel.invoke(null)));
                } catch (InvocationTargetException e) {
                    results.put(kernel.getName(), "threw " + e.getCause());
                }
            }
        }
        return results;
    }
}
