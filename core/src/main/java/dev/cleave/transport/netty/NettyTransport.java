package dev.cleave.transport.netty;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.SafeLog;
import dev.cleave.config.KeyFiles;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportException;
import dev.cleave.transport.netty.NettyOptions.Poller;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * TCP, or unix domain sockets beside TCP ports ({@link SameHost}), or datagrams beside TCP connections
 * ({@link DatagramPath}). Its event loops are daemon threads, shared by all its connections; a thread that alone waits
 * for a reply on a dialled connection drives the loop itself ({@link Wheel}).
 */
@SuppressWarnings("FutureReturnValueIgnored") // of closes: there is nothing to do about one that fails
public final class NettyTransport implements Transport {

    private static final System.Logger LOG = SafeLog.of(NettyTransport.class);
    private static final int LOW_MARK = 64 << 10;
    private static final int LEAST_READ = 64;
    private static final int FIRST_READ = 2 << 10;
    private static final int MOST_READ = 512 << 10;

    /** The most bytes of one read when much arrives: several chunks, so that most of them lie whole in the buffer. */
    private static final RecvByteBufAllocator READS =
            new AdaptiveRecvByteBufAllocator(LEAST_READ, FIRST_READ, MOST_READ);

    private static final long STOP_MILLIS = 2_000;

    private static final Set<String> SCHEMES = Set.of("tcp", "inet", "unix", "udp");
    private static final SecureRandom KEYS = new SecureRandom();

    private final NettyOptions options;
    private final DatagramFaults faults;
    private final @Nullable Guest guest;
    private final boolean epoll;
    private final boolean unix;
    private final EventLoopGroup loops; // for accepted connections
    private final EventLoopGroup driven; // for dialled connections
    private final UnfinishedFrames unfinished = UnfinishedFrames.ofProcess();
    private final Set<Channel> channels = ConcurrentHashMap.newKeySet();
    private final @Nullable Tls tls;
    private final Strangers strangers = new Strangers();
    private volatile boolean closed;

    private NettyTransport(NettyOptions options, DatagramFaults faults, @Nullable Tls tls, @Nullable Guest guest) {
        this.guest = guest;
        this.options = options;
        this.tls = tls;
        this.faults = faults;
        epoll = options.poller() == Poller.BEST && Epoll.isAvailable();
        unix = epoll && tls == null && options.sameHost() == NettyOptions.SameHostBy.UNIX_SOCKET;
        ThreadFactory threads = new DefaultThreadFactory("cleave-net", true);
        EventLoops started = EventLoops.start(options.threads(), threads, epoll);
        loops = started.accepted();
        driven = started.dialled();
    }

    /** Creates a transport with the default options. */
    public static NettyTransport create() {
        NettyVersion.check();
        return create(NettyOptions.DEFAULT);
    }

    /** Creates a transport with options. */
    public static NettyTransport create(NettyOptions options) {
        return create(options, DatagramFaults.NONE);
    }

    /** Creates a transport whose ports are also those of another protocol. */
    public static NettyTransport create(NettyOptions options, Guest guest) {
        NettyVersion.check();
        return new NettyTransport(
                requireNonNull(options, "options"), DatagramFaults.NONE, null, requireNonNull(guest, "guest"));
    }

    /**
     * Creates a transport whose connections are all encrypted, between peers that prove their identities.
     *
     * <p>Unix domain sockets and datagrams are off: an endpoint of datagrams is reached by TCP.
     *
     * @throws TransportException if the files cannot be read
     */
    public static NettyTransport create(NettyOptions options, KeyFiles keys) {
        NettyVersion.check();
        return new NettyTransport(requireNonNull(options, "options"), DatagramFaults.NONE, new Tls(keys), null);
    }

    @Override
    public @Nullable String identity() {
        return tls == null ? null : tls.identity();
    }

    /** Creates a transport that loses, doubles or reorders datagrams, for tests of this package. */
    static NettyTransport create(NettyOptions options, DatagramFaults faults) {
        NettyVersion.check();
        return new NettyTransport(requireNonNull(options, "options"), requireNonNull(faults, "faults"), null, null);
    }

