package dev.cleave.transport.netty;

import static java.util.Objects.requireNonNull;

import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.WaitCondition;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.DuplexChannel;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The sending side of a channel.
 *
 * <h2>One wake-up per burst</h2>
 *
 * Written frames wait in an {@link Outbox}. A flush from another thread gives them to the kernel itself while the event loop
 * {@linkplain KernelWait waits}, or nobody drives it. Else it wakes the event loop unless a wake-up is already under way; the
 * event loop takes all that is there and gives it to the kernel together.
 *
 * <h2>Pushing back</h2>
 *
 * {@code full} covers the outbox, the channel's own mark what the kernel has not taken. A write that fills the outbox also
 * flushes it, so that somebody who stops at {@code isWritable() == false} is always told when to go on.
 *
 * <h2>Closing</h2>
 *
 * {@code closed}: nothing more is accepted. When the channel is gone the outbox is closed, and drops what others are just
 * adding.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a void promise tells the pipeline of failures
final class NettyConnection implements Connection {

    /** Above this many bytes not yet sent a connection is not writable. */
    static final int HIGH_MARK = 256 << 10;

    private static final long CLOSE_MILLIS = 1_000; // for what has been written
    private static final long PART_MILLIS = 200; // for the other side's end

    private final Channel channel;
    private final @Nullable Wheel wheel; // null if no thread but the event loop's own drives it
    private final Endpoint peer;
    private final Runnable drain = this::drain;
    private final Outbox outbox;
    private final StraightWrites straight;
    private final AtomicBoolean wakeUp = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean full;
    private volatile @Nullable DatagramPath datagrams; // null if all takes the stream
    private Runnable onWritable = () -> {}; // event loop only

    NettyConnection(Channel channel, Endpoint peer) {
        this.channel = channel;
        wheel = channel.eventLoop() instanceof DrivenLoop driven ? driven.wheel() : null;
        this.peer = peer;
        outbox = new Outbox(channel.alloc());
        straight = new StraightWrites(channel);
    }

    @Override
    public ByteBufAllocator allocator() {
        return channel.alloc();
    }

    @Override
    public void write(ByteBuf frame) {
        if (closed.get()) {
            frame.release();
            return;
        }
        DatagramPath path = datagrams;
        long waiting = path == null ? outbox.add(frame) : path.write(frame, outbox);
        if (waiting >= HIGH_MARK && !full) {
            full = true;
            flush();
        }
    }

    @Override
    public void flush() {
        if (channel.eventLoop().inEventLoop()) {
            drain();
        } else if (!wakeUp.get() && wakeUp.compareAndSet(false, true) && !drainHere()) {
            wake(drain);
        }
    }

    @Override
    public boolean isWritable() {
        return !full && channel.isWritable();
    }

    @Override
    public long unsent() {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        return outbox.bytes() + (waiting == null ? 0 : waiting.totalPendingWriteBytes());
    }

    @Override
    public void reading(boolean enabled) {
        channel.config().setAutoRead(enabled);
        DatagramPath path = datagrams;
        if (path != null) {
            wake(() -> path.reading(enabled));
        }
    }

    @Override
    public void execute(Runnable task) {
        channel.eventLoop().execute(task);
    }

    @Override
    public void await(WaitCondition awaited, long atNanos) {
        if (channel.eventLoop().inEventLoop()) {
            throw new IllegalStateException(
                    "an event thread may not wait for a call, whose answer it would have to read (is a method with"
                            + " @Inline making remote calls?)");
        }
        if (wheel == null) {
            Connection.super.await(awaited, atNanos);
        } else {
            wheel.await(awaited, atNanos);
        }
    }

    @Override
    public void wakeWaiting() {
        if (wheel != null) {
            wheel.wakeWaiting();
        }
    }

    @Override
    public boolean mayRunProgram() {
        return wheel == null || wheel.isOwnThread();
    }

    @Override
    public Endpoint peer() {
        return peer;
    }

