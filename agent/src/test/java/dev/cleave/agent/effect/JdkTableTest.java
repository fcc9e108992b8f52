package dev.cleave.agent.effect;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.objectweb.asm.Type;

/**
 * Every row of the effect table is tried out: each method that it stands for is called with all combinations of sample
 * arguments, and what it does is compared with what the row says.
 *
 * <p>Seen are: exceptions, callbacks to objects of the program, changes of the receiver and of arrays and collections
 * given as arguments, and results that depend on what the receiver or an array holds. Not seen are time, other threads,
 * input and output: rows with these flags are only tried for standing for something.
 */
class JdkTableTest {

    private static final JdkTable TABLE = JdkTable.load();
    private static final int MOST_TRIALS =
            Boolean.getBoolean("cleave.full") ? 1_000 : 400; // spread over all combinations
    private static final int STEP = 1_000_003; // a prime: no number of combinations is a multiple of it

    @TestFactory
    Stream<DynamicTest> rows() {
        return TABLE.rows().stream().map(row -> DynamicTest.dynamicTest(row.toString(), () -> check(row)));
    }

    private static void check(JdkTable.Row row) throws Exception {
        if (!row.owner().startsWith("java/")) {
            return; // a logger that the program may have
        }
        Class<?> owner = Class.forName(row.owner().replace('/', '.'));
        List<Executable> methods = methodsOf(row, owner);
        assertThat(methods).as("methods of the row").isNotEmpty();
        for (String name : row.names()) {
            assertThat(methods.stream().anyMatch(m -> name.equals("*") || name.equals(nameOf(m))))
                    .as(name + " is a method that no row before this one stands for")
                    .isTrue();
        }
        if (row.is('i') || row.is('n') || row.is('s') || row.is('u')) {
            return;
        }
        Set<String> problems = new LinkedHashSet<>();
        for (Executable method : methods) {
            problems.addAll(new Trials(row, method).run());
        }
        assertThat(problems).as(row.toString()).isEmpty();
    }

    /** The trials see through wrong rows: each flag left out, one at a time. Rows may say more than is true, so not all. */
    @Test
    @Tag("one-jdk")
    void aFlagLeftOutIsFoundOut() throws Exception {
        int mutants = 0;
        List<String> unseen = new ArrayList<>();
        for (JdkTable.Row row : TABLE.rows()) {
            boolean isTried =
                    row.owner().startsWith("java/") && !(row.is('i') || row.is('n') || row.is('s') || row.is('u'));
            if (!isTried) {
                continue;
            }
            List<Executable> methods = methodsOf(row, Class.forName(row.owner().replace('/', '.')));
            for (char flag : row.flags().toCharArray()) {
                if ("twrxfpcRW".indexOf(flag) >= 0 && !row.is('A')) {
                    mutants++;
                    String flags = row.flags().replace(String.valueOf(flag), "");
                    JdkTable.Row wrong = new JdkTable.Row(row.owner(), row.names(), row.descriptors(), flags);
                    if (methods.stream().noneMatch(method -> new Trials(wrong, method).isWrong())) {
                        unseen.add(flag + " of " + row);
                    }
                }
            }
        }
        assertThat(unseen.size())
                .as(unseen.size() + " of " + mutants + " wrong rows unseen: " + String.join("\n", unseen))
                .isLessThan(mutants * 2 / 5);
    }

    private static String nameOf(Executable method) {
        return method instanceof Constructor ? "<init>" : method.getName();
    }

    private static String descriptorOf(Executable method) {
        return method instanceof Constructor<?> constructor
                ? Type.getConstructorDescriptor(constructor)
                : Type.getMethodDescriptor((Method) method);
    }

    /** The public methods that the row is the first to stand for. */
    private static List<Executable> methodsOf(JdkTable.Row row, Class<?> owner) {
        List<Executable> methods = new ArrayList<>();
        Stream.concat(Arrays.stream(owner.getMethods()), Arrays.stream(owner.getDeclaredConstructors()))
                .filter(m -> !Modifier.isPrivate(m.getModifiers()) && !isBridge(m))
                .filter(m -> fits(row, m))
                .forEach(methods::add);
        return methods;
    }

    /** Whether a compiler made a method for another one of the same class. */
    private static boolean isBridge(Executable method) {
        return method.isSynthetic()
                && Arrays.stream(method.getDeclaringClass().getMethods())
                        .anyMatch(other -> !other.isSynthetic()
                                && other.getDeclaringClass() == method.getDeclaringClass()
                                && other.getName().equals(method.getName())
                                && other.getParameterCount() == method.getParameterCount());
    }