    @Override
    public Connection connect(Endpoint endpoint, FrameHandler handler) {
        requireNonNull(handler, "handler");
        checkUse(endpoint);
        if (tls != null && endpoint.identity() == null) {
            throw Problems.noIdentity(endpoint);
        }
        InetSocketAddress address = resolve(endpoint);
        if (unix && endpoint.scheme().equals("tcp") || endpoint.scheme().equals("unix")) {
            Connection near = unix ? connectUnix(endpoint, address, handler) : null;
            if (near != null) {
                return near;
            }
            if (endpoint.scheme().equals("unix")) {
                throw Problems.noUnixSocket(endpoint);
            }
        }
        if (tls == null && endpoint.scheme().equals("udp")) {
            EventLoop loop = driven.next();
            Channel socket = socket(loop, address);
            try {
                return connectTcp(endpoint, address, loop, new Opening(endpoint, connection -> handler, socket));
            } catch (TransportException e) {
                if (socket != null) {
                    socket.close();
                }
                throw e;
            }
        }
        return connectTcp(endpoint, address, driven, new Opening(endpoint, connection -> handler, null));
    }

    private Connection connectTcp(Endpoint endpoint, InetSocketAddress address, EventLoopGroup group, Opening opening) {
        Bootstrap bootstrap = bootstrap(group, opening)
                .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true);
        return open(endpoint, bootstrap.connect(address), opening);
    }

    /** Opens a socket for datagrams to an address; null if that fails. */
    private @Nullable Channel socket(EventLoop loop, InetSocketAddress address) {
        try {
            ChannelFuture bound = DatagramSockets.open(
                            loop, epoll, options.allocator(), DatagramSockets.any(address.getAddress()))
                    .awaitUninterruptibly();
            if (bound.isSuccess()) {
                track(bound.channel());
                return bound.channel();
            }
            bound.channel().close();
            LOG.log(System.Logger.Level.DEBUG, "no datagrams to " + address, bound.cause());
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // the address is one of numbers
        }
        return null;
    }

    /** Dials the unix domain socket of a port; null if no trusted process listens there. */
    private @Nullable Connection connectUnix(Endpoint endpoint, InetSocketAddress address, FrameHandler handler) {
        Opening opening = new Opening(endpoint, connection -> handler, null);
        Bootstrap bootstrap = bootstrap(driven, new SameHost.Guard(opening)).channel(EpollDomainSocketChannel.class);
        try {
            return open(endpoint, bootstrap.connect(SameHost.beside(address)), opening);
        } catch (TransportException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return null;
        }
    }

    private Bootstrap bootstrap(EventLoopGroup group, ChannelHandler opening) {
        return new Bootstrap()
                .group(group)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        options.connectTimeout().toMillis())
                .option(ChannelOption.ALLOCATOR, options.allocator())
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, marks())
                .handler(opening);
    }

    private Connection open(Endpoint endpoint, ChannelFuture connected, Opening opening) {
        try {
            connected.await();
            if (connected.isSuccess()) {
                connected.channel().closeFuture().addListener(done -> opening.decided.countDown());
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
        if (tls != null && !tls.canAccept()) {
            throw Problems.noCertificate(endpoint);
        }
        InetSocketAddress address = resolve(endpoint);
        ServerBootstrap bootstrap = bootstrap(new Accepting(acceptor))
                .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true);
        ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw Problems.listen(endpoint, bound.cause());
        }
        track(bound.channel());
        InetSocketAddress local = (InetSocketAddress) bound.channel().localAddress();
        List<Channel> doors = new ArrayList<>(List.of(bound.channel()));
        if (unix) {
            SameHost.dialled(local).forEach(dialled -> listenUnix(dialled, acceptor, doors));
        }
        return new NettyListener(
                List.copyOf(doors),
                Endpoint.tcp(endpoint.host(), local.getPort()).of(identity()));
    }

    /** Also listens on the unix domain socket of a port; if another process has taken its name, peers use TCP. */
    private void listenUnix(InetSocketAddress dialled, Acceptor acceptor, List<Channel> doors) {
        ChannelFuture bound = bootstrap(new Accepting(acceptor))
                .channel(EpollServerDomainSocketChannel.class)
                .bind(SameHost.beside(dialled))
                .awaitUninterruptibly();
        if (bound.isSuccess()) {
            track(bound.channel());
            doors.add(bound.channel());
        } else {
            LOG.log(System.Logger.Level.DEBUG, "no unix domain socket beside " + dialled, bound.cause());
        }
    }

    private ServerBootstrap bootstrap(Accepting accepting) {
        return new ServerBootstrap()
                .group(loops)
                .handler(new Door())
                .childOption(ChannelOption.ALLOCATOR, options.allocator())
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, marks())
                .childHandler(accepting);
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
        Tls encryption = tls;
        if (encryption != null) {
            driven.terminationFuture()
                    .addListener(first -> loops.terminationFuture().addListener(both -> encryption.close()));
        }
    }

    private void checkUse(Endpoint endpoint) {
        if (!SCHEMES.contains(endpoint.scheme())) {
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

    private Inbound install(
            Channel channel,
            Endpoint peer,
            Acceptor acceptor,
            @Nullable Datagramming datagramming,
            @Nullable Endpoint dialled) {
        KeptReads reads = new KeptReads(READS);
        channel.config().setRecvByteBufAllocator(reads);
        NettyConnection connection = new NettyConnection(channel, peer, tls == null, options.checks());
        TlsGate gate = tls == null ? null : install(channel, tls, connection, dialled);
        Inbound inbound = new Inbound(connection, acceptor, dialled != null, datagramming, reads, unfinished, gate);
        channel.pipeline().addLast(inbound);
        track(channel);
        return inbound;
    }

    private TlsGate install(Channel channel, Tls encryption, NettyConnection connection, @Nullable Endpoint dialled) {
        SslHandler handler =
                dialled == null ? encryption.accepting(channel.alloc()) : encryption.dialling(channel.alloc());
        TlsGate gate = new TlsGate(encryption, handler, connection, dialled, strangers);
        channel.pipeline().addLast(handler, gate);
        return gate;
    }

    /** Prepares the channel of a connection that we dial. */
    private final class Opening extends ChannelInitializer<Channel> {

        private final Endpoint endpoint;
        private final Acceptor acceptor;
        private final @Nullable Channel socket; // for datagrams
        private final long key;
        // released once it is decided whether the handler's onOpen is called
        private final CountDownLatch decided = new CountDownLatch(1);
        private volatile @Nullable Inbound inbound;

        private Opening(Endpoint endpoint, Acceptor acceptor, @Nullable Channel socket) {
            this.endpoint = endpoint;
            this.acceptor = acceptor;
            this.socket = socket;
            key = socket == null ? 0 : KEYS.nextLong();
        }

        @Override
        protected void initChannel(Channel channel) {
            inbound = install(
                    channel,
                    endpoint,
                    acceptor,
                    tls == null ? Datagramming.dialling(faults, socket, key) : null,
                    endpoint);
            decided.countDown();
        }

        private Connection await() throws InterruptedException {
            decided.await();
            Inbound opened = inbound;
            if (opened == null || !opened.awaitOpen()) {
                Throwable refused = opened == null ? null : opened.refused();
                if (refused != null) {
                    throw Problems.refusedByTls(endpoint, refused);
                }
                throw TransportException.reached(endpoint + ": the peer closed the connection at once", null);
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
            Guest other = guest;
            if (other == null || !(channel.remoteAddress() instanceof InetSocketAddress)) {
                own(channel);
                return;
            }
            track(channel);
            channel.pipeline().addLast(new FirstBytes(other, this::own, strangers));
        }

        private void own(Channel channel) {
            Endpoint peer;
            if (channel.remoteAddress() instanceof InetSocketAddress remote) {
                peer = Endpoint.tcp(remote.getAddress().getHostAddress(), remote.getPort());
            } else {
                peer = new Endpoint("unix", "localhost", 0);
            }
            install(channel, peer, acceptor, tls == null ? Datagramming.accepting(faults) : null, null);
        }
    }

    private record NettyListener(List<Channel> doors, Endpoint endpoint) implements Listener {

        @Override
        public void close() {
            List<ChannelFuture> closing = doors.stream().map(Channel::close).toList();
            closing.forEach(each -> each.awaitUninterruptibly(STOP_MILLIS));
        }
    }
}
