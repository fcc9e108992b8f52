package dev.cleave.broker.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Reads the samples of large arguments from a server's flight recording. */
public final class RecordedRun {

    /** The event of the core. */
    static final String EVENT = "dev.cleave.LargeArgument";

    private RecordedRun() {}

    /**
     * Reads a recording.
     *
     * @throws IOException if it cannot be read
     */
    public static List<Sample> read(Path file) throws IOException {
        List<Sample> samples = new ArrayList<>();
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                RecordedEvent event = recording.readEvent();
                if (event.getEventType().getName().equals(EVENT)) {
                    samples.add(sample(event));
                }
            }
        }
        return samples;
    }

    static Sample sample(RecordedEvent event) {
        return new Sample(
                event.getString("service"),
                event.getString("method"),
                event.getString("parameter"),
                event.getBoolean("later"),
                event.getLong("bytes"),
                event.getLong("transfer"),
                event.getLong("firstWait"),
                event.getLong("waited"),
                event.getLong("running"));
    }
}
