package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.rule.Rule;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Programs that are compiled together; each is a test under its name. */
abstract class ProgramTests {

    final Conformance conformance = new Conformance();
    private final Map<String, Runnable> tests = new TreeMap<>();

    /** Adds a test; two of one name would hide each other. */
    final void test(String name, Runnable test) {
        assertThat(tests.put(name, test)).as("two tests named " + name).isNull();
    }

    /** Adds the program of a test: here the body of its method. */
    void add(String name, String body) {
        conformance.addBody(name, body);
    }

    /** The same, and calls overlap. */
    final void overlaps(String name, String body) {
        add(name, body);
        test(name, () -> conformance.overlaps(name));
    }

    /** The same, and no two calls overlap. */
    final void sequential(String name, String body) {
        add(name, body);
        test(name, () -> conformance.staysSequential(name));
    }

    /** The same, and no two calls overlap, with this rule as a reason. */
    final void sequential(String name, Rule rule, String body) {
        add(name, body);
        test(name, () -> {
            conformance.staysSequential(name);
            refusedBy(name, rule);
        });
    }

    /** The same, however it is placed. */
    final void same(String name, String body) {
        add(name, body);
        test(name, () -> conformance.check(name));
    }

    final void refusedBy(String name, Rule rule) {
        assertThat(conformance.verdicts(name)).as(name).anySatisfy(verdict -> assertThat(verdict.refusal())
                .as(verdict.toString())
                .isNotNull()
                .satisfies(refusal -> assertThat(refusal.rule()).isEqualTo(rule)));
    }

    /** Adds the programs, by the methods that JUnit calls. */
    final void prepare() {
        for (Method method : getClass().getDeclaredMethods()) {
            if (method.isAnnotationPresent(TestFactory.class)) {
                try {
                    method.setAccessible(true);
                    method.invoke(this);
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(method.toString(), e);
                }
            }
        }
    }

    final Stream<DynamicTest> tests() {
        return tests.entrySet().stream().map(test -> DynamicTest.dynamicTest(test.getKey(), test.getValue()::run));
    }
}
