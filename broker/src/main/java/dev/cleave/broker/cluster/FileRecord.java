package dev.cleave.broker.cluster;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.store.ClusterStore;

/**
 * The record of the application file that all brokers apply.
 *
 * <pre>
 *   u8 format | u64 number | u32 length | UTF-8 text
 * </pre>
 *
 * @param number greater than those of all files before, also where the store has gone back to an old snapshot
 * @param text the file with what it includes, as one YAML document
 */
record FileRecord(long number, String text) {

    /** The most bytes of a text. */
    static final int MOST_BYTES = ClusterStore.MOST_BYTES - 1 - Long.BYTES - Integer.BYTES;

    FileRecord {
        requireNonNull(text, "text");
    }

    static FileRecord read(byte[] value) throws RecordException {
        RecordBytes in = RecordBytes.read(value);
        FileRecord read = new FileRecord(in.bits64(), in.text(MOST_BYTES));
        in.end();
        return read;
    }

    byte[] write() {
        return RecordBytes.write(out -> {
            out.writeLong(number);
            RecordBytes.text(out, text);
        });
    }
}
