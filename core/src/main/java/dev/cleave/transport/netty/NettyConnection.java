package dev.cleave.transport.netty;

import static java.util.Objects.requireNonNull;

import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Leading;
import dev.cleave.transport.ProofCheck;
import dev.cleave.transport.Prover;
import dev.cleave.transport.WaitCondition;
import dev.cleave.transport.netty.NettyOptions.Checks;
import dev.cleave.wire.Checked;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The sending side of a channel.
 *
 * <h2>One wake-up per burst</h2>
 *
 * Written frames wait in an {@link Outbox}. A flush from another thread gives them to the kernel itself while the event
 * loop {@linkplain KernelWait waits}, or no thread drives it. Else it wakes the event loop unless a wake-up is already
 * under way; the event loop gives all frames of the outbox to the kernel together.
 *
 * <h2>Pushing back</h2>
 *
 * {@code full} covers the outbox; the channel's own mark covers bytes that the kernel has not taken. A write that fills
 * the outbox also flushes it, so that a producer that stops at {@code isWritable() == false} is always told when to go
 * on.
 *
 * <h2>Closing</h2>
 *
 * Once {@code closed} is set no frame is accepted. When the channel has ended the outbox is closed, and drops frames
 * that other threads are just adding.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a void promise tells the pipeline of failures
final class NettyConnection implements Connection {

    /** Above this many bytes not yet sent a connection is not writable. */
    static final int HIGH_MARK = 256 << 10;

    private static final long CLOSE_MILLIS = 1_000; // how long closing waits for written frames
    private static final long PART_MILLIS = 200; // how long closing waits for the other side's end

    private final Channel channel;
    private final @Nullable Wheel wheel; // null if no thread but the event loop's own drives it
    private final Endpoint peer;
    private final boolean isPlain;
    private final Checks checks;
    private volatile @Nullable String identity;
    private @Nullable ProofCheck proofCheck; // event loop only
    private volatile @Nullable Prover prover;
    private final Runnable drain = this::drain;
    private final Outbox outbox;
    private final StraightWrites straight;
    private final AtomicBoolean wakeUp = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean full;
    private volatile @Nullable DatagramPath datagrams; // null if all takes the stream
    private @Nullable TlsRecords records; // once the TLS handshake is complete; event loop only
    private Runnable onWritable = () -> {}; // event loop only
    private Runnable onChecks = () -> {}; // event loop only

