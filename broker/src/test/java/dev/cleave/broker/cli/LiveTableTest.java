package dev.cleave.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.admin.AdminServer;
import dev.cleave.metrics.MetricValue;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tables of {@code cleave up}. */
@Tag("one-jdk")
class LiveTableTest {

    private static final long SECOND = 1_000_000_000L;

    private static List<AdminFigures.Figure> server(int calls, double seconds, double span, int queued) {
        return AdminFigures.parsed("""
                # HELP cleave_service_calls_total Calls that have run.
                cleave_server_queued_calls %d
                cleave_service_calls_total{service="compare"} %d
                cleave_service_method_seconds_total{service="compare"} %s
                cleave_service_span_seconds_total{service="compare"} %s
                cleave_service_seconds{quantile="0.5",service="compare"} 0.00192
                cleave_service_seconds{quantile="0.99",service="compare"} 0.131
                """.formatted(queued, calls, seconds, span));
    }

    private static List<AdminFigures.Figure> client(double ahead, double blocked, int sent) {
        return AdminFigures.parsed("""
                cleave_client_pending_calls 64
                cleave_sites_sends_total %d
                cleave_sites_blocked_seconds_total %s
                cleave_sites_overlapped_seconds_total %s
                """.formatted(sent, blocked, ahead));
    }

    private static Map<String, List<AdminFigures.Figure>> both(
            List<AdminFigures.Figure> server, List<AdminFigures.Figure> client) {
        Map<String, List<AdminFigures.Figure>> both = new LinkedHashMap<>();
        both.put("bugs", server);
        both.put("client", client);
        return both;
    }

    @Test
    void aTableIsAboutTheTimeSinceTheLastOne() {
        LiveTable table = new LiveTable();

        assertThat(table.since(both(server(100, 0.5, 1, 0), client(1, 1, 100)), SECOND))
                .isEmpty();
        assertThat(table.since(both(server(1_600, 1.9, 3, 12), client(2.5, 1.5, 1_600)), 3 * SECOND))
                .containsExactly(
                        "process  service                calls/s  queue  p50 ms  p99 ms  busy  overlap",
                        "bugs     compare                    750     12    1.92     131  70 %        -",
                        "client   (calls that it makes)      750     64       -       -     -     75 %",
                        "all services: 750 calls/s");
    }

    @Test
    void aReplicaThatWasStartedAgainCountsFromTheBeginning() {
        LiveTable table = new LiveTable();
        table.since(Map.of("bugs", server(5_000, 9, 9, 0)), SECOND);

        assertThat(table.since(Map.of("bugs", server(40, 0.1, 1, 0)), 2 * SECOND))
                .element(1)
                .asString()
                .startsWith("bugs     compare     40.0 ");
    }

    @Test
    void theOverheadIsThePartOfTheTimeInWhichNoMethodRan() {
        Map<String, List<AdminFigures.Figure>> all = new LinkedHashMap<>();
        all.put("bugs", server(200, 0.9, 1, 0));
        all.put("harvey", server(100, 1.5, 2, 0));

        assertThat(LiveTable.ofRun(all))
                .containsExactly(
                        "process  service  calls  mean ms  p50 ms  p99 ms  overhead",
                        "bugs     compare    200     4.50    1.92     131      10 %",
                        "harvey   compare    100     15.0    1.92     131      25 %",
                        "overhead: 20 % of the time from the first call to the end of the last no method ran (mean of the replicas)");
        assertThat(LiveTable.ofRun(Map.of("bugs", server(0, 0, 0, 0)))).isEmpty();
    }

    @Test
    void aProcessThatIsTooBusyToAnswerIsAskedAgainAndOneThatHasEndedIsNot(@TempDir Path folder) throws IOException {
        AdminFigures figures = AdminFigures.of(folder);
        Path named;
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            named = Files.createFile(folder.resolve("ports").resolve("7-" + silent.getLocalPort()));

            assertThat(figures.read()).isEmpty();
            assertThat(named).exists();
        }
        assertThat(figures.read()).isEmpty();
        assertThat(named).doesNotExist();
    }

    @Test
    void theFiguresOfAProcessAreReadAtThePortThatItNames(@TempDir Path folder) throws IOException {
        AdminFigures figures = AdminFigures.of(folder);
        System.setProperty(AdminServer.TOLD_PROPERTY, folder.resolve("ports").toString());
        try (AdminServer told = AdminServer.start(
                null,
                0,
                AdminServer.Subject.of(
                        () -> true, () -> true, () -> List.of(MetricValue.gauge("cleave.ready", "Ready.", 1))))) {
            assertThat(told.port()).isPositive();
            assertThat(figures.read())
                    .containsExactly(Map.entry(
                            ProcessHandle.current().pid(),
                            List.of(new AdminFigures.Figure("cleave_ready", Map.of(), 1))));
        } finally {
            System.clearProperty(AdminServer.TOLD_PROPERTY);
        }
    }

    @Test
    void linesStandAboveTheTableWhichIsReplaced() {
        StringWriter out = new StringWriter();
        Console console = new Console(new PrintWriter(out, true), true, false);

        console.table(List.of("head", "row", "sum"));
        console.say("bugs", "line");
        console.typed();
        console.table(List.of());

        assertThat(out.toString())
                .isEqualTo("\u001b[?7l\nhead\nrow\nsum\n\u001b[?7h" + "\u001b[4A\r\u001b[J" + "bugs | line\n"
                        + "\u001b[?7l\nhead\nrow\nsum\n\u001b[?7h" + "\u001b[5A\r\u001b[J");
    }
}
