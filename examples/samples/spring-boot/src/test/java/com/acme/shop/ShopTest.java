package com.acme.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The application as users run it: a jar of jars, two processes, the agent attached to the shop. */
@Timeout(120)
class ShopTest {

    private static final Duration START = Duration.ofSeconds(60);
    private static final Pattern PORT = Pattern.compile("on port (\\d+)");

    @TempDir
    Path folder;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void kill() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    void aFatJarIsPipelinedAndDrained() throws Exception {
        Path jar = Path.of(System.getProperty("sample.jar"));
        assertThat(netty(jar)).as("no pin: the Netty of Spring Boot").startsWith(System.getProperty("sample.netty"));
        try (Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
                Node node = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()))) {
            Path report = folder.resolve("report.json");
            Process shop = start(
                    "shop",
                    broker,
                    List.of("-javaagent:" + System.getProperty("cleave.agent") + "=report=" + report),
                    "--server.port=0");
            Process warehouse = start("warehouse", broker, List.of(), "--spring.main.web-application-type=none"); // behind its client
            int port = port();

            assertThat(get(port, "/total/200")).isEqualTo("39900");
            assertThat(get(port, "/actuator/health"))
                    .contains("\"cleave\":{", "\"broker\":\"connected\"")
                    .startsWith("{");
            assertThat(get(port, "/actuator/metrics/cleave.sites.sent")).contains("\"value\":200");

            FutureTask<Integer> counting = new FutureTask<>(node.lookup("inventory", Inventory.class)::stocktaking);
            new Thread(counting, "counts").start();
            await().atMost(START).until(() -> log("warehouse").contains("stocktaking begins"));
            warehouse.destroy(); // SIGTERM
            assertThat(counting.get(30, TimeUnit.SECONDS)).isEqualTo(42);
            assertThat(warehouse.waitFor(30, TimeUnit.SECONDS)).isTrue();

            shop.destroy();
            assertThat(shop.waitFor(30, TimeUnit.SECONDS)).isTrue();
            String said = Files.readString(report);
            assertThat(said).contains("Prices.total", "pipelined");
            assertThat(mostInFlight(said)).as(said).isGreaterThan(8);
        }
    }

    private static String netty(Path jar) throws Exception {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.startsWith("BOOT-INF/lib/netty-common-"))
                    .map(name -> name.substring("BOOT-INF/lib/netty-common-".length()))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private Process start(String role, Broker broker, List<String> options, String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m"));
        words.addAll(options);
        words.addAll(List.of(
                "-jar",
                System.getProperty("sample.jar"),
                "--spring.profiles.active=" + role,
                "--cleave.broker=" + broker.endpoint()));
        words.addAll(List.of(arguments));
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(role).toFile())
                .start();
        processes.add(process);
        return process;
    }

    private String log(String role) throws Exception {
        return Files.readString(folder.resolve(role));
    }

    private int port() {
        await().atMost(START).untilAsserted(() -> assertThat(log("shop")).contains("Started ShopApplication"));
        try {
            Matcher found = PORT.matcher(log("shop"));
            assertThat(found.find()).isTrue();
            return Integer.parseInt(found.group(1));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String get(int port, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .timeout(START)
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        return response.body();
    }

    private static int mostInFlight(String report) {
        Matcher found = Pattern.compile("\"in_flight\"\\s*:\\s*(\\d+)").matcher(report);
        return found.results()
                .mapToInt(each -> Integer.parseInt(each.group(1)))
                .max()
                .orElse(0);
    }
}
