package dev.cleave.broker.advice;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * What one run of a client has recorded: the calls that servers ran for it, and the times in which it was blocked. All processes
 * are on one machine, so their clocks are the same.
 *
 * @param served the calls at the servers
 * @param waited the waits of the client
 */
public record Trace(List<Served> served, List<Waited> waited) {

    /** The options of a recording of nothing but these events. */
    public static final String EVENTS = "settings=none,+dev.cleave.Served#enabled=true,+dev.cleave.Waited#enabled=true";

    /** Copies its components. */
    public Trace {
        served = List.copyOf(served);
        waited = List.copyOf(waited);
    }

    /**
     * Reads the recordings of a client and of its servers.
     *
     * @param client the client's recording
     * @param servers those of the servers, by the name of the replica; they may have served other clients before and after
     * @throws IOException if a recording cannot be read
     */
    public static Trace read(Path client, Map<String, Path> servers) throws IOException {
        List<Waited> waited = new ArrayList<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(client)) {
            if (event.getEventType().getName().equals("dev.cleave.Waited")) {
                waited.add(new Waited(event.getString("call"), nanos(event.getStartTime()), nanos(event.getEndTime())));
            }
        }
        List<Served> served = new ArrayList<>();
        for (Map.Entry<String, Path> server : servers.entrySet()) {
            for (RecordedEvent event : RecordingFile.readAllEvents(server.getValue())) {
                if (event.getEventType().getName().equals("dev.cleave.Served")) {
                    long began = nanos(event.getStartTime());
                    served.add(new Served(
                            server.getKey(),
                            event.getString("service") + "." + event.getString("method"),
                            began - event.getLong("queued"),
                            began,
                            nanos(event.getEndTime()),
                            event.getLong("processor")));
                }
            }
        }
        return new Trace(served, waited);
    }

    /** The part of this trace in a time: that of one run of a client. */
    public Trace within(Instant from, Instant to) {
        return new Trace(
                served.stream()
                        .filter(each -> each.arrived() >= nanos(from) && each.ended() <= nanos(to))
                        .toList(),
                waited);
    }

    private static long nanos(Instant at) {
        return at.getEpochSecond() * 1_000_000_000L + at.getNano();
    }

    /** Whether the client made a call. */
    public boolean isEmpty() {
        return served.isEmpty();
    }

    /** The first moment of the first call. */
    public long began() {
        return LongStream.concat(
                        served.stream().mapToLong(Served::arrived),
                        waited.stream().mapToLong(Waited::began))
                .min()
                .orElse(0);
    }

    /** The last moment of the last call. */
    public long ended() {
        return LongStream.concat(
                        served.stream().mapToLong(Served::ended),
                        waited.stream().mapToLong(Waited::ended))
                .max()
                .orElse(0);
    }

    /** The seconds from the first call to the end of the last. */
    public double seconds() {
        return (ended() - began()) / 1e9;
    }

    /** The mean time for which a call waited at its server, in seconds. */
    public double meanQueued() {
        return served.stream().mapToDouble(Served::queued).average().orElse(0);
    }

    /** The mean time for which a method ran, in seconds. */
    public double meanRunning() {
        return served.stream().mapToDouble(Served::running).average().orElse(0);
    }
}
