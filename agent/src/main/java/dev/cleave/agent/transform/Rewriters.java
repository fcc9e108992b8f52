package dev.cleave.agent.transform;

import java.lang.ref.SoftReference;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one idle rewriter for each class loader while there is memory for it. A thread takes the rewriter out while it
 * uses it; a second thread then gets a new one and does not wait, as both may hold locks of class loading. Safe for use
 * by any thread.
 */
final class Rewriters {

    /** A rewriter that has read more callers than this is dropped after use: it bounds the memory for each loader. */
    private static final int MOST_CALLERS = 1_000;

    private final Function<@Nullable ClassLoader, ClassRewriter> making;
    private final Map<@Nullable ClassLoader, SoftReference<ClassRewriter>> idle =
            new WeakHashMap<>(); // guarded by itself
    private long age; // guarded by idle

    /**
     * Knows none so far.
     *
     * @param making makes a rewriter, which must not refer to the loader
     */
    Rewriters(Function<@Nullable ClassLoader, ClassRewriter> making) {
        this.making = making;
    }

    /** Rewrites a class of a loader. */
    Rewritten rewrite(@Nullable ClassLoader loader, byte[] classFile) {
        ClassRewriter rewriter;
        long begun;
        synchronized (idle) {
            SoftReference<ClassRewriter> kept = idle.remove(loader);
            rewriter = kept == null ? null : kept.get();
            begun = age;
        }
        if (rewriter == null) {
            rewriter = making.apply(loader);
        }
        Rewritten rewritten = rewriter.rewrite(classFile);
        synchronized (idle) {
            if (age == begun && rewriter.callersKept() <= MOST_CALLERS) {
                idle.put(loader, new SoftReference<>(rewriter));
            }
        }
        return rewritten;
    }

    /** Forgets all rewriters, because class files have changed. */
    void forget() {
        synchronized (idle) {
            idle.clear();
            age++;
        }
    }
}
