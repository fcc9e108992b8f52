package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.Remote;
import dev.cleave.admin.AdminServer;
import dev.cleave.metrics.MetricValue;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What operators are told at the admin port. */
@Tag("one-jdk")
@Timeout(180)
class AdminTest extends NodesUnderTest {

    /** Waits. */
    @Remote
    public interface Gate {

        int pass(int number);
    }

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    @Override
    Transport transport() {
        return NettyTransport.create();
    }

    @Override
    Endpoint door() {
        return Endpoint.tcp("localhost", 0);
    }

    private HttpResponse<String> ask(int port, String path) {
        try {
            return http.send(
                    HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                            .timeout(Duration.ofSeconds(10))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private int status(Node node, String path) {
        return ask(node.adminPort(), path).statusCode();
    }

    @Test
    void aServerIsReadyWhenItIsRegisteredAndNotWhileItLeaves() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch opens = new CountDownLatch(1);
        Node server = node(NodeOptions.DEFAULT.withName("server").withAdmin(0));
        assertThat(status(server, "/ready")).isEqualTo(503);
        assertThat(status(server, "/live")).isEqualTo(200);
        server.bind("gate", (Gate) number -> {
            inside.countDown();
            try {
                opens.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return number;
        });
        assertThat(status(server, "/ready")).isEqualTo(200);
        client = node(NodeOptions.DEFAULT.withName("client").withAdmin(0));
        assertThat(client.isReady()).isFalse();
        Gate gate = client.lookup("gate", Gate.class);
        assertThat(client.isReady()).isTrue();
        dev.cleave.Pending<Integer> call = dev.cleave.Cleave.async(() -> gate.pass(7));
        inside.await();

        Thread leaving = new Thread(server::drain);
        leaving.start();
        await().until(() -> status(server, "/ready") == 503);
        assertThat(status(server, "/live")).isEqualTo(200);
        opens.countDown();

        assertThat(call.await()).isEqualTo(7);
        leaving.join();
        assertThat(server.isReady()).isFalse();
    }

    @Test
    void aNodeIsNotReadyWithoutItsBroker() {
        Node server = node(NodeOptions.DEFAULT.withName("server").withAdmin(0));
        server.bind("gate", (Gate) number -> number);
        assertThat(status(server, "/ready")).isEqualTo(200);

        broker.close();

        await().until(() -> status(server, "/ready") == 503);
        assertThat(status(server, "/live")).isEqualTo(200);
        assertThat(ask(server.adminPort(), "/metrics").body()).contains("cleave_broker_connected 0\n");
    }

    @Test
    void timesOfAServiceCountFromTheArrivalOfACallToItsAnswer() {
        Node server = node(NodeOptions.DEFAULT.withName("server").withCapacity(1, 8));
        CountDownLatch opens = new CountDownLatch(1);
        server.bind("gate", (Gate) number -> {
            if (number == 1) {
                try {
                    opens.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            return number;
        });
        client = node(NodeOptions.DEFAULT);
        Gate gate = client.lookup("gate", Gate.class);
        dev.cleave.Pending<Integer> first = dev.cleave.Cleave.async(() -> gate.pass(1));
        await().until(() -> value(server, "cleave.server.running.calls", "") == 1);
        long began = System.nanoTime();
        dev.cleave.Pending<Integer> second = dev.cleave.Cleave.async(() -> gate.pass(2));
        await().until(() -> value(server, "cleave.server.queued.calls", "") == 1);
        await().until(() -> System.nanoTime() - began > 50_000_000);
        opens.countDown();
        assertThat(first.await() + second.await()).isEqualTo(3);

        assertThat(value(server, "cleave.service.calls", "")).isEqualTo(2);
        double methods = value(server, "cleave.service.method.seconds", "");
        assertThat(value(server, "cleave.service.span.seconds", "")).isGreaterThanOrEqualTo(methods);
        assertThat(value(server, "cleave.service.seconds", "0.5")).isPositive();
        assertThat(value(server, "cleave.service.seconds", "0.99")).isGreaterThan(0.04);
    }

    private static double value(Node node, String name, String quantile) {
        return node.metrics().stream()
                .filter(each -> each.name().equals(name)
                        && (quantile.isEmpty() || each.tags().containsValue(quantile)))
                .findFirst()
                .orElseThrow()
                .value();
    }

    @Test
    void metricsAreInTheTextFormatOfPrometheus() {
        Node server =
                node(NodeOptions.DEFAULT.withName("server").withCapacity(3, 8).withAdmin(0));
        server.bind("gate", (Gate) number -> number);
        client = node(NodeOptions.DEFAULT);
        assertThat(client.lookup("gate", Gate.class).pass(1)).isEqualTo(1);

        HttpResponse<String> answer = ask(server.adminPort(), "/metrics");

        assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/plain; version=0.0.4; charset=utf-8");
        assertThat(answer.body())
                .contains("# TYPE cleave_ready gauge\ncleave_ready 1\n")
                .contains("# TYPE cleave_server_calls_total counter\ncleave_server_calls_total 1\n")
                .contains("cleave_server_workers 3\n")
                .contains("cleave_services 1\n")
                .contains("cleave_service_calls_total{service=\"gate\"} 1\n")
                .contains("cleave_service_seconds{quantile=\"0.99\",service=\"gate\"} ");
        assertThat(answer.body().lines().filter(line -> !line.startsWith("#")))
                .allMatch(line ->
                        line.matches("[a-z_]+(\\{[a-z_]+=\"[^\"]*\"(,[a-z_]+=\"[^\"]*\")*})? -?[0-9.]+(E-?[0-9]+)?"));
        assertThat(server.metrics()).extracting(MetricValue::name).contains("cleave.server.queued.calls");
    }

    @Test
    void eachNodeIsAnMBeanIfToldSoAndNoneOtherwise() throws Exception {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        Node unseen = node(NodeOptions.DEFAULT.withName("unseen"));
        assertThat(beans.queryNames(new ObjectName("dev.cleave:type=Node,*"), null))
                .isEmpty();
        System.setProperty("cleave.jmx", "true");
        try {
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch opens = new CountDownLatch(1);
            Node server = node(NodeOptions.DEFAULT.withName("a server, or two").withCapacity(1, 8));
            NodeMXBean bean = JMX.newMXBeanProxy(
                    beans,
                    new ObjectName("dev.cleave:type=Node,name=" + ObjectName.quote(server.name())),
                    NodeMXBean.class);
            assertThat(bean.isReady()).isFalse();
            server.bind("gate", (Gate) number -> {
                inside.countDown();
                try {
                    opens.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                return number;
            });
            client = node(NodeOptions.DEFAULT.withName("client"));
            NodeMXBean ofClient =
                    JMX.newMXBeanProxy(beans, new ObjectName("dev.cleave:type=Node,name=\"client\""), NodeMXBean.class);
            Gate gate = client.lookup("gate", Gate.class);
            dev.cleave.Pending<Integer> first = dev.cleave.Cleave.async(() -> gate.pass(1));
            inside.await();
            dev.cleave.Pending<Integer> second = dev.cleave.Cleave.async(() -> gate.pass(2));

            await().until(() -> bean.getQueuedCalls() == 1);
            assertThat(bean.isReady()).isTrue();
            assertThat(bean.getServices()).containsExactly("gate");
            assertThat(bean.getRunningCalls()).isEqualTo(1);
            assertThat(bean.getWorkers()).isEqualTo(1);
            assertThat(bean.getOldestMillis()).isNotNegative();
            assertThat(ofClient.getPendingCalls()).isEqualTo(2);
            assertThat(ofClient.getServices()).isEmpty();

            opens.countDown();
            assertThat(first.await() + second.await()).isEqualTo(3);
            await().until(() -> bean.getRunningCalls() == 0 && ofClient.getPendingCalls() == 0);
            server.close();
            assertThat(beans.queryNames(new ObjectName("dev.cleave:type=Node,*"), null))
                    .hasSize(1);
        } finally {
            System.clearProperty("cleave.jmx");
        }
        client.close();
        assertThat(beans.queryNames(new ObjectName("dev.cleave:type=Node,*"), null))
                .isEmpty();
        assertThat(unseen.isReady()).isFalse();
    }

    @Test
    void otherQuestionsAreRefusedAndSlowOnesDoNotKeepOthersWaiting() throws IOException {
        Node server = node(NodeOptions.DEFAULT.withAdmin(0));
        assertThat(ask(server.adminPort(), "/").statusCode()).isEqualTo(404);

        List<Socket> mute = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            mute.add(new Socket(InetAddress.getLoopbackAddress(), server.adminPort()));
        }
        assertThat(status(server, "/live")).isEqualTo(200);
        for (Socket each : mute) {
            try (each) {
                each.setSoTimeout(20_000);
                assertThat(each.getInputStream().read())
                        .as("closed without an answer")
                        .isNegative();
            }
        }
        try (Socket posts = new Socket(InetAddress.getLoopbackAddress(), server.adminPort())) {
            posts.getOutputStream().write("POST /live HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            InputStream in = posts.getInputStream();
            assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII)).startsWith("HTTP/1.1 405 ");
        }
    }

    @Test
    void aNodeHasNoAdminPortUnlessToldAndOneThatIsTakenIsNamed() {
        assertThat(node(NodeOptions.DEFAULT).adminPort()).isZero();
        Node first = node(NodeOptions.DEFAULT.withAdmin(0));

        assertThatThrownBy(() -> node(NodeOptions.DEFAULT.withAdmin(first.adminPort())))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("admin port: localhost:" + first.adminPort());
        assertThat(ask(first.adminPort(), "/live").statusCode()).isEqualTo(200);
        int port = first.adminPort();
        first.close();
        // Another process may listen at the port by now, but none of them speaks HTTP.
        assertThatThrownBy(() -> ask(port, "/live")).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void whatThrowsAnswersNothingAndTheNextQuestionIsAnswered() throws IOException {
        try (AdminServer server = AdminServer.start(
                null,
                0,
                AdminServer.Subject.of(
                        () -> {
                            throw new IllegalStateException("planned");
                        },
                        () -> true,
                        List::of))) {
            for (int i = 0; i < 8; i++) {
                assertThatThrownBy(() -> ask(server.port(), "/ready")).isInstanceOf(UncheckedIOException.class);
            }
            assertThat(ask(server.port(), "/live").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void peersThatDoNotReadDoNotKeepOthersWaiting() throws IOException {
        String large = "x".repeat(8 << 20); // more than the kernel takes
        List<Socket> mute = new ArrayList<>();
        try (AdminServer server = AdminServer.start(
                null,
                0,
                AdminServer.Subject.of(() -> true, () -> true, () -> List.of(MetricValue.gauge("large", large, 1))))) {
            for (int i = 0; i < 5; i++) { // one more than the threads that answer
                Socket each = new Socket();
                mute.add(each);
                each.setReceiveBufferSize(4 << 10);
                each.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
                each.getOutputStream().write("GET /metrics HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            }

            assertThat(ask(server.port(), "/live").statusCode()).isEqualTo(200);
        } finally {
            for (Socket each : mute) {
                each.close();
            }
        }
    }
}
