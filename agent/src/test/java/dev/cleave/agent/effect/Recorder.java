package dev.cleave.agent.effect;

import java.lang.reflect.InvocationHandler;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Hears when methods of objects of the program are called. */
final class Recorder {

    private final List<String> heard = new ArrayList<>();

    /** What was heard since the last time. */
    List<String> heard() {
        List<String> copy = List.copyOf(heard);
        heard.clear();
        return copy;
    }

    /** An object whose methods are all heard. */
    Object object() {
        return new Heard(this);
    }

    /** Answers calls of any interface with what does least. */
    InvocationHandler handler(Class<?> type) {
        return (proxy, method, arguments) -> {
            heard.add(type.getSimpleName() + "." + method.getName());
            Class<?> result = method.getReturnType();
            if (method.getName().equals("equals")) {
                return proxy == arguments[0];
            }
            if (result == boolean.class) {
                return false;
            }
            if (result == int.class) {
                return 0;
            }
            if (result == long.class) {
                return 0L;
            }
            if (result == double.class) {
                return 0.0;
            }
            if (result == char.class) {
                return 'x';
            }
            if (result == String.class) {
                return "proxy";
            }
            return result == Object[].class
                    ? new Object[0]
                    : result == Iterator.class ? List.of().iterator() : null;
        };
    }

    private record Heard(Recorder recorder) implements Comparable<Object> {

        @Override
        public boolean equals(Object other) {
            recorder.heard.add("equals");
            return this == other;
        }

        @Override
        public int hashCode() {
            recorder.heard.add("hashCode");
            return 1;
        }

        @Override
        public String toString() {
            recorder.heard.add("toString");
            return "heard";
        }

        @Override
        public int compareTo(Object other) {
            recorder.heard.add("compareTo");
            return 0;
        }
    }
}
