package dev.cleave.lab.chaos;

import dev.cleave.Remote;
import java.util.zip.CRC32C;

/** Takes something large. Public for generated stubs alone. */
@Remote
public interface Sink {

    /** The {@link #sum} of what has come. */
    long checksum(byte[] bytes);

    /** A checksum. */
    static long sum(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return sum.getValue();
    }
}
