package dev.cleave.agent.mutation;

import dev.cleave.agent.conformance.RulesTable;
import java.io.File;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs tests by the names that {@code docs/rules.md} gives them, {@code Class/program} or {@code Class#method}, in the class
 * loader that has defined this class, up to the first that fails.
 */
public final class NamedTests implements Function<List<String>, String> {

    /** Stands for all programs of a class. */
    static final String ALL = "*";

    /** Makes one. */
    public NamedTests() {}

    /** The first test that fails, with its reason; empty if none does. */
    @Override
    public String apply(List<String> names) {
        Map<String, List<String>> programs = new LinkedHashMap<>();
        for (String name : names) {
            String[] parts = name.split("[/#]", 2);
            if (name.contains("/")) {
                programs.computeIfAbsent(parts[0], key -> new ArrayList<>()).add(parts[1]);
            }
        }
        for (Map.Entry<String, List<String>> entry : programs.entrySet()) {
            String failed = programs(entry.getKey(), entry.getValue());
            if (!failed.isEmpty()) {
                return failed;
            }
        }
        for (String name : names) {
            String failed = name.contains("#") ? method(name) : "";
            if (!failed.isEmpty()) {
                return failed;
            }
        }
        return "";
    }

    private static String programs(String simpleName, List<String> wanted) {
        try {
            for (Method method : newInstance(simpleName).getClass().getDeclaredMethods()) {
                if (!method.isAnnotationPresent(TestFactory.class)) {
                    continue;
                }
                Object instance = newInstance(simpleName); // as JUnit does it
                method.setAccessible(true);
                for (Object node : ((Stream<?>) method.invoke(instance)).toList()) {
                    if (node instanceof DynamicTest test
                            && (wanted.contains(ALL) || wanted.contains(test.getDisplayName()))) {
                        String failed = run(simpleName + "/" + test.getDisplayName(), test);
                        if (!failed.isEmpty()) {
                            return failed;
                        }
                    }
                }
            }
            return "";
        } catch (InvocationTargetException e) {
            return simpleName + ": " + reason(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(simpleName, e);
        }
    }

    private static String run(String name, DynamicTest test) {
        try {
            test.getExecutable().execute();
            return "";
        } catch (Throwable e) {
            return name + ": " + reason(e);
        }
    }

    private static String method(String name) {
        String[] parts = name.split("#");
        Path directory = null;
        try {
            Object instance = newInstance(parts[0]);
            for (Field field : instance.getClass().getDeclaredFields()) {
                if (field.isAnnotationPresent(TempDir.class)) {
                    directory = Files.createTempDirectory("mutation");
                    field.setAccessible(true);
                    field.set(instance, directory);
                }
            }
            invoke(instance, BeforeEach.class, method -> true);
            try {
                invoke(instance, Test.class, method -> method.getName().equals(parts[1]));
            } finally {
                invoke(instance, AfterEach.class, method -> true);
            }
            return "";
        } catch (InvocationTargetException e) {
            return name + ": " + reason(e.getCause());
        } catch (ReflectiveOperationException | IOException e) {
            throw new IllegalStateException(name, e);
        } finally {
            delete(directory);
        }
    }

    private static void invoke(Object instance, Class<? extends Annotation> kind, Predicate<Method> wanted)
            throws ReflectiveOperationException {
        for (Method method : instance.getClass().getDeclaredMethods()) {
            if (method.isAnnotationPresent(kind) && wanted.test(method)) {
                method.setAccessible(true);
                method.invoke(instance);
            }
        }
    }

    private static void delete(Path directory) {
        if (directory == null) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            // it is a folder for temporary files
        }
    }

    private static Object newInstance(String simpleName) throws ReflectiveOperationException {
        Class<?> type = RulesTable.testClass(simpleName);
        if (type == null) {
            throw new IllegalArgumentException("test class: " + simpleName + " (expected: one of the agent's)");
        }
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    private static String reason(Throwable failure) {
        if (failure instanceof NoClassDefFoundError) { // somebody builds at the same time
            throw new IllegalStateException(failure);
        }
        String text = String.valueOf(failure).strip().replaceAll("\\s+", " ");
        return text.substring(0, Math.min(text.length(), 160));
    }
}
