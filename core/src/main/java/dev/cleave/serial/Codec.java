package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException.CallSite;
import dev.cleave.Later;
import dev.cleave.stream.Block;
import dev.cleave.stream.StreamedValue;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the values of one remote interface.
 *
 * <p>Thread-safe. Every failure becomes a {@link SerialException}.
 */
public final class Codec {

    private static final Declared EXCEPTION = Declared.of(Throwable.class, Throwable.class, "exception");

    private final TypePolicy policy;
    private final Numbers numbers;
    private final Passing passing;
    private final ConcurrentLinkedDeque<KryoSession> idle = new ConcurrentLinkedDeque<>();

    /** Creates the codec of the types that {@code policy} allows, written under a node's {@code numbers}. */
    public Codec(TypePolicy policy, Numbers numbers) {
        this(policy, numbers, Passing.NONE);
    }

    /** Creates a codec that writes references to objects that stay in their node. */
    public Codec(TypePolicy policy, Numbers numbers, Passing passing) {
        this.policy = requireNonNull(policy, "policy");
        this.numbers = requireNonNull(numbers, "numbers");
        this.passing = requireNonNull(passing, "passing");
    }

    /** Creates a writer that appends to {@code target}, which the caller still owns. */
    public ValueWriter writer(ByteBuf target) {
        return new ValueWriter(this, target, ValueWriter.Mode.WHOLE);
    }

    /** Creates a writer that appends small values to {@code target}, and gives out large ones as blocks. */
    public ValueWriter blockWriter(ByteBuf target) {
        return new ValueWriter(this, target, ValueWriter.Mode.BLOCKS);
    }

    /**
     * Creates a writer that runs no code of the program and takes no lock: it refuses values whose writing might, such
     * as exceptions and views of other collections.
     */
    public ValueWriter quietWriter(ByteBuf target) {
        return new ValueWriter(this, target, ValueWriter.Mode.QUIET);
    }

    /** Creates a reader of {@code source} from its reader index on; the caller still owns the buffer. */
    public ValueReader reader(ByteBuf source, AnnouncedNames names) {
        return reader(source, names, ReceivedBlocks.none());
    }

    /** Creates a reader of {@code source} and blocks. */
    public ValueReader reader(ByteBuf source, AnnouncedNames names, ReceivedBlocks blocks) {
        return new ValueReader(this, source, names, blocks);
    }

    /**
     * Appends an exception: as itself if it is allowed and can be written, else as class name, message and stack.
     *
     * @return the highest type number used, or -1
     */
    public int writeThrown(Throwable thrown, ByteBuf target) {
        ObjectFormat format = policy.format();
        if (format != null) {
            FormattedException.write(format, policy, passing, thrown, target);
            return -1;
        }
        KryoSession session = acquire();
        try {
            try {
                session.withoutReferences();
                EncodedException.write(session, session.kryo, session.output, thrown);
            } catch (RuntimeException | Error e) { // user code: fields and accessors of the exception
                session.clear();
                EncodedException.writeText(session.output, thrown);
            }
            target.writeBytes(session.output.getBuffer(), 0, session.output.position());
            return session.highest();
        } finally {
            release(session);
        }
    }

    /** Reads an exception, which takes the rest of {@code source}, until a time is over. */
    public Throwable readThrown(ByteBuf source, AnnouncedNames names, CallSite site, TimeLimit limit) {
        ObjectFormat format = policy.format();
        if (format != null) {
            return FormattedException.read(format, policy, passing, names, source, site);
        }
        KryoSession session = acquire();
        try {
            byte[] bytes = new byte[source.readableBytes()];
            source.readBytes(bytes);
            session.read(bytes, names, ReceivedBlocks.none());
            session.input.work().until(limit);
            session.site(site);
            Throwable read = EncodedException.readWhole(session, session.kryo, session.input, EXCEPTION);
            if (read == null) {
                throw SerialException.malformed("no exception (expected: one)");
            }
            return read;
        } catch (RuntimeException | Error e) { // user code: constructors, equals, hashCode
            throw SerialException.of(e, SerialException.Reason.MALFORMED, "exception not readable");
        } finally {
            release(session);
        }
    }

    /** The streamed value for which a placeholder stands, within {@code within} others. */
    @SuppressWarnings("NullAway") // it does not see that the type of the value may be null
    Later.Value<?> streamed(
            Placeholder placeholder,
            ReceivedBlocks blocks,
            AnnouncedNames names,
            int within,
            Declared declared,
            TimeLimit limit) {
        byte[] bytes = placeholder.bytes();
        return bytes == null
                ? following(blocks.takeValue(placeholder.number()), names, within, declared)
                : Later.Value.of(readAlone(bytes, names, ReceivedBlocks.none(), within, 0, declared, limit));
    }

    /** A value that follows: arrays as they are, anything else is decoded when it is complete. */
    private StreamedValue following(StreamedValue value, AnnouncedNames names, int within, Declared declared) {
        List<Block> parts = value.blocks();
        Block last = parts.get(parts.size() - 1);
        if (last.isObjects()) {
            value.decodedBy(owner -> {
                ReceivedBlocks beside = new ReceivedBlocks(parts.subList(0, parts.size() - 1), List.of());
                byte[] bytes = (byte[]) requireNonNull(last.array());
                TimeLimit limit = owner == null || owner.remainingNanos() <= 0
                        ? TimeLimit.NONE
                        : () -> owner.remainingNanos() <= 0;
                try {
                    return readAlone(bytes, names, beside, within, HashWork.BASE_WITHIN, declared, limit);
                } catch (SerialException e) {
                    throw owner == null ? e : owner.failed(e.code(), "a later value: " + e.getMessage());
                }
            });
        } else if (parts.size() > 1) {
            throw SerialException.malformed("streamed value " + value.number() + " of " + parts.size() + " arrays");
        }
        return value;
    }

    /**
     * An object that was written by itself, is within {@code within} streamed values, and may take {@code units} of
     * work.
     */
    private @Nullable Object readAlone(
            byte[] bytes,
            AnnouncedNames names,
            ReceivedBlocks blocks,
            int within,
            long units,
            Declared declared,
            TimeLimit limit) {
        KryoSession session = acquire();
        try {
            session.within(within);
            session.read(bytes, names, blocks, units);
            session.input.work().until(limit);
            Object read = session.next(declared);
            if (read instanceof Placeholder || session.input.position() < session.input.limit() || !blocks.isEmpty()) {
                throw SerialException.malformed("a streamed value that is more than one object");
            }
            return read;
        } catch (RuntimeException | Error e) { // user code: constructors, equals, hashCode
            throw SerialException.of(e, SerialException.Reason.MALFORMED, "value not readable");
        } finally {
            release(session);
        }
    }

    /** Begins to write objects in the format that the policy names; null if they are written as always. */
    ObjectFormat.@Nullable Out formatted(boolean quiet) {
        ObjectFormat format = policy.format();
        return format == null ? null : format.writer(policy, passing, quiet);
    }

    /** Reads objects in the format that the policy names. */
    ObjectFormat.In formatted(ObjectFormat format, byte[] bytes, AnnouncedNames names) {
        return format.reader(bytes, policy, passing, names);
    }

    /** The format that the policy names; null if objects are written as always. */
    @Nullable
    ObjectFormat format() {
        return policy.format();
    }

    KryoSession acquire() {
        KryoSession session = idle.pollFirst();
        return session != null ? session : new KryoSession(this, policy, numbers, passing);
    }

    void release(KryoSession session) {
        session.clear();
        idle.addFirst(session);
    }
}
