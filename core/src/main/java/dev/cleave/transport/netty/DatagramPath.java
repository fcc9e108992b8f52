package dev.cleave.transport.netty;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.transport.netty.SentDatagrams.Sent;
import dev.cleave.wire.Datagrams;
import dev.cleave.wire.Header;
import dev.cleave.wire.Resent;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Datagrams beside the stream of a connection: small frames go by them, all others by the stream.
 *
 * <pre>
 *   u64 key | u64 number | u64 after | u64 came | u8 flags | frames to the end
 *   number: from 1; 0 of one without frames      flags: bit 0 answer me, bit 1 this is the answer
 *   after:  frames of the stream written before  came: all datagrams of the other side up to this number have come
 * </pre>
 *
 * <h2>Once and in order</h2>
 *
 * A receiver handles the frames of a datagram when all datagrams before it, and as many frames of the stream as it says, have
 * been handled. A sender that writes a frame to the stream while datagrams are under way writes those to the stream first
 * ({@link Resent}): so nothing in the stream has to wait. What comes twice is known by its number. A connection is thus what it
 * is without datagrams, whatever happens to them.
 *
 * <h2>One each way</h2>
 *
 * The datagram that brings a reply says that the request has come. Only if nothing is sent for {@value #ACK_MILLIS} ms a
 * datagram is sent to say so.
 *
 * <h2>Where no datagram comes through</h2>
 *
 * All takes the stream until the other side has answered a first datagram, and again when one was sent {@value
 * SentDatagrams#MOST_TRIES} times in vain; from then on it is tried every {@value #TRY_MILLIS} ms whether the way is open.
 *
 * <p>What is sent is guarded by this; what is received, and the timers, belong to the event loop of the connection.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a void promise tells the pipeline of failures; timers end with the loop
final class DatagramPath {

    private static final int HEAD = 4 * Long.BYTES + 1;
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
    private long acked; // event loop only: what the other side was told last
    private long pause = FIRST_TRY_MILLIS; // event loop only

    @GuardedBy("this")
    private final SentDatagrams sent;

    @GuardedBy("this")
    private long streamed; // frames written to the stream

    @GuardedBy("this")
    private boolean open; // datagrams come through

    @GuardedBy("this")
    private boolean closed;

    /**
     * Creates one on which nothing can be sent yet.
     *
     * @param stream the channel of the connection
     * @param key known to both sides
     * @param sink takes the frames that have come
     * @param broken called when no datagram comes through, to {@linkplain #moveTo move} what is under way
     */
    DatagramPath(Channel stream, long key, DatagramFaults faults, Predicate<ByteBuf> sink, Runnable broken) {
        this.broken = broken;
        this.stream = stream;
        this.key = key;
        this.faults = faults;
        received = new ReceivedDatagrams(sink);
        sent = new SentDatagrams(stream.alloc());
    }

    /** Writes a frame, which it takes over, to a datagram or to the stream; returns how many bytes wait for the stream. */
    synchronized long write(ByteBuf frame, Outbox outbox) {
        if (open && streamed > 0 && sent.take(frame, streamed)) {
            return 0;
        }
        moveTo(outbox);
        streamed++;
        return outbox.add(frame);
    }

    /** Says to the other side, in the stream, where datagrams for this one are to go; the frames of the stream count from now on. */
    synchronized void announce(int port, Outbox outbox) {
        outbox.add(new Datagrams(key, port).write(stream.alloc()));
        streamed = 0;
    }

    /** All that is under way goes by the stream, and whatever is written from now on. */
    synchronized void close(Outbox outbox) {
        moveTo(outbox);
        open = false;
        closed = true;
    }

    /** The stream is gone. Event loop only. */
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

    /** Whether datagrams come through, as far as is known. */
    synchronized boolean isOpen() {
        return open;
    }

    /** The other side's key; what does not have it was not sent by it. */
    boolean hasKey(long other) {
        return key == other;
    }

    /** Datagrams can be sent to the other side. Event loop only. */
    void connected(Channel to) {
        channel = to;
        tryOut();
    }

    /** The other side counts the frames of the stream from now on. Event loop only. */
    void beginCount() {
        received.beginCount();
    }

    /** A frame of the stream has been handled; says whether others now have been. Event loop only. */
    boolean streamed() {
        return received.streamed();
    }

    /** Datagrams have come in the stream. Event loop only. */
    void resent(ByteBuf frame) {
        long number = Resent.read(frame).number();
        received.resent(number, frame);
    }

    /** Whether frames are to be read; datagrams that come while they are not are sent again. Event loop only. */
    void reading(boolean enabled) {
        reads = enabled;
    }

    /** A datagram has come, which stays the caller's; says whether frames have been handled. Event loop only. */
    boolean came(ByteBuf datagram) {
        if (datagram.readableBytes() < HEAD || datagram.readLong() != key) {
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
            sendBare(0); // the other side has not heard that it came
            return false;
        }
        boolean handled = received.came(number, after, datagram);
        acknowledgeSoon();
        return handled;
    }

    /** Sends what was written. Event loop only. */
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
        ByteBuf datagram = to.alloc().buffer(HEAD + it.frames().readableBytes());
        head(datagram, it.number(), it.after(), flags);
        datagram.writeBytes(it.frames(), it.frames().readerIndex(), it.frames().readableBytes());
        faults.send(datagram, each -> to.write(each, to.voidPromise()));
    }

    private void sendBare(int flags) {
        Channel to = channel;
        if (to != null) {
            ByteBuf datagram = to.alloc().buffer(HEAD);
            head(datagram, 0, 0, flags);
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

    /** Sends again what has been under way for too long. */
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

    /** All that is under way goes by the stream. */
    synchronized void moveTo(Outbox outbox) {
        sent.takeAll(each -> {
            ByteBuf frame = new Resent(each.number())
                    .begin(stream.alloc(), each.frames().readableBytes());
            frame.writeBytes(each.frames());
            Header.finish(frame);
            outbox.add(frame);
        });
    }

    /** Asks the other side for an answer, until one has come. */
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
