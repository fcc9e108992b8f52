package dev.cleave.concurrent;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** Distinguishes virtual threads, which JDK 17 does not have, from others. */
public final class VirtualThreads {

    private static final @Nullable MethodHandle IS_VIRTUAL = find();

    private VirtualThreads() {}

    /** Says whether a thread is a virtual one. */
    public static boolean isVirtual(Thread thread) {
        if (IS_VIRTUAL == null) {
            return false;
        }
        try {
            return (boolean) IS_VIRTUAL.invokeExact(thread);
        } catch (Throwable e) { // the signature of a method handle
            throw new AssertionError(e);
        }
    }

    private static @Nullable MethodHandle find() {
        try {
            MethodType type = MethodType.methodType(boolean.class);
            return MethodHandles.publicLookup().findVirtual(Thread.class, "isVirtual", type);
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return null; // a JDK without them
        }
    }
}
