package dev.cleave.opentelemetry;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallContext;
import dev.cleave.intercept.CallObserver;
import dev.cleave.intercept.ClientInterceptor;
import dev.cleave.intercept.IncomingCall;
import dev.cleave.intercept.OutgoingCall;
import dev.cleave.intercept.ServerInterceptor;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes a span and a duration of each call, at the caller and at the server, by OpenTelemetry's conventions for RPC
 * ({@code rpc.system.name}, {@code rpc.method}, {@code error.type}; {@code rpc.client.call.duration} and {@code
 * rpc.server.call.duration} in seconds), and lets the trace travel with the call.
 *
 * <pre>
 *   Node.connect(NodeOptions.DEFAULT.withInterceptor(new CleaveTelemetry(openTelemetry)));
 * </pre>
 *
 * <p>Or by name in the application file, with the global instance: {@code interceptors:
 * [dev.cleave.opentelemetry.CleaveTelemetry]}.
 *
 * <p>A call that the agent sends ahead is a child of the span in which the program <em>reaches</em> it, as if it had been sent
 * there, and begins when it was sent. The agent sends no call across code that changes the current span, so that span is
 * current at the send already, except for calls that are prefetched as a guess: their client span is made when the program
 * reaches them, with the time of the send as its beginning, and the span of the server is a child of the one that was current
 * at the send. A call that the program never reaches has no client span if it was a guess; else its span has {@code
 * cleave.given_up}.
 */
public final class CleaveTelemetry implements ClientInterceptor, ServerInterceptor {

    static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("rpc.system.name");
    static final AttributeKey<String> METHOD = AttributeKey.stringKey("rpc.method");
    static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
    static final AttributeKey<String> SERVICE = AttributeKey.stringKey("cleave.service");
    static final AttributeKey<Boolean> AHEAD = AttributeKey.booleanKey("cleave.sent_ahead");
    static final AttributeKey<Boolean> GIVEN_UP = AttributeKey.booleanKey("cleave.given_up");

    private static final String SCOPE = "dev.cleave";
    private static final List<Double> SECONDS =
            List.of(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0);
    private static final TextMapGetter<Map<String, String>> GETTER = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Map<String, String> texts) {
            return texts.keySet();
        }

        @Override
        public @Nullable String get(@Nullable Map<String, String> texts, String key) {
            return texts == null ? null : texts.get(key);
        }
    };

    private final Tracer tracer;
    private final TextMapPropagator propagator;
    private final DoubleHistogram clientDuration;
    private final DoubleHistogram serverDuration;

    /** Uses the instance that the process has registered ({@link GlobalOpenTelemetry}). */
    public CleaveTelemetry() {
        this(GlobalOpenTelemetry.get());
    }

    /** Uses an instance. */
    public CleaveTelemetry(OpenTelemetry telemetry) {
        tracer = requireNonNull(telemetry, "telemetry").getTracer(SCOPE);
        propagator = telemetry.getPropagators().getTextMapPropagator();
        clientDuration = duration(telemetry, "rpc.client.call.duration", "Duration of outgoing calls.");
        serverDuration = duration(telemetry, "rpc.server.call.duration", "Duration of incoming calls.");
    }

    private static DoubleHistogram duration(OpenTelemetry telemetry, String name, String what) {
        return telemetry
                .getMeter(SCOPE)
                .histogramBuilder(name)
                .setUnit("s")
                .setDescription(what)
                .setExplicitBucketBoundariesAdvice(SECONDS)
                .build();
    }

    @Override
    public boolean allowsPrefetch() {
        return true;
    }

    @Override
    public CallObserver sends(OutgoingCall call) {
        Sent sent = new Sent(call);
        if (!call.isPrefetched()) {
            sent.begin(Context.current());
        }
        propagator.inject(sent.context(), call, (carrier, key, text) -> requireNonNull(carrier)
                .attach(key, text));
        return sent;
    }

    /** One call on its way. Used by the threads of the program that send, await or discard it. */
    private final class Sent implements CallObserver {

        private final String service;
        private final String name;
        private final boolean isAhead;
        private final Instant sentAt = Instant.now();
        private final long sentNanos = System.nanoTime();
        private volatile @Nullable Span span;

        Sent(OutgoingCall call) {
            service = call.service();
            name = name(call.method());
            isAhead = call.isAhead();
        }

        void begin(Context parent) {
            span = tracer.spanBuilder(name)
                    .setSpanKind(SpanKind.CLIENT)
                    .setParent(parent)
                    .setStartTimestamp(sentAt)
                    .setAttribute(SYSTEM, "cleave")
                    .setAttribute(METHOD, name)
                    .setAttribute(SERVICE, service)
                    .setAttribute(AHEAD, isAhead)
                    .startSpan();
        }

        /** What travels with the call. */
        Context context() {
            Span known = span;
            return known == null ? Context.current() : Context.current().with(known);
        }

        @Override
        public void reached() {
            if (span == null) {
                begin(Context.current());
            }
        }

        @Override
        public void ended(@Nullable Object result, @Nullable Throwable failure) {
            Span known = span;
            if (known != null) {
                end(known, failure);
            }
            clientDuration.record(seconds(sentNanos), attributes(name, failure));
        }

        @Override
        public void givenUp() {
            Span known = span;
            if (known != null) {
                known.setAttribute(GIVEN_UP, true).end();
            }
        }
    }

    @Override
    public void intercept(IncomingCall call) throws Throwable {
        CallContext context = call.context();
        String name = name(context.method());
        long began = System.nanoTime();
        Span span = tracer.spanBuilder(name)
                .setSpanKind(SpanKind.SERVER)
                .setParent(propagator.extract(Context.root(), context.attachments(), GETTER))
                .setAttribute(SYSTEM, "cleave")
                .setAttribute(METHOD, name)
                .setAttribute(SERVICE, context.service())
                .startSpan();
        try (Scope current = span.makeCurrent()) {
            requireNonNull(current, "scope");
            Object result = call.proceed();
            if (result instanceof CompletionStage<?> stage) {
                stage.whenComplete((value, thrown) -> served(span, name, began, cause(thrown)));
            } else {
                served(span, name, began, null);
            }
        } catch (Throwable e) { // what the method throws may be anything
            served(span, name, began, e);
            throw e;
        }
    }

    private void served(Span span, String name, long began, @Nullable Throwable failure) {
        end(span, failure);
        serverDuration.record(seconds(began), attributes(name, failure));
    }

    private static @Nullable Throwable cause(@Nullable Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    private static void end(Span span, @Nullable Throwable failure) {
        if (failure != null) {
            span.setStatus(StatusCode.ERROR);
            span.setAttribute(ERROR, failure.getClass().getName());
            span.recordException(failure);
        }
        span.end();
    }

    private static String name(Method method) {
        return method.getDeclaringClass().getName() + '/' + method.getName();
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    private static Attributes attributes(String name, @Nullable Throwable failure) {
        AttributesBuilder all = Attributes.builder().put(SYSTEM, "cleave").put(METHOD, name);
        if (failure != null) {
            all.put(ERROR, failure.getClass().getName());
        }
        return all.build();
    }
}
