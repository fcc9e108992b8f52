package dev.cleave.transport.netty;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.transport.netty.SentDatagrams.Sent;
import dev.cleave.wire.Datagrams;
import dev.cleave.wire.Checksum;
import dev.cleave.wire.Header;
import dev.cleave.wire.Resent;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Datagrams beside the stream of a connection: they carry small frames, and the stream carries all others.
 *
 * <pre>
 *   u64 key | u64 number | u64 after | u64 came | u8 flags | frames | u32 checksum
 *   number: from 1; 0 of one without frames      flags: bit 0 answer me, bit 1 this is the answer
 *   after:  frames of the stream written before  came: all datagrams of the other side up to this number have come
 * </pre>
 *
 * <h2>Once and in order</h2>
 *
 * A receiver handles the frames of a datagram when all datagrams before it, and as many frames of the stream as it says, have
 * been handled. A sender that writes a frame to the stream while datagrams are under way writes those to the stream
 * first ({@link Resent}): so no frame in the stream has to wait. A datagram that arrives twice is recognised by its
 * number. A connection thus gives the same guarantees as without datagrams, whatever happens to them.
 *
 * <h2>One each way</h2>
 *
 * The datagram with a reply also acknowledges the request. Only if no datagram is sent for {@value #ACK_MILLIS} ms a
 * separate one acknowledges.
 *
 * <h2>Where no datagram comes through</h2>
 *
 * All frames take the stream until the other side has answered a first datagram, and again after a datagram was sent
 * {@value SentDatagrams#MOST_TRIES} times in vain; from then on the sender tries every {@value #TRY_MILLIS} ms whether
 * datagrams get through.
 *
 * <p>The lock of this object guards the sending side; the receiving side and the timers belong to the event loop of the
 * connection.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a void promise tells the pipeline of failures; timers end with the loop
final class DatagramPath {

    private static final int HEAD = 4 * Long.BYTES + 1;
    private static final int LEAST = HEAD + Checksum.LENGTH;
    private static final int ANSWER_ME = 1;
    private static final int ANSWER = 2;
    private static final long ACK_MILLIS = 2;
    private static final long FIRST_TRY_MILLIS = 20;
    private static final long TRY_MILLIS = 5_000;

    private final Channel stream;
    private final long key;
    private final DatagramFaults faults;
    private final ReceivedDatagrams received;
    private final Runnable broken;
    private @Nullable Channel channel; // event loop only; null until the other side's port is known
    private boolean reads = true; // event loop only
    private boolean acks; // event loop only: a timer runs
    private boolean checks; // event loop only: a timer runs
    private long acked; // event loop only: the number that was acknowledged last
    private long pause = FIRST_TRY_MILLIS; // event loop only

    @GuardedBy("this")
    private final SentDatagrams sent;

    @GuardedBy("this")
    private long streamed; // frames written to the stream

    @GuardedBy("this")
    private boolean open; // whether datagrams get through

    @GuardedBy("this")
    private boolean closed;

    /**
     * Creates a path on which no datagram can be sent yet.
     *
     * @param stream the channel of the connection
     * @param key known to both sides
     * @param sink takes the frames that have arrived
     * @param broken called when no datagram gets through, to {@linkplain #moveTo move} the unacknowledged frames to the
     * stream
     */
    DatagramPath(Channel stream, long key, DatagramFaults faults, Predicate<ByteBuf> sink, Runnable broken) {
        this.broken = broken;
        this.stream = stream;
        this.key = key;
        this.faults = faults;
        received = new ReceivedDatagrams(sink);
        sent = new SentDatagrams(stream.alloc());
    }

    /**
     * Takes over a frame and writes it to a datagram or to the stream; returns the number of bytes that wait for the
     * stream.
     */
    synchronized long write(ByteBuf frame, Outbox outbox) {
        if (open && streamed > 0 && sent.take(frame, streamed)) {
            return 0;
        }
        moveTo(outbox);
        streamed++;
        return outbox.add(frame);
    }

    /**
     * Tells the other side, in the stream, the port for datagrams to this side; the frames of the stream are counted
     * from now on.
     */
    synchronized void announce(int port, Outbox outbox) {
        outbox.add(new Datagrams(key, port).write(stream.alloc()));
        streamed = 0;
    }

    /** Moves all unacknowledged frames to the stream, which also takes all frames from now on. */
    synchronized void close(Outbox outbox) {
        moveTo(outbox);
        open = false;
        closed = true;
    }

    /** Releases everything after the stream has ended. Event loop only. */
    void dispose() {
        synchronized (this) {
            open = false;
            closed = true;
            sent.takeAll(each -> {});
        }
        received.close();
        Channel known = channel;
        channel = null;
        if (known != null) {
            known.close();
        }
    }

    /** Whether datagrams got through when last tried. */
    synchronized boolean isOpen() {
        return open;
    }

    /** Says whether a datagram has the key of this connection; other datagrams do not come from the other side. */
    boolean hasKey(long other) {
        return key == other;
    }

    /** Sets the socket for datagrams to the other side. Event loop only. */
    void connected(Channel to) {
        channel = to;
        tryOut();
    }

    /** Begins to count the frames of the stream, as the other side does. Event loop only. */
    void beginCount() {
        received.beginCount();
    }

    /**
     * Counts a frame of the stream that has been handled; says whether frames of datagrams have now been handled too.
     * Event loop only.
     */
    boolean streamed() {
        return received.streamed();
    }

    /** Takes datagrams that arrived in the stream. Event loop only. */
    void resent(ByteBuf frame) {
        long number = Resent.read(frame).number();
        received.resent(number, frame);
    }

    /**
     * Sets whether frames are read; the other side sends datagrams again that arrive while they are not. Event loop
     * only.
     */
    void reading(boolean enabled) {
        reads = enabled;
    }

    /** Takes a datagram, which the caller still owns; says whether frames have been handled. Event loop only. */
    boolean came(ByteBuf datagram) {
        if (datagram.readableBytes() < LEAST || !isSound(datagram) || datagram.readLong() != key) {
            return false;
        }
        long number = datagram.readLong();
        long after = datagram.readLong();
        long came = datagram.readLong();
        int flags = datagram.readByte();
        synchronized (this) {
            if (came <= sent.last()) {
                sent.came(came, System.nanoTime());
            }
            open |= (flags & ANSWER) != 0 && !closed;
        }
        if ((flags & ANSWER_ME) != 0) {
            sendBare(ANSWER);
        }
        if (number == 0 || !reads) {
            return false;
        }
        if (number <= received.came()) {
            sendBare(0); // the other side has not received the acknowledgement
            return false;
        }
        boolean handled = received.came(number, after, datagram);
        acknowledgeSoon();
        return handled;
    }

    /** Takes the checksum off a datagram, and says whether it is right: one with wrong bits counts as lost. */
    private static boolean isSound(ByteBuf datagram) {
        int length = datagram.readableBytes() - Checksum.LENGTH;
        int end = datagram.readerIndex() + length;
        datagram.writerIndex(end);
        return datagram.capacity() >= end + Checksum.LENGTH
                && datagram.getInt(end) == Checksum.of(datagram, datagram.readerIndex(), length);
    }

    /** Sends the datagrams that were written. Event loop only. */
    void send() {
        Channel to = channel;
        if (to == null) {
            return;
        }
        synchronized (this) {
            if (sent.isEmpty()) {
                return;
            }
            sent.send(System.nanoTime(), each -> send(to, each, 0));
        }
        to.flush();
        checkLater();
    }

    private void send(Channel to, Sent it, int flags) {
        ByteBuf datagram = to.alloc().buffer(LEAST + it.frames().readableBytes());
        head(datagram, it.number(), it.after(), flags);
        datagram.writeBytes(it.frames(), it.frames().readerIndex(), it.frames().readableBytes());
        end(datagram);
        faults.send(datagram, each -> to.write(each, to.voidPromise()));
    }

    private void sendBare(int flags) {
        Channel to = channel;
        if (to != null) {
            ByteBuf datagram = to.alloc().buffer(LEAST);
            head(datagram, 0, 0, flags);
            end(datagram);
            faults.send(datagram, each -> to.write(each, to.voidPromise()));
            to.flush();
        }
    }

    private void head(ByteBuf datagram, long number, long after, int flags) {
        acked = received.came();
        datagram.writeLong(key)
                .writeLong(number)
                .writeLong(after)
                .writeLong(acked)
                .writeByte(flags);
    }

    private static void end(ByteBuf datagram) {
        datagram.writeInt(Checksum.of(datagram, datagram.readerIndex(), datagram.readableBytes()));
    }

    private void acknowledgeSoon() {
        if (!acks) {
            acks = true;
            stream.eventLoop().schedule(this::acknowledge, ACK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void acknowledge() {
        acks = false;
        if (acked < received.came()) {
            sendBare(0);
        }
    }

    private void checkLater() {
        if (!checks) {
            checks = true;
            long nanos;
            synchronized (this) {
                nanos = sent.patience();
            }
            stream.eventLoop().schedule(this::check, nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Sends again the datagrams that have been unacknowledged for too long. */
    private void check() {
        checks = false;
        Channel to = channel;
        if (to == null) {
            return;
        }
        boolean isBroken;
        boolean more;
        synchronized (this) {
            isBroken = sent.sendAgain(System.nanoTime(), each -> send(to, each, 0));
            open &= !isBroken;
            more = !sent.isEmpty();
        }
        to.flush();
        if (isBroken) {
            broken.run();
            pause = TRY_MILLIS;
            stream.eventLoop().schedule(this::tryOut, pause, TimeUnit.MILLISECONDS);
        } else if (more) {
            checkLater();
        }
    }

    /** Moves all unacknowledged frames to the stream. */
    synchronized void moveTo(Outbox outbox) {
        sent.takeAll(each -> {
            ByteBuf frame = new Resent(each.number())
                    .begin(stream.alloc(), each.frames().readableBytes());
            frame.writeBytes(each.frames());
            Header.finish(frame);
            outbox.add(frame);
        });
    }

    /** Sends datagrams that ask for an answer until one has arrived. */
    private void tryOut() {
        if (channel == null || isOpen()) {
            return;
        }
        synchronized (this) {
            if (closed) {
                return;
            }
        }
        sendBare(ANSWER_ME);
        stream.eventLoop().schedule(this::tryOut, pause, TimeUnit.MILLISECONDS);
        pause = Math.min(TRY_MILLIS, 2 * pause);
    }
}