    private static boolean fits(JdkTable.Row row, Executable method) {
        return row.equals(TABLE.row(row.owner(), nameOf(method), descriptorOf(method)));
    }

    /** The calls of one method. */
    private static final class Trials {

        private final JdkTable.Row row;
        private final Executable method;
        private final Recorder recorder = new Recorder();
        private final Set<String> problems = new LinkedHashSet<>();
        private boolean isFirstEnough;

        Trials(JdkTable.Row row, Executable method) {
            this.row = row;
            this.method = method;
        }

        /** Tries until something is seen. */
        boolean isWrong() {
            isFirstEnough = true;
            return !run().isEmpty();
        }

        Set<String> run() {
            boolean isFree = method instanceof Constructor || Modifier.isStatic(method.getModifiers());
            List<Supplier<?>> receivers =
                    isFree ? List.of(() -> null) : Samples.receiverMakers(method.getDeclaringClass());
            int combinations = combinations();
            for (Supplier<?> receiver : receivers) {
                if (!isFree && !ownerOf(row).isInstance(receiver.get())) {
                    continue;
                }
                for (int i = 0; i < Math.min(combinations, MOST_TRIALS); i++) {
                    if (isFirstEnough && !problems.isEmpty()) {
                        return problems;
                    }
                    trial(receiver, (int) ((long) i * STEP % combinations));
                }
            }
            return problems;
        }

        private static Class<?> ownerOf(JdkTable.Row row) {
            try {
                return Class.forName(row.owner().replace('/', '.'));
            } catch (ClassNotFoundException e) {
                throw new AssertionError(e);
            }
        }

        private int combinations() {
            int combinations = 1;
            for (Class<?> type : method.getParameterTypes()) {
                combinations *= Samples.arguments(type, row.owner(), recorder).size();
            }
            return combinations;
        }

        private Object[] arguments(int combination) {
            Class<?>[] types = method.getParameterTypes();
            Object[] arguments = new Object[types.length];
            int rest = combination;
            for (int i = 0; i < types.length; i++) {
                List<Object> samples = Samples.arguments(types[i], row.owner(), recorder);
                arguments[i] = samples.get(rest % samples.size());
                rest /= samples.size();
            }
            return arguments;
        }

        private void trial(Supplier<?> maker, int combination) {
            Object receiver = maker.get();
            Object[] arguments = arguments(combination);
            String before = contents(receiver);
            String argumentsBefore = contents(arguments);
            recorder.heard();
            Object result;
            try {
                result = call(receiver, arguments);
            } catch (InvocationTargetException e) {
                expect(row.is('t') || row.is('A'), "throws " + e.getCause(), arguments);
                result = null;
            } catch (IllegalArgumentException e) {
                return; // a null for a primitive among varargs
            }
            List<String> heard = recorder.heard();
            boolean mayCall = row.is('E')
                    || row.is('c')
                    || row.is('p')
                    || row.is('f') && arguments.length > 0 && arguments[0] != null;
            expect(heard.isEmpty() || mayCall || isGuarded(arguments), "calls back " + heard, arguments);
            String after = contents(receiver);
            expect(
                    row.is('w') || row.is('x') || before.equals(after),
                    "changes its receiver " + before + " -> " + after,
                    arguments);
            String argumentsAfter = contents(arguments);
            expect(
                    row.is('W') || row.is('A') || argumentsBefore.equals(argumentsAfter),
                    "changes an argument",
                    arguments);
            checkReads(maker, combination, result);
            recorder.heard();
            if (row.is('a') && result != null) {
                try {
                    expect(result != call(maker.get(), arguments(combination)), "its result is not new", arguments);
                } catch (InvocationTargetException e) {
                    throw new AssertionError(e);
                }
            }
        }

        /** A result that differs when the receiver, or an array, holds something else depends on it. */
        private void checkReads(Supplier<?> maker, int combination, Object result) {
            Object receiver = maker.get();
            Object[] arguments = arguments(combination);
            boolean differs = !row.is('r') && alter(receiver);
            if (!row.is('R') && !row.is('A')) {
                for (Object argument : arguments) {
                    differs |= argument != null && argument.getClass().isArray() && alter(argument);
                }
            }
            if (!differs || ((method instanceof Method m) && m.getReturnType() == void.class)) {
                return;
            }
            try {
                Object other = call(receiver, arguments);
                boolean isReceiver = other == receiver;
                expect(
                        isReceiver
                                || other instanceof java.util.Iterator
                                || contents(result).equals(contents(other)),
                        "reads what the receiver or an array holds",
                        arguments);
            } catch (InvocationTargetException e) {
                expect(row.is('t'), "throws " + e.getCause(), arguments);
            }
        }

