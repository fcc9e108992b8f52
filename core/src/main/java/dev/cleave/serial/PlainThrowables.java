package dev.cleave.serial;

import java.util.List;

/**
 * Classes of exceptions whose messages, causes and texts run no code of the program: none of the program's classes among them and their
 * superclasses has a method of its own for these.
 */
public final class PlainThrowables {

    private static final int MOST_CAUSES = 64;
    private static final List<String> ASKED =
            List.of("getMessage", "getLocalizedMessage", "getCause", "toString", "getStackTrace", "hashCode");

    private static final ClassValue<Boolean> PLAIN = new ClassValue<>() {

        @Override
        protected Boolean computeValue(Class<?> type) {
            try {
                for (String name : ASKED) {
                    if (!Jdk.has(type.getMethod(name).getDeclaringClass())) {
                        return false;
                    }
                }
                return Jdk.has(type.getMethod("equals", Object.class).getDeclaringClass())
                        && Jdk.has(type.getMethod("printStackTrace", java.io.PrintStream.class)
                                .getDeclaringClass())
                        && Jdk.has(type.getMethod("printStackTrace", java.io.PrintWriter.class)
                                .getDeclaringClass());
            } catch (NoSuchMethodException | LinkageError e) {
                return false;
            }
        }
    };

    private PlainThrowables() {}

    /** Says whether a class of exceptions is one. */
    static boolean has(Class<?> type) {
        return PLAIN.get(type);
    }

    /** Says whether an exception, what has caused it and what it suppresses are of such classes. */
    public static boolean isOne(Throwable exception) {
        return isOne(exception, MOST_CAUSES) >= 0;
    }

    /** Returns how many more may be looked at, negative if one is of another class or there are too many. */
    private static int isOne(Throwable exception, int most) {
        int left = most;
        for (Throwable at = exception; at != null; at = at.getCause()) {
            left--;
            if (left < 0 || !has(at.getClass())) {
                return -1;
            }
            for (Throwable suppressed : at.getSuppressed()) {
                left = isOne(suppressed, left);
                if (left < 0) {
                    return -1;
                }
            }
        }
        return left;
    }
}
