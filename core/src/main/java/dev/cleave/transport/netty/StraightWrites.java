package dev.cleave.transport.netty;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.SafeLog;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Writes buffers directly to the socket while the channel has no waiting bytes: the channel would allocate an entry for
 * each buffer, which only the event loop's own thread can reuse. Works only with Netty's native sockets. On
 * the event loop, or {@linkplain KernelWait while it waits}.
 *
 * <p>With TLS the buffers of one write, of at most the bytes of a record, are sealed into a buffer of the loop; larger ones are sealed and
 * written step by step.
 */
final class StraightWrites {

    /** The most bytes of a system call; the channel writes larger buffers. */
    static final int MOST = 2 * Outbox.LARGE_BLOCK;

    private static final int PARTS = 8; // of a system call

    private static final System.Logger LOG = SafeLog.of(StraightWrites.class);

    private final Channel channel;
    private final @Nullable Socket socket;
    private final @Nullable ByteBuf[] parts; // empty but during a write
    private boolean open; // buffers may go to the socket
    private @Nullable TlsRecords records; // seals them before; null if they go as they are
    private @Nullable ByteBuf scratch; // takes the sealed records of one write

    /**
     * Creates the writer of a channel.
     *
     * @param isPlain whether buffers may go to the socket as they are; else they wait for {@link #seal}
     */
    StraightWrites(Channel channel, boolean isPlain) {
        this.channel = requireNonNull(channel, "channel");
        open = isPlain;
        socket = channel instanceof UnixChannel unix && unix.fd() instanceof Socket own ? own : null;
        parts = new @Nullable ByteBuf[socket == null ? 0 : PARTS];
    }

    /**
     * Begins to write, with buffers sealed before. Event loop only.
     *
     * @param room takes the sealed records of one write; shared by the connections of the loop
     */
    void seal(TlsRecords sealing, ByteBuf room) {
        records = sealing;
        scratch = room;
        open = room.hasMemoryAddress();
    }

    /**
     * Gives the kernel the buffers of an outbox, with one system call for several of them. Returns true if none is left; else
     * the caller must give those in the outbox to the channel.
     */
    boolean take(Outbox from) throws SSLException {
        Socket to = socket;
        TlsRecords sealing = records;
        if (to == null || !open) {
            return from.bytes() == 0;
        }
        while (isIdle()) {
            int count = from.poll(parts, sealing == null ? MOST : TlsRecords.MOST);
            if (count == 0) {
                ByteBuf large = sealing == null ? null : from.pollAddressed();
                if (large == null) {
                    return from.bytes() == 0;
                }
                if (!sendLarge(to, large, requireNonNull(sealing), requireNonNull(scratch), from)) {
                    return false;
                }
                continue;
            }
            if (!(sealing == null ? send(to, count, from) : send(to, count, sealing, requireNonNull(scratch)))) {
                return false;
            }
        }
        return from.bytes() == 0;
    }

    /** Sends the first {@code count} parts; returns false and puts back what the kernel has not taken. */
    private boolean send(Socket to, int count, Outbox from) {
        long taken = 0;
        try {
            taken = count == 1 ? send(to, requireNonNull(parts[0])) : gather(to, count);
        } catch (IOException e) { // the channel's next write fails as well, and reports it
            LOG.log(System.Logger.Level.DEBUG, "write to {0}: {1}", channel, e.getMessage());
        }
        int done = 0;
        while (done < count && requireNonNull(parts[done]).readableBytes() <= taken) {
            ByteBuf part = requireNonNull(parts[done]);
            parts[done++] = null;
            taken -= part.readableBytes();
            part.release();
        }
        for (int i = count - 1; i >= done; i--) {
            ByteBuf rest = requireNonNull(parts[i]);
            parts[i] = null;
            if (i == done) {
                rest.skipBytes((int) taken);
            }
            from.putBack(rest);
        }
        return done == count;
    }

    /** Seals and sends the first {@code count} parts; returns false, and keeps the rest, if the kernel has not taken all. */
    private boolean send(Socket to, int count, TlsRecords sealing, ByteBuf room) throws SSLException {
        room.clear();
        try {
            for (int i = 0; i < count; i++) {
                sealing.seal(requireNonNull(parts[i]), room);
            }
        } finally {
            for (int i = 0; i < count; i++) {
                requireNonNull(parts[i]).release();
                parts[i] = null;
            }
        }
        return isTaken(to, sealing, room);
    }

    /** Seals and sends a part step by step; returns false, and puts back what is not sealed, if the kernel has not taken all. */
    private boolean sendLarge(Socket to, ByteBuf part, TlsRecords sealing, ByteBuf room, Outbox from)
            throws SSLException {
        boolean isTaken = true;
        try {
            while (isTaken && part.isReadable()) {
                room.clear();
                sealing.sealStep(part, room);
                isTaken = isTaken(to, sealing, room);
            }
        } catch (Throwable e) {
            part.release();
            throw e;
        }
        if (part.isReadable()) {
            from.putBack(part);
        } else {
            part.release();
        }
        return isTaken;
    }

    /** Gives the kernel sealed bytes; keeps what it has not taken, and returns false. */
    private boolean isTaken(Socket to, TlsRecords sealing, ByteBuf room) {
        try {
            room.skipBytes((int) send(to, room));
        } catch (IOException e) { // the channel's next write fails as well, and reports it
            LOG.log(System.Logger.Level.DEBUG, "write to {0}: {1}", channel, e.getMessage());
        }
        if (room.isReadable()) {
            sealing.keepUnsent(room, channel.alloc());
            return false;
        }
        return true;
    }

    private static long send(Socket to, ByteBuf part) throws IOException {
        return Math.max(0, to.sendAddress(part.memoryAddress(), part.readerIndex(), part.writerIndex()));
    }

    /** Writes several parts with one system call, which takes an address and a length of eight bytes for each. */
    private long gather(Socket to, int count) throws IOException {
        ByteBuf vector = channel.alloc().directBuffer(count * 2 * Long.BYTES);
        try {
            for (int i = 0; i < count; i++) {
                ByteBuf part = requireNonNull(parts[i]);
                vector.writeLongLE(part.memoryAddress() + part.readerIndex());
                vector.writeLongLE(part.readableBytes());
            }
            return Math.max(0, to.writevAddresses(vector.memoryAddress(), count));
        } finally {
            vector.release();
        }
    }

    private boolean isIdle() {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        TlsRecords sealing = records;
        return (sealing == null || !sealing.hasUnsent())
                && waiting != null
                && waiting.isEmpty()
                && waiting.totalPendingWriteBytes() == 0
                && channel.isActive();
    }
}
