package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Observation;
import dev.cleave.call.RemoteMethod;
import dev.cleave.concurrent.LendingThread;
import dev.cleave.intercept.CallObserver;
import dev.cleave.intercept.ClientInterceptor;
import dev.cleave.intercept.ContextCarrier;
import dev.cleave.intercept.Interceptors;
import dev.cleave.intercept.OutgoingCall;
import dev.cleave.wire.Attachments;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives the calls of one stub their surroundings: the settings of the stub, the context that the carriers find on the calling
 * thread, and what the interceptors add. Thread-safe.
 */
final class Around {

    /** The keys that a call of a served method takes over from the call that is served, as W3C names them. */
    private static final List<String> TRACE = List.of("traceparent", "tracestate", "baggage");

    /**
     * The settings of a stub for its calls.
     *
     * @param deadline how long a call may take; null for that of its method
     * @param attachments the texts that travel with each call
     */
    record Settings(@Nullable Duration deadline, Attachments attachments) {

        /** No settings, as of the stubs of most programs. */
        static final Settings NONE = new Settings(null, Attachments.NONE);

        Settings {
            requireNonNull(attachments, "attachments");
        }

        /** Returns these with others, where they are given. */
        Settings with(@Nullable Duration other, Map<String, String> more) {
            return new Settings(other != null ? other : deadline, attachments.and(more));
        }
    }

    private final String service;
    private final Settings settings;
    private final Interceptors interceptors;
    private final boolean isIdle;

    Around(String service, Settings settings, Interceptors interceptors) {
        this.service = requireNonNull(service, "service");
        this.settings = requireNonNull(settings, "settings");
        this.interceptors = requireNonNull(interceptors, "interceptors");
        isIdle = settings == Settings.NONE
                && interceptors.clients().isEmpty()
                && interceptors.carriers().isEmpty();
    }

    /** Whether no code of the program runs around calls. */
    boolean isWithoutCode() {
        return interceptors.clients().isEmpty() && interceptors.carriers().isEmpty();
    }

    Settings settings() {
        return settings;
    }

    /** Whether a call of the current thread has surroundings. */
    boolean isNeeded() {
        return !isIdle
                || Thread.currentThread() instanceof LendingThread server
                        && (server.until() != Long.MAX_VALUE
                                || !server.attachments().isEmpty());
    }

    /** Whether interceptors see the calls. */
    boolean hasInterceptors() {
        return !interceptors.clients().isEmpty();
    }

    /** Whether calls may be sent that the program perhaps never makes. */
    boolean allowsPrefetch() {
        return isIdle || interceptors.clients().stream().allMatch(ClientInterceptor::allowsPrefetch);
    }

    /**
     * Returns the surroundings of a call that the current thread makes, before any interceptor sees it.
     *
     * @throws IllegalArgumentException if the attachments are too many
     */
    Surroundings captured() {
        Map<String, String> served = Map.of();
        long until = Long.MAX_VALUE;
        if (Thread.currentThread() instanceof LendingThread server) {
            served = server.attachments();
            if (settings.deadline() == null) {
                until = server.until();
            }
        }
        if (isIdle && served.isEmpty()) {
            return new Surroundings(null, until, Attachments.NONE, null);
        }
        Map<String, String> texts = new LinkedHashMap<>();
        if (!served.isEmpty()) {
            for (String key : TRACE) {
                String text = served.get(key);
                if (text != null) {
                    texts.put(key, text);
                }
            }
        }
        for (ContextCarrier carrier : interceptors.carriers()) {
            carrier.capture(texts::put);
        }
        texts.putAll(settings.attachments().texts());
        return new Surroundings(settings.deadline(), until, Attachments.of(texts), null);
    }

    /** A call, as the interceptors see it. */
    private static final class Seen implements OutgoingCall {

        private final String service;
        private final RemoteMethod method;
        private final @Nullable Object[] arguments;
        private final boolean isAhead;
        private final boolean isPrefetched;
        private Attachments attachments;

        Seen(
                String service,
                RemoteMethod method,
                @Nullable Object[] arguments,
                boolean isAhead,
                boolean isPrefetched,
                Attachments attachments) {
            this.service = service;
            this.method = method;
            this.arguments = arguments;
            this.isAhead = isAhead;
            this.isPrefetched = isPrefetched;
            this.attachments = attachments;
        }

        @Override
        public String service() {
            return service;
        }

        @Override
        public Method method() {
            return method.method();
        }

        @Override
        public List<@Nullable Object> arguments() {
            return Collections.unmodifiableList(Arrays.asList(arguments));
        }

        @Override
        public boolean isAhead() {
            return isAhead;
        }

        @Override
        public boolean isPrefetched() {
            return isPrefetched;
        }

        @Override
        public void attach(String key, String text) {
            attachments = attachments.and(Map.of(key, text));
        }
    }

    /**
     * Lets the interceptors see a call, and returns what it has then.
     *
     * @param arguments none for a prefetched call
     * @throws RuntimeException the veto of an interceptor
     */
    Surroundings sends(
            RemoteMethod method, Surroundings so, @Nullable Object[] arguments, boolean isAhead, boolean isPrefetched) {
        if (interceptors.clients().isEmpty()) {
            return so;
        }
        Seen call = new Seen(service, method, arguments, isAhead, isPrefetched, so.attachments());
        List<CallObserver> observers = new ArrayList<>();
        for (ClientInterceptor each : interceptors.clients()) {
            try {
                CallObserver observer = each.sends(call);
                if (observer != null) {
                    observers.add(observer);
                }
            } catch (RuntimeException | Error veto) { // user code
                new Observation(observers, false).ended(null, veto);
                throw veto;
            }
        }
        Observation observation = observers.isEmpty() ? null : new Observation(observers, isAhead);
        return new Surroundings(so.deadline(), so.until(), call.attachments, observation);
    }
}
