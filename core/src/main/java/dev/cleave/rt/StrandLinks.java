package dev.cleave.rt;

import dev.cleave.concurrent.SafeLog;
import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Links the making of nests and strands in rewritten bytecode (R71). What rewritten bytecode calls; names never change.
 * Safe for use by any thread.
 */
public final class StrandLinks {

    private static final System.Logger LOG = SafeLog.of(StrandLinks.class);

    private static final MethodHandle OPEN;
    private static final MethodHandle FORK;

    static {
        MethodType opening = MethodType.methodType(Strands.class, int.class, SelfComparison.class);
        try {
            FORK = MethodHandles.lookup().findStatic(StrandLinks.class, "openForked", opening);
            OPEN = MethodHandles.lookup().findStatic(StrandLinks.class, "open", opening);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private StrandLinks() {}

    /**
     * Links the opening of a nest: {@code () -> Strands}, or null where {@code -Dcleave.strands=off} is given, and where the nest was
     * found to be faster as written.
     *
     * @param rows the number of calls in the program's text, those in helpers counted where these are called
     */
    public static CallSite open(MethodHandles.Lookup caller, String name, MethodType type, int rows) {
        return new ConstantCallSite(MethodHandles.insertArguments(OPEN, 0, rows, new SelfComparison())
                .asType(type));
    }

    /**
     * Links the opening of a nest in which each pass of the outermost loop has strands of its own: {@code () ->
     * Strands}, or null as for {@link #open}.
     *
     * @param rows the number of calls in the program's text
     */
    public static CallSite fork(MethodHandles.Lookup caller, String name, MethodType type, int rows) {
        return new ConstantCallSite(MethodHandles.insertArguments(FORK, 0, rows, new SelfComparison())
                .asType(type));
    }

    /**
     * Links the making of a strand: {@code (values that it begins with) -> Object}, or null if its code cannot be
     * linked.
     *
     * @param caller the class that holds the nest, whose nestmate the strand becomes
     * @param code the class file of the strand, a byte in each char, in parts
     */
    public static CallSite strand(MethodHandles.Lookup caller, String name, MethodType type, String... code) {
        MethodHandle make;
        try {
            MethodHandles.Lookup strand =
                    caller.defineHiddenClass(bytes(code), false, MethodHandles.Lookup.ClassOption.NESTMATE);
            make = strand.findConstructor(strand.lookupClass(), type.changeReturnType(void.class));
        } catch (Throwable e) { // a class that does not link must not keep the program from running as written
            StrandCounts.UNLINKED.increment();
            LOG.log(System.Logger.Level.WARNING, caller.lookupClass() + " runs as written: a strand does not link", e);
            make = MethodHandles.empty(type);
        }
        return new ConstantCallSite(make.asType(type));
    }

    private static byte[] bytes(String... code) {
        int length = 0;
        for (String part : code) {
            length += part.length();
        }
        byte[] bytes = new byte[length];
        int at = 0;
        for (String part : code) {
            for (int i = 0; i < part.length(); i++) {
                bytes[at++] = (byte) part.charAt(i);
            }
        }
        return bytes;
    }

    @SuppressWarnings("UnusedMethod") // through its method handle
    private static @Nullable Strands open(int rows, SelfComparison comparison) {
        SelfComparison.Way way = Strand.isOff() ? SelfComparison.Way.WRITTEN : comparison.next();
        return way == SelfComparison.Way.WRITTEN ? null : new Strands(rows, Trial.begin(comparison, way));
    }

    @SuppressWarnings("UnusedMethod") // through its method handle
    private static @Nullable Strands openForked(int rows, SelfComparison comparison) {
        SelfComparison.Way way = Strand.isOff() ? SelfComparison.Way.WRITTEN : comparison.next();
        return way == SelfComparison.Way.WRITTEN ? null : new PassStrands(rows, Trial.begin(comparison, way));
    }
}
