package dev.cleave.broker.cluster;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.store.ClusterStore;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.Key;
import dev.cleave.broker.store.StoreException;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.metrics.Refusals;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The application file that all brokers of a cluster apply, with its limits and rights: the last one that an operator gave to
 * one of them. Until there is one, each broker applies its own.
 *
 * <p>While the store does not answer, each broker applies the last file that it knows. A file that a broker is given meanwhile
 * holds there at once. The broker writes it when the store answers, unless the store has another file by then, which goes before
 * it.
 *
 * <p>A file has a number, so that brokers notice when the store has gone back to an earlier one; then they write the later one
 * again. Registry's thread only.
 */
final class SharedFile {

    static final Key KEY = Key.of("settings", "file");

    /** Answers an operator whose file is in the store. */
    static final String SHARED = "shared with all brokers";

    /** Answers an operator whose file cannot be written now. */
    static final String LATER = "known at this broker alone until the store answers";

    private static final System.Logger LOG = SafeLog.of(SharedFile.class);
    private static final int MOST_ATTEMPTS = 16;

    private final ClusterStore store;
    private final ClusterThreads threads;
    private final Consumer<String> taker;
    private @Nullable Known known;
    private @Nullable Wanted wanted;
    private @Nullable String applied;
    private boolean isWriting;

    /** The file that the store has. */
    private record Known(Entry entry, FileRecord record) {}

    /**
     * A file that is to be written.
     *
     * @param least its number is at least this
     * @param version that of the entry that it may replace, 0 for none
     * @param goesFirst whether it may replace any entry
     * @param asker receives the outcome, after {@link #LATER} a second time
     */
    private record Wanted(String text, long least, long version, boolean goesFirst, Consumer<String> asker) {}

    /**
     * Creates the part of a broker that knows no file.
     *
     * @param taker applies the text of a file
     */
    SharedFile(ClusterStore store, ClusterThreads threads, Consumer<String> taker) {
        this.store = requireNonNull(store, "store");
        this.threads = requireNonNull(threads, "threads");
        this.taker = requireNonNull(taker, "taker");
    }

    /**
     * Shares a file that this broker has applied.
     *
     * @param isConnected whether the store answers
     * @param asker receives the outcome in words, and a second time after {@link #LATER}
     */
    void share(String text, boolean isConnected, Consumer<String> asker) {
        applied = text;
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > FileRecord.MOST_BYTES) {
            asker.accept("not shared: " + bytes + " bytes (expected: at most " + FileRecord.MOST_BYTES + ")");
            return;
        }
        Known now = known;
        want(new Wanted(
                text,
                now == null ? 1 : now.record.number() + 1,
                now == null ? 0 : now.entry.version(),
                isConnected,
                asker));
        if (!isConnected) {
            asker.accept(LATER);
        }
    }

    /** Writes what could not be written before. To be called about once a second. */
    void onInterval() {
        Wanted own = wanted;
        if (own != null && !isWriting) {
            write(own);
        }
    }

    /**
     * Takes the file that the store has.
     *
     * @throws RecordException if it is none
     */
    void put(Entry entry) throws RecordException {
        FileRecord record = FileRecord.read(entry.value());
        if (known == null || known.entry.version() < entry.version()) {
            know(entry, record);
        }
    }

    /** Handles that an operator has removed the file from the store: each broker goes on with the one that it has. */
    void removed(long version) {
        if (known != null && known.entry.version() <= version) {
            known = null;
        }
    }

    /** Handles that the store has this file, or none, and writes the known one again if that is a later one. */
    void isAll(@Nullable Entry entry) {
        Known last = known;
        FileRecord record = entry == null ? null : read(entry);
        if (last != null && (record == null || record.number() < last.record.number())) {
            known = null;
            want(new Wanted(
                    last.record.text(),
                    last.record.number() + 1,
                    entry == null ? 0 : entry.version(),
                    false,
                    outcome -> {}));
            LOG.log(System.Logger.Level.WARNING, "the store has lost the file of the cluster: it is written again");
        } else if (entry != null && record != null && (last == null || last.entry.version() != entry.version())) {
            know(entry, record);
        }
    }

    private void know(Entry entry, FileRecord record) {
        known = new Known(entry, record);
        if (wanted == null && !record.text().equals(applied)) {
            applied = record.text();
            taker.accept(record.text());
        }
    }

    private void want(Wanted next) {
        wanted = next;
        if (!isWriting) {
            write(next);
        }
    }

    private void write(Wanted own) {
        isWriting = true;
        boolean isTaken = threads.onStore("share the file", () -> {
            Entry there = null;
            try {
                there = write(own, store);
            } finally {
                Entry now = there;
                threads.onRegistry(() -> written(own, now));
            }
        });
        isWriting &= isTaken;
    }

    /** Returns the entry that the store has now: of this file, or of another one that goes before it. */
    private static @Nullable Entry write(Wanted own, ClusterStore store) {
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            Entry before = store.get(KEY).orElse(null);
            FileRecord there = before == null ? null : read(before);
            long version = before == null ? 0 : before.version();
            boolean isEnough = there != null && there.text().equals(own.text);
            boolean goesBehind = there != null && !own.goesFirst && version != own.version;
            if (isEnough || goesBehind) {
                return before;
            }
            long number = there == null ? own.least : Math.max(own.least, there.number() + 1);
            try {
                return store.put(KEY, new FileRecord(number, own.text).write(), before);
            } catch (StoreException.Conflict e) {
                continue; // another broker wrote in between: look again
            }
        }
        return null;
    }

    private void written(Wanted own, @Nullable Entry now) {
        isWriting = false;
        FileRecord record = now == null ? null : read(now);
        if (wanted != own) {
            onInterval(); // a later one was wanted meanwhile
        } else if (now == null || record == null) {
            own.asker.accept(LATER);
        } else {
            wanted = null;
            boolean isOwn = record.text().equals(own.text);
            own.asker.accept(isOwn ? SHARED : "another file was shared meanwhile, and holds");
            if (!isOwn) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "the store has another file of the cluster than this broker: it holds");
            }
            if (known == null || known.entry.version() < now.version()) {
                know(now, record);
            } else if (!known.record.text().equals(applied)) {
                know(known.entry, known.record); // told while this one was written
            }
        }
    }

    private static @Nullable FileRecord read(Entry entry) {
        try {
            return FileRecord.read(entry.value());
        } catch (RecordException e) {
            Refusals.count("cluster.record");
            LOG.log(System.Logger.Level.WARNING, "{0} in the store is no record: {1}", KEY, e.getMessage());
            return null;
        }
    }

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
}
