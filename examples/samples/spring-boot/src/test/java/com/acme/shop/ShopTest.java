package com.acme.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.transport.Endpoint;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The application as users run it: a jar of jars with the agent, which serves and calls. */
@Tag("full") // NestedJarsTest of the agent runs a fat jar, StarterTest drains applications
@Timeout(120)
class ShopTest {

    private static final Duration START = Duration.ofSeconds(60);
    private static final Pattern PORT = Pattern.compile("on port (\\d+)");
    /** The row of the loop in the table of the run: calls sent, and the most that were in flight together. */
    private static final Pattern ROW = Pattern.compile(" Inventory\\.price +(\\d+) .* (\\d+)\\s*$", Pattern.MULTILINE);

    private static final Pattern PRICED = Pattern.compile(".*\\[total of 200\\].*price of \\d+");

    @TempDir
    Path folder;

    private Process process;

    @AfterEach
    void kill() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    /** One request waits in the web server and one call in the node, one of the other, when SIGTERM comes. */
    @Test
    void aFatJarIsPipelinedAndDrained() throws Exception {
        assertThat(netty()).as("no pin: the Netty of Spring Boot").startsWith(System.getProperty("sample.netty"));
        Path report = folder.resolve("report.txt");
        try (Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)))) {
            start(broker, report);
            int port = port();

            assertThat(get(port, "/total/200")).isEqualTo("39900");
            assertThat(get(port, "/actuator/health")).contains("\"cleave\":{", "\"broker\":\"connected\"");
            assertThat(get(port, "/actuator/metrics/cleave.sites.sent")).contains("\"value\":200");

            assertThat(log().lines().filter(PRICED.asMatchPredicate()))
                    .as("calls, with the MDC of their request")
                    .hasSize(200);

            FutureTask<String> counting = new FutureTask<>(() -> get(port, "/stocktaking"));
            new Thread(counting, "counts").start();
            await().atMost(START).until(() -> log().contains("stocktaking begins, 19 minutes left")); // cleave.yaml
            process.destroy(); // SIGTERM
            assertThat(counting.get(60, TimeUnit.SECONDS)).isEqualTo("42");
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(log()).containsSubsequence("stocktaking begins", "stocktaking ends", "the warehouse closes");
        String said = Files.readString(report);
        assertThat(said).contains("Prices.total", "pipelined");
        Matcher row = ROW.matcher(said.substring(said.indexOf("in this run")));
        assertThat(row.find()).as(said).isTrue();
        assertThat(row.group(1)).isEqualTo("200");
        assertThat(Integer.parseInt(row.group(2))).as(said).isGreaterThan(8);
    }

    private static String netty() throws Exception {
        try (JarFile file = new JarFile(System.getProperty("sample.jar"))) {
            return file.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.startsWith("BOOT-INF/lib/netty-common-"))
                    .map(name -> name.substring("BOOT-INF/lib/netty-common-".length()))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private void start(Broker broker, Path report) throws Exception {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                        "-javaagent:" + System.getProperty("cleave.agent") + "=report=" + report,
                        "-jar",
                        System.getProperty("sample.jar"),
                        "--spring.profiles.active=shop,warehouse",
                        "--server.port=0",
                        "--logging.level.com.acme=debug",
                        "--cleave.broker=" + broker.endpoint())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    private String log() throws Exception {
        return Files.readString(folder.resolve("log"));
    }

    private int port() throws Exception {
        await().atMost(START).untilAsserted(() -> assertThat(log()).contains("Started ShopApplication"));
        Matcher found = PORT.matcher(log());
        assertThat(found.find()).isTrue();
        return Integer.parseInt(found.group(1));
    }

    private static String get(int port, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .timeout(START)
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        return response.body();
    }
}
