package dev.cleave.rt;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/** One stream in the program's text: how its functions are called, and how far ahead it was worth running. */
final class StreamSite {

    private static final MethodType ON_OBJECTS = MethodType.methodType(Object.class, Object.class, Object.class);

    private final String helper;
    private final String stages;
    private final List<MethodHandle> functions = new ArrayList<>();
    private final LoopSite loop;

    /**
     * Creates a site.
     *
     * @param helper the helper that the last function is, or stands for
     * @param stages a letter for each function: {@code m} maps an element, {@code f} keeps it or not
     * @param types the functional interfaces, the last one that of the function that calls
     */
    StreamSite(String helper, String stages, List<Class<?>> types, int window) throws IllegalAccessException {
        this.helper = helper;
        this.stages = stages;
        this.loop = new LoopSite(window, 1);
        for (Class<?> type : types) {
            functions.add(
                    MethodHandles.publicLookup().unreflect(functionOf(type)).asType(ON_OBJECTS));
        }
    }

    private static Method functionOf(Class<?> type) {
        for (Method method : type.getMethods()) {
            if (Modifier.isAbstract(method.getModifiers())) {
                return method;
            }
        }
        throw new IllegalArgumentException("type: " + type + " (expected: a functional interface)");
    }

    String helper() {
        return helper;
    }

    /** The number of functions in front of the one that calls. */
    int stages() {
        return stages.length();
    }

    boolean isFilter(int stage) {
        return stages.charAt(stage) == 'f';
    }

    MethodHandle function(int stage) {
        return functions.get(stage);
    }

    LoopQueue open() {
        return loop.open();
    }
}
