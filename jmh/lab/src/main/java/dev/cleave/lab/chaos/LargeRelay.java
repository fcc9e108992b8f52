package dev.cleave.lab.chaos;

import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.broker.process.Member;
import dev.cleave.broker.process.ProcessException;
import dev.cleave.lab.history.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An argument that is larger than the memory of the broker which relays it, to a receiver that is slower than its sender. */
final class LargeRelay {

    private static final int BROKER_MIB = 256;
    private static final int MOST_MIB = BROKER_MIB + 256; // what a JVM takes beside its heap
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration MOST = Duration.ofMinutes(5);

    private LargeRelay() {}

    /** Sends an argument of {@code mib} MiB, and returns the row with the result. */
    static Row run(Path directory, int mib) throws IOException {
        Row row = new Row("F-T01", mib + " MiB by a broker of " + BROKER_MIB + " MiB", 0, 0);
        row.injected();
        try (Fleet fleet = Fleet.open(Files.createDirectories(directory), death -> {})) {
            String heap = BROKER_MIB + "m";
            Member broker =
                    launch(fleet, "patient-broker", List.of("-Xmx" + heap, "-XX:MaxDirectMemorySize=" + heap), "0");
            String url = "cleave://localhost:" + ready(broker);
            List<String> room = List.of("-Xmx" + (mib + 512) + "m");
            String unused = ready(launch(fleet, "sink", room, url, Integer.toString(mib)));
            Member sender = launch(fleet, "sender", room, url, Integer.toString(mib));
            String told = sender.awaitLine(ChaosHost.SENT, MOST).substring(ChaosHost.SENT.length());
            row.add(Outcome.of(0, false, null, 0, 0, Long.parseLong(told) * 1_000_000), true);
            long peak = peakMib(broker);
            row.note("broker's peak " + (peak < 0 ? "unknown" : peak + " MiB"));
            if (peak > MOST_MIB || !broker.isAlive()) {
                row.broke();
            }
        } catch (ProcessException e) {
            row.broke();
            row.note(String.valueOf(e.getMessage()));
        }
        return row;
    }

    /** The most memory that a process has had so far; -1 where the system does not say. */
    private static long peakMib(Member member) throws IOException {
        Path status = Path.of("/proc", Long.toString(member.pid()), "status");
        if (!Files.isReadable(status)) {
            return -1;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 10)
                .findFirst()
                .orElse(-1);
    }

    private static Member launch(Fleet fleet, String what, List<String> memory, String... args) {
        List<String> all = new ArrayList<>(List.of(what));
        all.addAll(List.of(args));
        List<String> options = new ArrayList<>(memory);
        options.add("-Dcleave.samehost=tcp");
        return fleet.start(new JvmCommand(what, options, ChaosHost.class.getName(), all), line -> {});
    }

    private static String ready(Member member) {
        return member.awaitLine(ChaosHost.READY, START).substring(ChaosHost.READY.length());
    }
}