    /**
     * Creates the sending side.
     *
     * @param isPlain whether frames go to the socket as they are
     * @param checks which plain connections want checksums of frames
     */
    NettyConnection(Channel channel, Endpoint peer, boolean isPlain, Checks checks) {
        this.checks = checks;
        this.channel = channel;
        this.isPlain = isPlain;
        wheel = EventLoops.wheel(channel.eventLoop());
        this.peer = peer;
        outbox = new Outbox(channel.alloc());
        straight = new StraightWrites(channel, isPlain);
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
    public void executeHere(Runnable task) {
        if (wheel == null || !wheel.runHere(task)) {
            execute(task);
        } else {
            attendIfUnsent(wheel);
        }
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
        return wheel == null || wheel.mayRunProgram();
    }

    @Override
    public @Nullable Leading leading() {
        return wheel;
    }

    @Override
    public Endpoint peer() {
        return peer;
    }

    @Override
    public String localHost() {
        // The other end of a unix domain socket is on this machine: both have the address that was dialled.
        return channel.localAddress() instanceof InetSocketAddress here
                ? Endpoint.hostOf(here.getAddress())
                : peer.host();
    }

    @Override
    public @Nullable String identity() {
        return identity;
    }

    @Override
    public @Nullable ProofCheck proofCheck() {
        return proofCheck;
    }

    @Override
    public @Nullable Prover prover() {
        return prover;
    }

    /** Whether the peer has still to prove its identity by a token. Event loop only. */
    boolean isStranger() {
        return proofCheck != null && identity == null;
    }

    /** Asks the peer, which has no certificate, for a token. Event loop only, before the handler's {@code onOpen}. */
    void expectProof(ProofCheck check) {
        proofCheck = check;
    }

    /** Sets how this side, which has no certificate, proves its identity. Event loop only, before the handler's {@code onOpen}. */
    void prover(Prover own) {
        prover = own;
    }

    /**
     * Writes to the socket itself from now on, through a handler that has taken its place in the pipeline. Event loop only.
     *
     * @param room takes the sealed records of one write; shared by the connections of the loop
     */
    void seal(TlsRecords sealing, ByteBuf room) {
        records = sealing;
        straight.seal(sealing, room);
    }

    /** Sets the identity that the peer has proved. Event loop only, before frames of the program. */
    void identity(String proved) {
        identity = proved;
    }

    @Override
    public boolean isExposed() {
        return isPlain && isToOtherHost();
    }

    @Override
    public boolean isToOtherHost() {
        return channel.localAddress() instanceof InetSocketAddress here
                && channel.remoteAddress() instanceof InetSocketAddress there
                && (checks == Checks.ALL
                        || !there.getAddress().isLoopbackAddress()
                                && !there.getAddress().equals(here.getAddress()));
    }

    @Override
    public void checkFrames() {
        outbox.check(new Checked().write(channel.alloc()));
        onChecks.run();
    }

    /** Sets the action to run when the frames of the other side must have checksums. Called once, before any other method. */
    void onChecks(Runnable action) {
        onChecks = action;
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

    /** Sets the action to run when the connection has become writable again. Called once, before any other method. */
    void onWritable(Runnable action) {
        onWritable = action;
    }

    /** Called when the channel takes more bytes. Event loop only. */
    void writabilityChanged() {
        if (!channel.isWritable()) {
            return;
        }
        if (outbox.bytes() > 0) {
            wake(drain); // frames in the outbox have waited until the channel takes more
        }
        if (!full) {
            onWritable.run();
        }
    }

    /**
     * Sends small frames by datagrams from now on, while these get through. Event loop only, before other threads
     * write.
     */
    void datagrams(DatagramPath path) {
        datagrams = path;
    }

    @Nullable
    DatagramPath datagrams() {
        return datagrams;
    }

    /** Tells the other side the port for datagrams to this side. */
    void announceDatagrams(DatagramPath path, int port) {
        path.announce(port, outbox);
        flush();
    }

    /** Moves unacknowledged datagrams to the stream. Event loop only. */
    void giveUpDatagrams() {
        DatagramPath path = datagrams;
        if (path != null) {
            path.moveTo(outbox);
            drain();
        }
    }

    /** Ends the connection because of a wrong datagram or a failed write. Event loop only. */
    void failed(Throwable cause) {
        channel.pipeline().fireExceptionCaught(cause);
    }

    /** The channel of the stream. */
    Channel channel() {
        return channel;
    }

    /** Closes the outbox after the channel has ended. Event loop only. */
    void inactive() {
        closed.set(true);
        outbox.close();
        DatagramPath path = datagrams;
        if (path != null) {
            path.dispose();
        }
    }

    /**
     * Gives the frames of the outbox to the kernel on this thread if no thread drives the loop; says whether nothing is
     * left to do.
     */
    private boolean drainHere() {
        if (wheel == null) {
            return false;
        }
        if (!wheel.runHere(drain)) {
            return datagrams == null && !full && wheel.borrow() && drainMeanwhile();
        }
        attendIfUnsent(wheel);
        return true;
    }

    /** Calls the event loop if the kernel has not taken all that the current thread has given it in the place of the loop. */
    private void attendIfUnsent(Wheel loop) {
        ChannelOutboundBuffer left = channel.unsafe().outboundBuffer();
        if (left != null && left.totalPendingWriteBytes() > 0) {
            loop.attend();
        }
    }

    /** Drains the outbox while the event loop waits; says whether the event loop need not be woken. */
    private boolean drainMeanwhile() {
        try {
            wakeUp.set(false);
            if (!straight.take(outbox)) {
                return hasBeenWoken();
            }
            // the producer that filled it relied on this flush; the event loop tells it that the connection is writable
            return !full || hasBeenWoken();
        } catch (Throwable e) {
            wake(() -> failed(e));
            return true;
        } finally {
            requireNonNull(wheel).giveBack();
        }
    }

    /** Says whether another thread has woken the event loop meanwhile; if not, this thread must do so. */
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
        } catch (Throwable e) { // frames may be lost: their calls fail, and the flush does not throw
            failed(e);
        }
    }

    /**
     * Gives the channel the frames of the outbox. Unless {@code all} is set, frames for which the channel has no room
     * stay in the outbox, where small frames share blocks.
     */
    private void drain(boolean all) throws SSLException {
        wakeUp.set(false);
        boolean any = pushOn();
        while ((all || channel.isWritable()) && !straight.take(outbox)) {
            any |= pushOn();
            ByteBuf part = outbox.poll();
            if (part == null) {
                break;
            }
            channel.write(part, channel.voidPromise());
            any = true;
            if (!isPlain && records == null) {
                channel.flush(); // encrypts: the channel counts no bytes before that
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

    /** Gives the channel what was sealed and not taken by the kernel; says whether there was any. */
    private boolean pushOn() {
        return records != null && records.pushOn();
    }

    private void closeWhenSent() {
        DatagramPath path = datagrams;
        if (path != null) {
            path.close(outbox);
        }
        try {
            drain(true);
        } catch (SSLException e) { // nothing more can be sent
            close(channel);
            return;
        }
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
     * Ends the sending side, and drops received bytes until the other side has ended too: the kernel resets a socket
     * that is closed with unread bytes, and then the other side loses the bytes that it has not read yet.
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
            SslHandler tls = channel.pipeline().get(SslHandler.class);
            if (tls != null) {
                tls.closeOutbound();
            }
            if (records != null) {
                records.closeOutbound();
            }
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
