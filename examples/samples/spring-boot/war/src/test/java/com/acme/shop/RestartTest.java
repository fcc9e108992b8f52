package com.acme.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The application in class loaders that come and go: a WAR in a Tomcat that has the agent, deployed twice, and restarted by
 * devtools. It serves and calls, each time with one node.
 */
@Timeout(300)
class RestartTest {

    private static final Duration START = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
    private Node asking;
    private Process process;

    @BeforeEach
    void connect() {
        asking = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()));
    }

    @AfterEach
    void close() {
        if (process != null) {
            process.destroyForcibly();
        }
        asking.close();
        broker.close();
    }

    @Test
    void aWarInTomcatIsPipelinedAndMayBeDeployedAgain() throws Exception {
        Path home = Path.of(System.getProperty("sample.tomcat"));
        for (String each : List.of("conf", "logs", "temp", "webapps", "work")) {
            Files.createDirectories(folder.resolve(each));
        }
        try (Stream<Path> files = Files.list(home.resolve("conf"))) {
            for (Path file : files.toList()) {
                String text = Files.readString(file)
                        .replace("Server port=\"8005\"", "Server port=\"-1\"")
                        .replace("Connector port=\"8080\"", "Connector port=\"0\"");
                Files.writeString(folder.resolve("conf").resolve(file.getFileName()), text);
            }
        }
        Path war = folder.resolve("webapps/ROOT.war");
        Files.copy(Path.of(System.getProperty("sample.war")), war);
        start(
                "-Dcatalina.home=" + home,
                "-Dcatalina.base=" + folder,
                "-Djava.io.tmpdir=" + folder.resolve("temp"),
                "-Dlogging.level.org.apache.coyote.http11.Http11NioProtocol=INFO", // says the port
                "-Dspring.profiles.active=shop,warehouse",
                "-Dcleave.broker=" + broker.endpoint(),
                "-cp",
                home.resolve("bin/bootstrap.jar") + ":" + home.resolve("bin/tomcat-juli.jar"),
                "org.apache.catalina.startup.Bootstrap",
                "start");
        int port = port("Starting ProtocolHandler .*-auto-1-(\\d+)");
        assertThat(get(port)).isEqualTo("13005");
        String first = replica();

        Path next = folder.resolve("next.war");
        Files.copy(war, next);
        Files.move(next, war, StandardCopyOption.REPLACE_EXISTING); // newer: Tomcat deploys it again
        await().atMost(START).until(() -> lines("Deployment of web application archive .* has finished") == 2);

        assertThat(get(port)).isEqualTo("13005");
        assertThat(replica()).isNotEqualTo(first);
        ends();
        assertThat(log()).doesNotContain("appears to have started a thread", "ThreadLocal with key of type");
    }

    @Test
    void devtoolsRestartsTheApplicationWithOneNode() throws Exception {
        Path classes = folder.resolve("classes");
        try (Stream<Path> files = Files.walk(Path.of(System.getProperty("sample.classes")))) {
            for (Path file : files.toList()) {
                Files.copy(
                        file,
                        classes.resolve(
                                Path.of(System.getProperty("sample.classes")).relativize(file)));
            }
        }
        String others = Stream.of(System.getProperty("java.class.path").split(":"))
                .filter(path -> path.endsWith(".jar"))
                .reduce("", (all, path) -> all + ":" + path);
        start(
                "-cp",
                classes + others,
                ShopApplication.class.getName(),
                "--spring.profiles.active=shop,warehouse",
                "--spring.devtools.restart.trigger-file=.reload",
                "--spring.devtools.restart.poll-interval=200ms",
                "--spring.devtools.restart.quiet-period=100ms",
                "--spring.devtools.livereload.enabled=false",
                "--server.port=0",
                "--cleave.broker=" + broker.endpoint());
        int port = port("Tomcat started on port (\\d+)");
        assertThat(get(port)).isEqualTo("13005");
        String first = replica();

        Files.setLastModifiedTime(
                classes.resolve("com/acme/shop/Prices.class"), FileTime.fromMillis(0)); // as if compiled again
        Files.writeString(classes.resolve(".reload"), "now");
        await().atMost(START).until(() -> lines("Started Shop") == 2);

        assertThat(get(port("Tomcat started on port (\\d+)"))).isEqualTo("13005");
        assertThat(replica()).isNotEqualTo(first);
        ends();
    }

    /** The name of the only replica. */
    private String replica() {
        await().atMost(START).until(() -> replicas().size() == 1);
        return replicas().get(0);
    }

    private List<String> replicas() {
        return asking.list().stream()
                .filter(service -> service.name().equals("inventory"))
                .flatMap(service -> service.replicas().stream())
                .map(String::valueOf)
                .toList();
    }

    /** Ends the process by SIGTERM: its node leaves, and the report has the calls of both class loaders. */
    private void ends() throws Exception {
        process.destroy();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(replicas()).isEmpty();
        String said = Files.readString(folder.resolve("report.json"));
        assertThat(said).containsPattern("\"total\",[^}]*\"pipelined\"");
        List<Integer> sent = Pattern.compile("Prices.total\",[^}]*\"sent\": (\\d+)")
                .matcher(said)
                .results()
                .map(found -> Integer.parseInt(found.group(1)))
                .toList();
        assertThat(sent.stream().mapToInt(each -> each).sum()).as(said).isEqualTo(180);
    }

    private void start(String... words) throws IOException {
        process = new ProcessBuilder(Stream.concat(
                                Stream.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-XX:TieredStopAtLevel=1",
                                        "-Xmx384m",
                                        "-javaagent:" + System.getProperty("cleave.agent") + "=report="
                                                + folder.resolve("report.json")),
                                Stream.of(words))
                        .toList())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    /** The number of lines of the log that are like this. */
    private long lines(String line) throws IOException {
        return Pattern.compile(line).matcher(log()).results().count();
    }

    /** The port in the last line of the log that is like this. */
    private int port(String line) throws IOException {
        await().atMost(START).until(() -> Pattern.compile(line).matcher(log()).find());
        return Pattern.compile(line)
                .matcher(log())
                .results()
                .reduce((earlier, later) -> later)
                .map(found -> Integer.parseInt(found.group(1)))
                .orElseThrow();
    }

    private static String get(int port) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/total/90"))
                .timeout(START)
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