        /** Whether a test at run time keeps such arguments away. */
        private boolean isGuarded(Object[] arguments) {
            return row.is('K')
                    && Arrays.stream(arguments)
                            .anyMatch(argument -> argument != null && Proxy.isProxyClass(argument.getClass()));
        }

        private Object call(Object receiver, Object[] arguments) throws InvocationTargetException {
            try {
                return method instanceof Constructor<?> constructor
                        ? constructor.newInstance(arguments)
                        : ((Method) method).invoke(receiver, arguments);
            } catch (IllegalAccessException | InstantiationException e) {
                throw new IllegalArgumentException(e);
            }
        }

        private void expect(boolean holds, String problem, Object[] arguments) {
            if (!holds) {
                problems.add(method.getName() + descriptorOf(method) + " " + problem + " with " + describe(arguments));
            }
        }

        private static String describe(Object[] arguments) {
            StringBuilder text = new StringBuilder("(");
            for (Object argument : arguments) {
                text.append(argument == null ? "null" : argument.getClass().getSimpleName())
                        .append(argument instanceof Number || argument instanceof String ? " " + argument : "")
                        .append(", ");
            }
            return text.append(')').toString();
        }
    }

    /** Puts something else into an object; false if nobody can. */
    private static boolean alter(Object object) {
        if (object == null) {
            return false;
        }
        if (object instanceof StringBuilder text) {
            text.append("zz").reverse();
            return true;
        }
        if (object instanceof BitSet bits) {
            bits.flip(0, 9);
            return true;
        }
        if (object instanceof Date date) {
            date.setTime(99);
            return true;
        }
        if (object instanceof StringJoiner joiner) {
            joiner.add("zz");
            return true;
        }
        if (object instanceof Map<?, ?> map && isMutable(map)) {
            map.clear();
            return true;
        }
        if (object instanceof Collection<?> collection && isMutable(collection)) {
            collection.clear();
            return true;
        }
        if (object.getClass().isArray() && Array.getLength(object) > 1) {
            Class<?> type = object.getClass().getComponentType();
            if (type == char.class) {
                Arrays.fill((char[]) object, 'z');
                return true;
            }
            if (type == int.class) {
                Arrays.fill((int[]) object, 99);
                return true;
            }
            if (type == double.class) {
                Arrays.fill((double[]) object, 99);
                return true;
            }
            if (type == byte.class) {
                Arrays.fill((byte[]) object, (byte) 65);
                return true;
            }
            if (type == long.class) {
                Arrays.fill((long[]) object, 99L);
                return true;
            }
            if (type == Object.class) {
                Arrays.fill((Object[]) object, "zz");
                return true;
            }
        }
        return false;
    }

    private static boolean isMutable(Object collection) {
        return !collection.getClass().getName().contains("Immutable")
                && !collection.getClass().getName().contains("Arrays$");
    }

    /** What an object holds, as far as it can be told without its methods being those of the program. */
    private static String contents(Object object) {
        if (object == null) {
            return "null";
        }
        if (object instanceof Object[] array) {
            StringBuilder text = new StringBuilder("[");
            for (Object element : array) {
                text.append(contents(element)).append(", ");
            }
            return text.append(']').toString();
        }
        if (object.getClass().isArray()) {
            StringBuilder text = new StringBuilder("[");
            for (int i = 0; i < Array.getLength(object); i++) {
                text.append(Array.get(object, i)).append(", ");
            }
            return text.append(']').toString();
        }
        if (object instanceof ListIterator<?> iterator) {
            return "at " + iterator.nextIndex();
        }
        if (object instanceof Map<?, ?> map && map.getClass().getName().startsWith("java.")) {
            return contents(map.keySet().toArray()) + contents(map.values().toArray());
        }
        if (object instanceof Collection<?> collection
                && collection.getClass().getName().startsWith("java.")) {
            return contents(collection.toArray());
        }
        if (object instanceof Optional<?> optional) {
            return optional.map(value -> contents(value)).orElse("empty");
        }
        if (object instanceof BitSet
                || object instanceof StringJoiner
                || object instanceof CharSequence
                || object instanceof Number
                || object instanceof Boolean
                || object instanceof Character) {
            return Proxy.isProxyClass(object.getClass()) ? "proxy" : object.toString();
        }
        return object.getClass().getSimpleName();
    }
}
