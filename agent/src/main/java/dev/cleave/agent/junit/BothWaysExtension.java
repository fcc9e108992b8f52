package dev.cleave.agent.junit;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/** Runs a {@link BothWays} method as written and rewritten. */
final class BothWaysExtension implements TestTemplateInvocationContextProvider {

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return AnnotationSupport.isAnnotated(context.getTestMethod(), BothWays.class);
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        Class<?> test = context.getRequiredTestClass();
        if (test.getEnclosingClass() != null && !Modifier.isStatic(test.getModifiers())) {
            throw new ExtensionConfigurationException("@BothWays: " + test.getName()
                    + " is an inner class; move the method to a class of its own or make the class static");
        }
        List<Method> once =
                AnnotationSupport.findAnnotatedMethods(test, BeforeAll.class, HierarchyTraversalMode.TOP_DOWN);
        if (once.isEmpty()) {
            once = AnnotationSupport.findAnnotatedMethods(test, AfterAll.class, HierarchyTraversalMode.TOP_DOWN);
        }
        if (!once.isEmpty()) {
            throw new ExtensionConfigurationException(
                    "@BothWays: " + test.getName() + "." + once.get(0).getName()
                            + " runs once for all tests, but each way has a class of its own; use @BeforeEach and"
                            + " @AfterEach");
        }
        BothWays wanted = AnnotationSupport.findAnnotation(context.getTestMethod(), BothWays.class)
                .orElseThrow();
        PairedRuns pair = new PairedRuns(wanted, test.getClassLoader());
        return Stream.of(Way.values()).map(way -> new OneWay(way, pair));
    }

    private record OneWay(Way way, PairedRuns pair) implements TestTemplateInvocationContext {

        @Override
        public String getDisplayName(int index) {
            return way.toString();
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new Twin(way, pair));
        }
    }
}
