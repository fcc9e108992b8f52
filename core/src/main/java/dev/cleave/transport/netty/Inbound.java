package dev.cleave.transport.netty;

import dev.cleave.transport.Connection;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Transport.Acceptor;
import dev.cleave.transport.TransportException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.lang.System.Logger.Level;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The receiving side of a channel: cuts bytes into frames and tells the handler. Event loop only. */
@SuppressWarnings("FutureReturnValueIgnored") // of closes: there is nothing to do about one that fails
final class Inbound extends ChannelInboundHandlerAdapter {

    private static final System.Logger LOG = System.getLogger(Inbound.class.getName());

    private final NettyConnection connection;
    private final Acceptor acceptor;
    private final FrameSplitter splitter;
    private final Predicate<ByteBuf> sink = this::deliver;
    private final CountDownLatch opened = new CountDownLatch(1);
    private volatile boolean accepted;
    private @Nullable FrameHandler handler;
    private @Nullable Throwable failure;

    Inbound(NettyConnection connection, Acceptor acceptor) {
        this.connection = connection;
        this.acceptor = acceptor;
        this.splitter = new FrameSplitter(connection.allocator());
    }

    Connection connection() {
        return connection;
    }

    /** Waits, on any other thread, until the handler knows of the connection; false if it never will. */
    boolean awaitOpen() throws InterruptedException {
        opened.await();
        return accepted;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        try {
            FrameHandler receiver = acceptor.accept(connection);
            handler = receiver;
            accepted = true;
            connection.onWritable(() -> receiver.onWritable(connection));
            receiver.onOpen(connection);
        } finally {
            opened.countDown();
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

    /** Hands a frame on; says whether more may follow. */
    private boolean deliver(ByteBuf frame) {
        FrameHandler receiver = handler;
        if (receiver == null) {
            return false;
        }
        receiver.onFrame(connection, frame);
        return !connection.isClosed();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (handler != null && failure == null && !connection.isClosed()) {
            handler.onReadComplete(connection);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (handler != null && failure == null) {
            connection.writabilityChanged();
        }
    }

    /** What the bytes, the socket or the handler has thrown. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (handler == null) {
            LOG.log(Level.WARNING, connection + ": not accepted", cause);
        } else if (failure == null && !connection.isClosed()) {
            failure = cause;
        }
        context.close();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        opened.countDown();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (failure == null && splitter.isWithinFrame() && !connection.isClosed()) {
            failure = new TransportException(connection.peer() + ": the connection ended within a frame", null);
        }
        splitter.release();
        connection.inactive();
        FrameHandler receiver = handler;
        handler = null;
        if (receiver != null) {
            receiver.onClose(connection, failure);
        }
    }
}
