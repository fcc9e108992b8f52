package dev.cleave.transport.netty;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Steps;
import dev.cleave.metrics.Refusals;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Transport.Acceptor;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.Checked;
import dev.cleave.wire.Datagrams;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.lang.System.Logger.Level;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The receiving side of a channel: cuts bytes into frames and calls the handler. Event loop only. */
@SuppressWarnings("FutureReturnValueIgnored") // of closes: there is nothing to do about one that fails
final class Inbound extends ChannelInboundHandlerAdapter {

    private static final System.Logger LOG = SafeLog.of(Inbound.class);

    private final NettyConnection connection;
    private final Acceptor acceptor;
    private final FrameSplitter splitter;
    private final Predicate<ByteBuf> sink = this::streamed;
    private final @Nullable Datagramming datagramming;
    private final @Nullable TlsGate gate;
    private final KeptReads reads;
    private final @Nullable CountDownLatch opened; // null if no thread waits for the opening
    private volatile boolean accepted;
    private boolean anyStreamed;
    private boolean mustBeChecked; // both sides have agreed on checksums, and the other side has not begun
    private boolean delivered; // since the last read was complete
    private @Nullable FrameHandler handler;
    private @Nullable Throwable failure;

    /**
     * Creates the receiving side.
     *
     * @param isAwaited whether {@link #awaitOpen} will be called
     * @param datagramming begins to send and receive datagrams, if the other side wants that; null for none at all
     * @param reads allocates the buffers that the channel reads into
     * @param unfinished bounds incomplete frames
     * @param gate lets the channel open; null for one without encryption
     */
    Inbound(
            NettyConnection connection,
            Acceptor acceptor,
            boolean isAwaited,
            @Nullable Datagramming datagramming,
            KeptReads reads,
            UnfinishedFrames unfinished,
            @Nullable TlsGate gate) {
        this.gate = gate;
        opened = isAwaited ? new CountDownLatch(1) : null;
        this.connection = connection;
        this.acceptor = acceptor;
        this.datagramming = datagramming;
        this.reads = reads;
        this.splitter = new FrameSplitter(connection.allocator(), unfinished, connection::isStranger);
    }

    NettyConnection connection() {
        return connection;
    }

    /** Waits, on any other thread, until the handler's {@code onOpen} has been called; false if it never will be. */
    boolean awaitOpen() throws InterruptedException {
        requireNonNull(opened).await();
        return accepted;
    }

    /** Why the channel did not open; null if it did, or the peer closed it. On any thread. */
    @Nullable
    Throwable refused() {
        return gate == null ? null : gate.failure();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (datagramming != null) {
            datagramming.begin(this);
        }
        try {
            FrameHandler receiver = acceptor.accept(connection);
            handler = receiver;
            accepted = true;
            connection.onWritable(() -> receiver.onWritable(connection));
            connection.onChecks(() -> mustBeChecked = true);
            receiver.onOpen(connection);
        } finally {
            decided();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            if (handler != null && failure == null && !connection.isClosed()) {
                splitter.feed(bytes, sink);
            }
        } finally {
            bytes.release();
        }
    }

    /** Passes on a frame of the stream; says whether more may follow. */
    private boolean streamed(ByteBuf frame) {
        DatagramPath path = connection.datagrams();
        FrameKind kind = Header.kind(frame);
        if (kind == FrameKind.CHECKED) {
            Checked unused = Checked.read(frame);
            splitter.expectChecksums();
            mustBeChecked = false;
            return true;
        }
        if (mustBeChecked && kind != FrameKind.DATAGRAMS && kind != FrameKind.GOAWAY) {
            throw new WireException(ErrorCode.PROTOCOL, kind + " without checksum (expected: CHECKED before)");
        }
        if (kind == FrameKind.DATAGRAMS && datagramming != null) {
            datagramming.told(this, Datagrams.read(frame), !anyStreamed);
            anyStreamed = true;
            return true;
        }
        anyStreamed = true;
        if (path == null) {
            return deliver(frame);
        }
        if (kind == FrameKind.RESENT) {
            path.resent(frame);
            return !connection.isClosed();
        }
        if (!deliver(frame)) {
            return false;
        }
        path.streamed();
        return !connection.isClosed();
    }

    /** Takes a datagram; says whether frames of it or of other datagrams have been handled. */
    boolean datagram(ByteBuf datagram) {
        DatagramPath path = connection.datagrams();
        if (path == null || handler == null || failure != null || connection.isClosed()) {
            return false;
        }
        try {
            return path.came(datagram);
        } catch (Throwable e) { // wrong bytes or an exception of the handler end the connection, as in the stream
            connection.failed(e);
            return false;
        }
    }

    /** Passes on a frame that arrived in a datagram; says whether more may follow. */
    boolean deliverUnlessClosed(ByteBuf frame) {
        return !connection.isClosed() && deliver(frame);
    }

    /** Passes on a frame; says whether more may follow. */
    private boolean deliver(ByteBuf frame) {
        FrameHandler receiver = handler;
        if (receiver == null) {
            return false;
        }
        delivered = true;
        receiver.onFrame(connection, frame);
        return !connection.isClosed();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        readComplete();
    }

    /** Tells the handler that all frames of one read have been handled. */
    void readComplete() {
        boolean any = delivered;
        delivered = false;
        if (any && handler != null && failure == null && !connection.isClosed()) {
            handler.onReadComplete(connection);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (handler != null && failure == null) {
            connection.writabilityChanged();
        }
    }

    /** Ends the connection after an exception of the decoder, the socket or the handler. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (handler == null) {
            LOG.log(refused() == null ? Level.WARNING : Level.DEBUG, connection + ": not accepted", cause);
        } else if (failure == null && !connection.isClosed()) {
            failure = cause;
            if (cause instanceof WireException refused) {
                Refusals.count("closed." + refused.code());
            }
        }
        context.close();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        decided();
    }

    private void decided() {
        if (opened != null) {
            opened.countDown();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (failure == null && splitter.isWithinFrame() && !connection.isClosed()) {
            failure = new TransportException(connection.peer() + ": the connection ended within a frame", null);
        }
        FrameHandler receiver = handler;
        handler = null;
        Steps.runAll(
                LOG,
                "end of the connection to " + connection,
                splitter::release,
                reads::close,
                connection::inactive,
                () -> {
                    if (receiver != null) {
                        receiver.onClose(connection, failure);
                    }
                });
    }
}
