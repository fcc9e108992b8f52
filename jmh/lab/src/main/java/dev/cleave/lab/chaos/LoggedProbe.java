package dev.cleave.lab.chaos;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Writes the number of each call that begins to a file, past all buffers of this process, which may be killed at any time. */
final class LoggedProbe implements Probe {

    private final FileOutputStream log;

    LoggedProbe(Path file) throws IOException {
        log = new FileOutputStream(file.toFile(), true);
    }

    @Override
    public long again(long call) {
        return execute(call);
    }

    @Override
    public long once(long call) {
        return execute(call);
    }

    private long execute(long call) {
        try {
            log.write((call + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Probe.resultOf(call);
    }
}
