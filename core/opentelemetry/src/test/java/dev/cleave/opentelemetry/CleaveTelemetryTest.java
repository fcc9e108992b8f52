package dev.cleave.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.Async;
import dev.cleave.Pure;
import dev.cleave.Remote;
import dev.cleave.call.Encoded;
import dev.cleave.call.Handle;
import dev.cleave.call.Stub;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.FakeBroker;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;

@Timeout(180)
@SuppressWarnings("try") // scopes are there to be closed
class CleaveTelemetryTest {

    private static final String NAME = Adder.class.getName();

    /** Adds. */
    @Remote
    public interface Adder {

        int add(int a, int b);

        @Async
        int addAhead(int a, int b);

        @Pure
        int addPurely(int a, int b);

        int addThere(int a, int b);

        int fail(String why);

        String user();
    }

    private static final class RealAdder implements Adder {

        private Adder there;

        @Override
        public int add(int a, int b) {
            return a + b;
        }

        @Override
        public int addAhead(int a, int b) {
            return a + b;
        }

        @Override
        public int addPurely(int a, int b) {
            return a + b;
        }

        @Override
        public int addThere(int a, int b) {
            return there.add(a, b);
        }

        @Override
        public int fail(String why) {
            throw new IllegalStateException(why);
        }

        @Override
        public String user() {
            return MDC.get("user") + " " + MDC.get("secret");
        }
    }

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final InMemoryMetricReader metrics = InMemoryMetricReader.create();
    private final OpenTelemetrySdk telemetry = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(spans))
                    .build())
            .setMeterProvider(
                    SdkMeterProvider.builder().registerMetricReader(metrics).build())
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build();
    private final Tracer tracer = telemetry.getTracer("test");
    private Adder adder;

    @BeforeEach
    void connect() {
        NettyTransport transport = NettyTransport.create();
        open.push(transport);
        FakeBroker broker = FakeBroker.start(transport, Endpoint.tcp("localhost", 0));
        open.push(broker);
        NodeOptions options = NodeOptions.DEFAULT
                .withBroker(broker.endpoint())
                .withTransport(transport)
                .withBindings(Bindings.parse("mdc: [user]", "cleave.yaml")) // @EffectOf("mdc")
                .withInterceptor(new CleaveTelemetry(telemetry));
        Node server = Node.connect(options.withName("server"));
        open.push(server);
        RealAdder served = new RealAdder();
        server.bind("adder", served);
        Node client = Node.connect(options.withName("client"));
        open.push(client);
        served.there = server.lookup("adder", Adder.class);
        adder = client.lookup("adder", Adder.class);
    }

    @AfterEach
    void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        telemetry.close();
        MDC.clear();
    }

    private List<SpanData> ended(int count) {
        await().until(() -> spans.getFinishedSpanItems().size() >= count);
        assertThat(spans.getFinishedSpanItems()).hasSize(count);
        return spans.getFinishedSpanItems();
    }

    private SpanData span(SpanKind kind, String method) {
        return spans.getFinishedSpanItems().stream()
                .filter(span -> span.getKind() == kind && span.getName().equals(NAME + "/" + method))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aCallIsASpanAtTheCallerAndOneBelowItAtTheServer() {
        Span outer = tracer.spanBuilder("outer").startSpan();
        try (Scope scope = outer.makeCurrent()) {
            assertThat(adder.addThere(1, 2)).isEqualTo(3);
        }
        outer.end();

        List<SpanData> all = ended(5);
        SpanData client = span(SpanKind.CLIENT, "addThere");
        SpanData server = span(SpanKind.SERVER, "addThere");
        SpanData inner = span(SpanKind.CLIENT, "add");
        assertThat(all).allMatch(span -> span.getTraceId()
                .equals(outer.getSpanContext().getTraceId()));
        assertThat(client.getParentSpanId()).isEqualTo(outer.getSpanContext().getSpanId());
        assertThat(server.getParentSpanId()).isEqualTo(client.getSpanId());
        assertThat(inner.getParentSpanId()).isEqualTo(server.getSpanId());
        assertThat(span(SpanKind.SERVER, "add").getParentSpanId()).isEqualTo(inner.getSpanId());
        assertThat(client.getAttributes().get(CleaveTelemetry.SYSTEM)).isEqualTo("cleave");
        assertThat(client.getAttributes().get(CleaveTelemetry.METHOD)).isEqualTo(NAME + "/addThere");
        assertThat(server.getAttributes().get(CleaveTelemetry.SERVICE)).isEqualTo("adder");
    }

    @Test
    void anExceptionIsTheErrorOfBothSpansAndOfTheMetrics() {
        assertThatThrownBy(() -> adder.fail("planned")).isInstanceOf(IllegalStateException.class);
        ended(2);

        for (SpanKind kind : List.of(SpanKind.CLIENT, SpanKind.SERVER)) {
            SpanData span = span(kind, "fail");
            assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
            assertThat(span.getAttributes().get(CleaveTelemetry.ERROR)).isEqualTo("java.lang.IllegalStateException");
        }
        assertThat(metrics.collectAllMetrics())
                .filteredOn(metric -> metric.getName().startsWith("rpc."))
                .extracting(MetricData::getName, MetricData::getUnit)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple("rpc.client.call.duration", "s"),
                        org.assertj.core.groups.Tuple.tuple("rpc.server.call.duration", "s"));
    }

    @Test
    void aCallSentAheadBelongsToTheSpanInWhichItIsReached() throws Throwable {
        Span outer = tracer.spanBuilder("outer").startSpan();
        Handle reached;
        Handle left;
        try (Scope scope = outer.makeCurrent()) {
            reached = (Handle) adder.getClass()
                    .getMethod("addAhead" + Stub.SEND_SUFFIX, int.class, int.class)
                    .invoke(adder, 1, 2);
            left = (Handle) adder.getClass()
                    .getMethod("addAhead" + Stub.SEND_SUFFIX, int.class, int.class)
                    .invoke(adder, 3, 4);
            assertThat(reached.awaitInt()).isEqualTo(3);
            left.discard();
        }
        outer.end();

        List<SpanData> all = ended(spans.getFinishedSpanItems().size());
        assertThat(all.stream().filter(span -> span.getKind() == SpanKind.CLIENT))
                .hasSize(2)
                .allMatch(span ->
                        span.getParentSpanId().equals(outer.getSpanContext().getSpanId()))
                .allMatch(span -> Boolean.TRUE.equals(span.getAttributes().get(CleaveTelemetry.AHEAD)))
                .filteredOn(span -> Boolean.TRUE.equals(span.getAttributes().get(CleaveTelemetry.GIVEN_UP)))
                .hasSize(1);
    }

    @Test
    void aPrefetchedCallBelongsToTheSpanInWhichItIsReachedThoughAnotherWasCurrentAtTheSend() throws Throwable {
        Span before = tracer.spanBuilder("before").startSpan();
        Span outer = tracer.spanBuilder("outer").startSpan();
        Handle reached;
        try (Scope scope = before.makeCurrent()) {
            reached = encode(1, 2).send();
            encode(3, 4).send().discard();
        }
        try (Scope scope = outer.makeCurrent()) {
            assertThat(reached.awaitInt()).isEqualTo(3);
        }
        outer.end();
        before.end();

        await().until(() -> spans.getFinishedSpanItems().size() >= 4);
        List<SpanData> clients = spans.getFinishedSpanItems().stream()
                .filter(span -> span.getKind() == SpanKind.CLIENT)
                .toList();
        assertThat(clients).as("none of the guess that was wrong").hasSize(1);
        assertThat(clients.get(0).getParentSpanId())
                .isEqualTo(outer.getSpanContext().getSpanId());
        assertThat(clients.get(0).getStartEpochNanos())
                .as("begins when it was sent")
                .isLessThan(spans.getFinishedSpanItems().stream()
                        .filter(span -> span.getName().equals("outer"))
                        .findFirst()
                        .orElseThrow()
                        .getEndEpochNanos());
    }

    private Encoded encode(int a, int b) throws Throwable {
        return (Encoded) adder.getClass()
                .getMethod("addPurely" + Stub.ENCODE_SUFFIX, int.class, int.class)
                .invoke(adder, a, b);
    }

    @Test
    void chosenKeysOfTheLoggingContextTravelAndNoOthers() {
        MDC.put("user", "eve\nadmin");
        MDC.put("secret", "hidden");
        assertThat(adder.user()).isEqualTo("eve\\u000aadmin null");
        MDC.remove("user");
        assertThat(adder.user())
                .as("nothing is left on the thread of the server")
                .isEqualTo("null null");
    }
}
