package dev.cleave.call;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Kotlin's {@code suspend} methods: compiled, they have a continuation as their last parameter, whose type argument is
 * their result. Public for generated stubs and skeletons alone.
 */
public final class Suspensions {

    private static final String CONTINUATION = "kotlin.coroutines.Continuation";
    private static final String UNIT = "kotlin.Unit";

    private Suspensions() {}

    /**
     * Calls Kotlin's {@code suspend} methods. Found by {@link java.util.ServiceLoader}; the artifact {@code cleave-kotlin}
     * provides it, so that this module does not need Kotlin's library.
     */
    public interface Coroutines {

        /**
         * Returns a continuation for one call at the server. It is of Kotlin's type as well, and completes when the method
         * resumes it.
         */
        CompletableFuture<@Nullable Object> continuation();

        /**
         * Takes what a suspend method returned to the server: its result, or the mark that it resumes the continuation later.
         */
        void returned(@Nullable Object returned, CompletableFuture<@Nullable Object> continuation);

        /**
         * Returns what a suspend method of a stub returns: the result, if it has arrived, or the mark that the continuation is
         * resumed when it arrives.
         *
         * @param continuation of the caller
         * @param isUnit whether the method is declared without a result
         */
        @Nullable
        Object await(CompletableFuture<@Nullable Object> result, Object continuation, boolean isUnit);
    }

    /** Says whether a method is a suspend method. */
    static boolean isSuspending(Method method) {
        if (method.getReturnType() != Object.class) { // asked for each reply: the types of parameters are copied
            return false;
        }
        Class<?>[] types = method.getParameterTypes();
        return types.length > 0 && types[types.length - 1].getName().equals(CONTINUATION);
    }

    /** The declared result of a suspend method; that of one without a result is {@link Void}. */
    static Type result(Method method) {
        Type[] types = method.getGenericParameterTypes();
        Type result =
                types[types.length - 1] instanceof ParameterizedType p ? p.getActualTypeArguments()[0] : Object.class;
        if (result instanceof WildcardType wildcard && wildcard.getLowerBounds().length == 1) {
            result = wildcard.getLowerBounds()[0];
        }
        return result.getTypeName().equals(UNIT) ? Void.class : result;
    }

    /**
     * Checks that suspend methods can be called.
     *
     * @throws IllegalArgumentException if they cannot; the message says what to add
     */
    static void check(String label) {
        if (Provider.FOUND == null) {
            throw new IllegalArgumentException(
                    label + ": a suspend method (expected: dev.cleave:cleave-kotlin on the class path)");
        }
    }

    /** Returns a continuation for one call at the server. */
    @SuppressWarnings("FutureReturnValueIgnored") // the generated code hands it back to returned
    public static Object continuation() {
        return found().continuation();
    }

    /** Returns the future result of a call at the server. */
    @SuppressWarnings("unchecked") // made by the method above
    public static CompletionStage<@Nullable Object> returned(@Nullable Object returned, Object continuation) {
        CompletableFuture<@Nullable Object> result = (CompletableFuture<@Nullable Object>) continuation;
        found().returned(returned, result);
        return result;
    }

    /** Returns what a suspend method of a stub returns. */
    public static @Nullable Object await(
            CompletableFuture<@Nullable Object> result, Object continuation, boolean isUnit) {
        return found().await(result, continuation, isUnit);
    }

    private static Coroutines found() {
        Coroutines found = Provider.FOUND;
        if (found == null) {
            throw new IllegalStateException("no cleave-kotlin"); // the interface was refused
        }
        return found;
    }

    /** Looks for the provider when the first suspend method is met. */
    private static final class Provider {

        private static final @Nullable Coroutines FOUND = ServiceLoader.load(
                        Coroutines.class, Suspensions.class.getClassLoader())
                .findFirst()
                .orElse(null);
    }
}