    @Override
    public boolean isClosed() {
        return closed.get();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            wake(this::closeWhenSent);
        }
    }

    @Override
    public String toString() {
        return peer.toString();
    }

    /** Called once, before anything else: what to do when the connection has become writable again. */
    void onWritable(Runnable action) {
        onWritable = action;
    }

    /** The channel takes more. Event loop only. */
    void writabilityChanged() {
        if (!channel.isWritable()) {
            return;
        }
        if (outbox.bytes() > 0) {
            wake(drain); // what waits here until the channel takes more
        }
        if (!full) {
            onWritable.run();
        }
    }

    /** Small frames go by datagrams from now on, where they come through. Event loop only, before other threads write. */
    void datagrams(DatagramPath path) {
        datagrams = path;
    }

    @Nullable
    DatagramPath datagrams() {
        return datagrams;
    }

    /** Says to the other side where datagrams for this one are to go. */
    void announceDatagrams(DatagramPath path, int port) {
        path.announce(port, outbox);
        flush();
    }

    /** What is under way by datagrams goes by the stream. Event loop only. */
    void giveUpDatagrams() {
        DatagramPath path = datagrams;
        if (path != null) {
            path.moveTo(outbox);
            drain();
        }
    }

    /** What came by a datagram, or could not be given to the channel, brings the connection to its end. Event loop only. */
    void failed(Throwable cause) {
        channel.pipeline().fireExceptionCaught(cause);
    }

    /** The channel of the stream. */
    Channel channel() {
        return channel;
    }

    /** The channel is gone. Event loop only. */
    void inactive() {
        closed.set(true);
        outbox.close();
        DatagramPath path = datagrams;
        if (path != null) {
            path.dispose();
        }
    }

    /** Gives what is there to the kernel on this thread if nobody is at work on the loop; says whether all is done. */
    private boolean drainHere() {
        if (wheel == null) {
            return false;
        }
        if (!wheel.runHere(drain)) {
            return datagrams == null && !full && wheel.borrow() && drainMeanwhile();
        }
        ChannelOutboundBuffer left = channel.unsafe().outboundBuffer();
        if (left != null && left.totalPendingWriteBytes() > 0) {
            wheel.attend(); // the kernel has not taken all, and somebody must go on
        }
        return true;
    }

    /** Drains while the event loop waits; says whether somebody need not go on. */
    private boolean drainMeanwhile() {
        try {
            wakeUp.set(false);
            for (ByteBuf part = outbox.poll(); part != null; part = outbox.poll()) {
                if (!straight.take(part)) {
                    outbox.putBack(part);
                    return hasBeenWoken();
                }
            }
            return !full || hasBeenWoken(); // whoever filled it relied on this flush; that it is writable is said there
        } catch (Throwable e) {
            wake(() -> failed(e));
            return true;
        } finally {
            requireNonNull(wheel).giveBack();
        }
    }

    /** Whether another thread has woken the event loop meanwhile; else it is for us to do so. */
    private boolean hasBeenWoken() {
        return !wakeUp.compareAndSet(false, true);
    }

    private void wake(Runnable task) {
        try {
            channel.eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            inactive(); // the transport has been closed, and this connection with it
        }
    }

    private void drain() {
        try {
            drain(false);
        } catch (Throwable e) { // a part may be lost: who waits for an answer to it is told so, and not who flushes
            failed(e);
        }
    }

    /**
     * Gives the channel what is there. Unless it is to be {@code all}, what the channel has no room for stays, where small
     * frames share blocks.
     */
    private void drain(boolean all) {
        wakeUp.set(false);
        boolean any = false;
        while (all || channel.isWritable()) {
            ByteBuf part = outbox.poll();
            if (part == null) {
                break;
            }
            if (!straight.take(part)) {
                channel.write(part, channel.voidPromise());
                any = true;
            }
        }
        if (any) {
            channel.flush();
        }
        DatagramPath path = datagrams;
        if (path != null) {
            path.send();
        }
        if (full && (all || outbox.bytes() < HIGH_MARK)) {
            full = false;
            writabilityChanged();
        }
    }

    private void closeWhenSent() {
        DatagramPath path = datagrams;
        if (path != null) {
            path.close(outbox);
        }
        drain(true);
        ChannelFuture sent = channel.writeAndFlush(Unpooled.EMPTY_BUFFER);
        if (sent.isDone()) {
            part();
            return;
        }
        Future<?> giveUp = channel.eventLoop().schedule(() -> close(channel), CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        sent.addListener(done -> {
            giveUp.cancel(false);
            part();
        });
    }

    /**
     * Ends the sending side and drops what comes until the other side has ended, too: a socket that is closed with something
     * unread in it is reset, and that takes from the other side what it has not read yet.
     */
    private void part() {
        if (!channel.isActive() || !(channel instanceof DuplexChannel duplex)) {
            close(channel);
            return;
        }
        channel.config().setAutoRead(true);
        try {
            Future<?> giveUp = channel.eventLoop().schedule(() -> close(channel), PART_MILLIS, TimeUnit.MILLISECONDS);
            channel.closeFuture().addListener(done -> giveUp.cancel(false));
            duplex.shutdownOutput().addListener(done -> {
                if (!done.isSuccess()) {
                    close(channel);
                }
            });
        } catch (RejectedExecutionException e) { // the loop ends
            close(channel);
        }
    }

    private static void close(Channel channel) {
        channel.close();
    }
}
