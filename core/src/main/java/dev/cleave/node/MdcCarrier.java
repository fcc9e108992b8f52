package dev.cleave.node;

import dev.cleave.concurrent.SafeLog;
import dev.cleave.intercept.ContextCarrier;
import dev.cleave.wire.Names;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries chosen keys of SLF4J's {@code MDC}, as attachments {@code mdc.KEY}. Each side names the keys: a caller sends no
 * others, and a server sets no others. Control characters of what has travelled are escaped, so that it cannot forge a line of
 * a log.
 */
final class MdcCarrier implements ContextCarrier {

    private static final System.Logger LOG = SafeLog.of(MdcCarrier.class);
    private static final String PREFIX = "mdc.";
    private static final String MDC = "org.slf4j.MDC";

    private final List<String> keys;
    private final MethodHandle get;
    private final MethodHandle put;
    private final MethodHandle remove;

    private MdcCarrier(List<String> keys, Class<?> mdc) throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        this.keys = List.copyOf(keys);
        get = lookup.findStatic(mdc, "get", MethodType.methodType(String.class, String.class));
        put = lookup.findStatic(mdc, "put", MethodType.methodType(void.class, String.class, String.class));
        remove = lookup.findStatic(mdc, "remove", MethodType.methodType(void.class, String.class));
    }

    /** Creates a carrier of keys; null if SLF4J is not on the class path, which is logged. */
    static @Nullable MdcCarrier of(List<String> keys) {
        ClassLoader here = Thread.currentThread().getContextClassLoader();
        try {
            return new MdcCarrier(keys, Class.forName(MDC, true, here != null ? here : loader()));
        } catch (ReflectiveOperationException e) {
            LOG.log(System.Logger.Level.WARNING, "keys of the MDC do not travel: {0} is not on the class path", MDC);
            return null;
        }
    }

    private static ClassLoader loader() {
        ClassLoader own = MdcCarrier.class.getClassLoader();
        return own != null ? own : ClassLoader.getSystemClassLoader();
    }

    @Override
    public void capture(BiConsumer<String, String> attachments) {
        for (String key : keys) {
            String text = value(key);
            if (text != null) {
                attachments.accept(PREFIX + key, text);
            }
        }
    }

    @Override
    public Scope restore(Map<String, String> attachments) {
        Map<String, @Nullable String> before = new LinkedHashMap<>();
        for (String key : keys) {
            String text = attachments.get(PREFIX + key);
            if (text != null) {
                before.put(key, value(key));
                set(key, Names.escaped(text));
            }
        }
        return before.isEmpty() ? Scope.NONE : () -> before.forEach(this::set);
    }

    private @Nullable String value(String key) {
        try {
            return (String) get.invokeExact(key);
        } catch (Throwable e) { // of the logging library
            throw new IllegalStateException(MDC + ".get: " + e, e);
        }
    }

    private void set(String key, @Nullable String text) {
        try {
            if (text == null) {
                remove.invokeExact(key);
            } else {
                put.invokeExact(key, text);
            }
        } catch (Throwable e) { // of the logging library
            throw new IllegalStateException(MDC + ": " + e, e);
        }
    }
}
