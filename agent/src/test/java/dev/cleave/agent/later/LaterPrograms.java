package dev.cleave.agent.later;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.conformance.Compiler;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.RemoteCallScanner;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.Rewritten;
import dev.cleave.agent.transform.Weaver;
import dev.cleave.later.LaterArguments;
import dev.cleave.later.TakesLater;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Type;
import org.objectweb.asm.util.CheckClassAdapter;

/** Sources of services in package {@code p}, compiled, as written and as the agent makes them. */
final class LaterPrograms {

    private static final int[] STEPS = {1, 3, 1000};

    private final Map<String, byte[]> written;
    private final Map<String, Rewritten> rewritten = new HashMap<>();
    private final Set<String> verified = new HashSet<>();
    private final Weaver weaver;
    private final Loader plain;
    private final Loader agent;

    /**
     * What a call did.
     *
     * @param result its value or exception, as text
     * @param after the arguments behind it, as text
     */
    record Outcome(String result, String after) {}

    LaterPrograms(Map<String, String> sources) {
        this(Compiler.compile(sources), new HashSet<>());
    }

    LaterPrograms(Map<String, byte[]> classes, Set<String> leftAsWritten) {
        written = classes;
        ClassLoader parent = LaterPrograms.class.getClassLoader();
        ClassFileSource files = (loader, name) -> {
            byte[] own = written.get(name.replace('/', '.'));
            return own != null ? own : ClassFileSource.ofResources(parent, name);
        };
        weaver = new Weaver(new RemoteInterfaceIndex(files, CallSettings.NONE), files);
        plain = new Loader(parent, written::get);
        agent = new Loader(parent, name -> leftAsWritten.contains(name) ? written.get(name) : bytes(name));
    }

    private byte[] bytes(String name) {
        return written.containsKey(name) ? rewritten(name).classFile() : null;
    }

    Rewritten rewritten(String name) {
        Rewritten known = rewritten.get(name);
        if (known == null) {
            known = weaver.weave(null, written.get(name));
            rewritten.put(name, known);
        }
        return known;
    }

    /** Whether the agent would look at a class at all. */
    boolean concerns(String name) {
        return weaver.concerns(null, name.replace('.', '/'), written.get(name), RemoteCallScanner.Sight.ALWAYS);
    }

    List<Verdict> verdicts(String name) {
        return rewritten(name).verdicts().values().stream()
                .flatMap(List::stream)
                .toList();
    }

    Class<?> written(String name) {
        return load(plain, name);
    }

    /** The class as the agent makes it; it verifies. */
    Class<?> loaded(String name) {
        Class<?> type = load(agent, name);
        if (verified.add(name)) {
            StringWriter problems = new StringWriter();
            CheckClassAdapter.verify(new ClassReader(bytes(name)), agent, false, new PrintWriter(problems));
            assertThat(problems.toString()).isEmpty();
            type.getDeclaredMethods();
        }
        return type;
    }

    /** A method by its name that is no bridge. */
    static Method method(Class<?> type, String name) {
        return Arrays.stream(type.getMethods())
                .filter(each -> each.getName().equals(name) && !each.isBridge())
                .findFirst()
                .orElseThrow();
    }

    /** Calls a method as written. */
    Outcome asWritten(String type, String name, Object... arguments) {
        Object[] given = copies(arguments);
        Class<?> loaded = written(type);
        return outcome(call(method(loaded, name), make(loaded), given), given);
    }

    /** Calls a method as rewritten with all that it needs. */
    Outcome complete(String type, String name, Object... arguments) {
        Object[] given = copies(arguments);
        Class<?> loaded = loaded(type);
        return outcome(call(method(loaded, name), make(loaded), given), given);
    }

    /** Calls a method as rewritten while arguments arrive. */
    Outcome arriving(String type, Method method, ScriptedLater later) {
        assertThat(method.isAnnotationPresent(TakesLater.class)).isTrue();
        Object target = make(loaded(type));
        later.handOver();
        try {
            Object result = call(method, target, later.given());
            return outcome(result, later.after());
        } finally {
            LaterArguments.clear();
        }
    }

    /** All ways to call a method have the same outcome; returns it. */
    Outcome same(String type, String name, Random random, UnaryOperator<Object[]> sharing, Object... arguments) {
        Outcome expected = asWritten(type, name, sharing.apply(copies(arguments)));
        assertThat(complete(type, name, sharing.apply(copies(arguments)))).isEqualTo(expected);
        Method method = method(loaded(type), name);
        Set<Integer> laters = laters(method);
        for (int subset = 1; subset < 1 << arguments.length; subset++) {
            Set<Integer> some = new HashSet<>();
            for (int i = 0; i < arguments.length; i++) {
                if ((subset & 1 << i) != 0 && laters.contains(i)) {
                    some.add(i);
                }
            }
            for (int step : STEPS) {
                ScriptedLater later = new ScriptedLater(key(method), copies(arguments), some, random, step, -1);
                assertThat(arriving(type, method, later))
                        .as("%s.%s, later %s, step %s", type, name, some, step)
                        .isEqualTo(expected);
            }
        }
        return expected;
    }

    Outcome same(String type, String name, Object... arguments) {
        return same(type, name, new Random(1), given -> given, arguments);
    }

    private static Set<Integer> laters(Method method) {
        Set<Integer> laters = new HashSet<>();
        for (int i = 0; i < method.getParameterCount(); i++) {
            if (!method.getParameterTypes()[i].isPrimitive()) {
                laters.add(i);
            }
        }
        return laters;
    }

    static String key(Method method) {
        return method.getName() + Type.getMethodDescriptor(method);
    }

    static Object make(Class<?> type) {
        try {
            return type.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Outcome outcome(Object result, Object[] after) {
        return new Outcome(text(result), text(after));
    }

    /** The value, or the exception that was thrown. */
    static Object call(Method method, Object target, Object... arguments) {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    static String text(Object value) {
        if (value instanceof Throwable thrown) {
            String line = Arrays.stream(thrown.getStackTrace())
                    .filter(frame -> frame.getClassName().startsWith("p."))
                    .map(StackTraceElement::toString)
                    .findFirst()
                    .orElse("?");
            String message =
                    thrown.toString().replaceAll("because \".*\" is null", "because it is null"); // by any name
            return message + " at " + line.substring(line.indexOf("//") + 1);
        }
        String all = Arrays.deepToString(new Object[] {value});
        return all.replaceAll("@[0-9a-f]+", "@");
    }

    static Object[] copies(Object[] arguments) {
        return (Object[]) copy(arguments);
    }

    private static Object copy(Object value) {
        if (value == null || !value.getClass().isArray()) {
            return value;
        }
        int length = Array.getLength(value);
        Object copy = Array.newInstance(value.getClass().getComponentType(), length);
        for (int i = 0; i < length; i++) {
            Array.set(copy, i, copy(Array.get(value, i)));
        }
        return copy;
    }

    private static Class<?> load(ClassLoader loader, String name) {
        try {
            return Class.forName(name, true, loader);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static final class Loader extends ClassLoader {
        private final Function<String, byte[]> classes;

        Loader(ClassLoader parent, Function<String, byte[]> classes) {
            super(parent);
            this.classes = classes;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = classes.apply(name);
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }
}
