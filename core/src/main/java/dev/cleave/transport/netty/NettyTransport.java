package dev.cleave.transport.netty;

import static java.util.Objects.requireNonNull;

import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportException;
import dev.cleave.transport.netty.NettyOptions.Poller;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * TCP. Its event loops are daemon threads, shared by all its connections; a lone thread that waits for an answer on a
 * connection that was dialled drives the loop itself ({@link Wheel}).
 */
@SuppressWarnings("FutureReturnValueIgnored") // of closes: there is nothing to do about one that fails
public final class NettyTransport implements Transport {

    private static final int LOW_MARK = 64 << 10;
    private static final long STOP_MILLIS = 2_000;

    private final NettyOptions options;
    private final boolean epoll;
    private final EventLoopGroup loops; // of connections that we accept
    private final EventLoopGroup driven; // of those that we dial
    private final Set<Channel> channels = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private NettyTransport(NettyOptions options) {
        this.options = options;
        epoll = options.poller() == Poller.BEST && Epoll.isAvailable();
        ThreadFactory threads = new DefaultThreadFactory("cleave-net", true);
        IoHandlerFactory handlers = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        loops = new MultiThreadIoEventLoopGroup(options.threads(), threads, handlers);
        // A selector of Java's loses an interrupt of the thread that waits in it, so callers do not drive those.
        driven = epoll ? new DrivenLoops(options.threads(), threads, handlers) : loops;
    }

    /** A transport with the usual options. */
    public static NettyTransport create() {
        return create(NettyOptions.DEFAULT);
    }

    /** A transport with other options. */
    public static NettyTransport create(NettyOptions options) {
        return new NettyTransport(requireNonNull(options, "options"));
    }

    @Override
    public Connection connect(Endpoint endpoint, FrameHandler handler) {
        requireNonNull(handler, "handler");
        checkUse(endpoint);
        InetSocketAddress address = resolve(endpoint);
        Opening opening = new Opening(endpoint, handler);
        Bootstrap bootstrap = new Bootstrap()
                .group(driven)
                .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        options.connectTimeout().toMillis())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.ALLOCATOR, options.allocator())
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, marks())
                .handler(opening);
        ChannelFuture connected = bootstrap.connect(address);
        try {
            connected.await();
            if (connected.isSuccess()) {
                return opening.await();
            }
        } catch (InterruptedException e) {
            connected.addListener(done -> connected.channel().close());
            Thread.currentThread().interrupt();
            throw new TransportException(endpoint + ": interrupted while connecting", e);
        }
        throw Problems.connect(endpoint, options.connectTimeout(), connected.cause());
    }

    @Override
    public Listener listen(Endpoint endpoint, Acceptor acceptor) {
        requireNonNull(acceptor, "acceptor");
        checkUse(endpoint);
        InetSocketAddress address = resolve(endpoint);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOCATOR, options.allocator())
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, marks())
                .childHandler(new Accepting(acceptor));
        ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw Problems.listen(endpoint, bound.cause());
        }
        track(bound.channel());
        InetSocketAddress local = (InetSocketAddress) bound.channel().localAddress();
        return new NettyListener(bound.channel(), Endpoint.tcp(endpoint.host(), local.getPort()));
    }

    @Override
    public void close() {
        closed = true;
        channels.forEach(channel -> channel.close());
        driven.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS).addListener(done -> {});
        loops.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS).addListener(done -> {});
        if (!onEventLoop()) {
            driven.terminationFuture().awaitUninterruptibly(2 * STOP_MILLIS);
            loops.terminationFuture().awaitUninterruptibly(2 * STOP_MILLIS);
        }
    }

    private void checkUse(Endpoint endpoint) {
        if (!endpoint.scheme().equals("tcp")) {
            throw new IllegalArgumentException("endpoint: " + endpoint + " (expected: tcp://host:port)");
        }
        if (closed) {
            throw new TransportException(endpoint + ": this transport has been closed", null);
        }
        if (onEventLoop()) {
            throw new IllegalStateException(
                    endpoint + ": may not connect or listen on an event thread, it would wait for"
                            + " itself (expected: any other thread)");
        }
    }

    private boolean onEventLoop() {
        return onEventLoop(loops) || onEventLoop(driven);
    }

    private static boolean onEventLoop(EventLoopGroup group) {
        for (EventExecutor loop : group) {
            if (loop.inEventLoop()) {
                return true;
            }
        }
        return false;
    }

    /** Resolves on the caller's thread: it may block, which an event loop may not. */
    private static InetSocketAddress resolve(Endpoint endpoint) {
        InetSocketAddress address = new InetSocketAddress(endpoint.host(), endpoint.port());
        if (address.isUnresolved()) {
            throw Problems.unknownHost(endpoint);
        }
        return address;
    }

    private static WriteBufferWaterMark marks() {
        return new WriteBufferWaterMark(LOW_MARK, NettyConnection.HIGH_MARK);
    }

    private void track(Channel channel) {
        channels.add(channel);
        channel.closeFuture().addListener(done -> channels.remove(channel));
        if (closed) {
            channel.close();
        }
    }

    private Inbound install(Channel channel, Endpoint peer, Acceptor acceptor) {
        Inbound inbound = new Inbound(new NettyConnection(channel, peer), acceptor);
        channel.pipeline().addLast(inbound);
        track(channel);
        return inbound;
    }

    /** Prepares the channel of a connection that we dial. */
    private final class Opening extends ChannelInitializer<Channel> {

        private final Endpoint endpoint;
        private final FrameHandler handler;
        private volatile @Nullable Inbound inbound;

        private Opening(Endpoint endpoint, FrameHandler handler) {
            this.endpoint = endpoint;
            this.handler = handler;
        }

        @Override
        protected void initChannel(Channel channel) {
            inbound = install(channel, endpoint, connection -> handler);
        }

        private Connection await() throws InterruptedException {
            Inbound opened = requireNonNull(inbound, "inbound");
            if (!opened.awaitOpen()) {
                throw new TransportException(endpoint + ": the peer closed the connection at once", null);
            }
            return opened.connection();
        }
    }

    /** Prepares the channels that a listener accepts. */
    private final class Accepting extends ChannelInitializer<Channel> {

        private final Acceptor acceptor;

        private Accepting(Acceptor acceptor) {
            this.acceptor = acceptor;
        }

        @Override
        protected void initChannel(Channel channel) {
            InetSocketAddress remote = (InetSocketAddress) channel.remoteAddress();
            Endpoint peer = Endpoint.tcp(remote.getAddress().getHostAddress(), remote.getPort());
            install(channel, peer, acceptor);
        }
    }

    private record NettyListener(Channel channel, Endpoint endpoint) implements Listener {

        @Override
        public void close() {
            channel.close().awaitUninterruptibly(STOP_MILLIS);
        }
    }
}
