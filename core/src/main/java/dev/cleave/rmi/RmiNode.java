package dev.cleave.rmi;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Stub;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.config.Bindings;
import dev.cleave.config.ConfigException;
import dev.cleave.config.Pings;
import dev.cleave.node.ObjectNode;
import dev.cleave.ref.Offer;
import dev.cleave.ref.Target;
import dev.cleave.serial.Reference;
import dev.cleave.server.Server;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Listener;
import dev.cleave.transport.TransportException;
import dev.cleave.transport.netty.Guest;
import dev.cleave.transport.netty.NettyOptions;
import dev.cleave.transport.netty.NettyTransport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.RemoteObject;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The node of an RMI program: one for the process, made with the first export or look-up. Thread-safe.
 */
final class RmiNode {

    /** The number of the {@link RmiProbe} of each process. */
    static final Reference.Number PROBE = new Reference.Number(0, 1);

    private static final System.Logger LOG = SafeLog.of(RmiNode.class);

    /** {@code off}: woven programs stay on RMI. The agent reads it, too, and leaves classes as they are. */
    private static final String PROPERTY = "cleave.rmi";

    /** RMI runs each call on a thread of its own. */
    private static final Server.Capacity CAPACITY = new Server.Capacity(1 << 13, 1 << 16);

    /** RMI waits for a process that is frozen, in a debugger say; a host that is gone is noticed after RMI's lease. */
    private static final Pings PATIENT =
            new Pings(Duration.ofSeconds(5), Duration.ofMinutes(5), Duration.ofMinutes(10));

    /** All addresses of the machine, as RMI listens at. */
    private static final String ANY = hasIpv6() ? "::" : "0.0.0.0";

    private static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int MOST_REMEMBERED = 1024;

    private final String name;
    private final ObjectNode node;
    private final Map<Integer, Front> fronts = new ConcurrentHashMap<>();
    private final Map<Reference.Number, WeakReference<Remote>> offered = new ConcurrentHashMap<>();
    private final Set<Reference.Number> ofRmi = ConcurrentHashMap.newKeySet(); // objects of which RMI has stubs
    private final Map<Endpoint, Long> plain = new ConcurrentHashMap<>(); // peers without the agent, and until when
    private final Leases leases;
    private final RmiProbe probe = this::offers;

    private RmiNode() throws IOException {
        name = StubAddress.nodeHere();
        NettyOptions options = NettyOptions.DEFAULT;
        NettyTransport transport = NettyTransport.create(
                new NettyOptions(options.poller(), options.threads(), options.connectTimeout(), options.allocator()),
                new Jrmp());
        Bindings bindings = bindings();
        Pings pings = bindings.pings().equals(Pings.DEFAULT) ? PATIENT : bindings.pings();
        node = ObjectNode.start(name, transport, bindings, pings, new JavaFormat(), CAPACITY);
        leases = new Leases(node::isHeld, node.timer());
        node.offer(probe, PROBE, new Offer(RmiProbe.class, "", (object, lost) -> {}));
    }

    private static boolean hasIpv6() {
        try {
            return !Boolean.getBoolean("java.net.preferIPv4Stack")
                    && NetworkInterface.networkInterfaces()
                            .flatMap(NetworkInterface::inetAddresses)
                            .anyMatch(Inet6Address.class::isInstance);
        } catch (SocketException e) {
            return false;
        }
    }

    private static Bindings bindings() {
        try {
            return ObjectNode.configured();
        } catch (ConfigException e) {
            LOG.log(System.Logger.Level.WARNING, "calls have no styles: {0}", e.getMessage());
            return Bindings.NONE;
        }
    }

    /** Holds the node, which is made when it is first needed. */
    private static final class Only {

        static final @Nullable RmiNode NODE = make();

        private static @Nullable RmiNode make() {
            if ("off".equals(System.getProperty(PROPERTY))) {
                return null;
            }
            try {
                return new RmiNode();
            } catch (IOException | RuntimeException | LinkageError e) { // another Netty on the class path, say
                LOG.log(System.Logger.Level.WARNING, "all calls go over RMI: {0}", SafeLog.text(e));
                return null;
            }
        }
    }

    /** The node of the process; null if it cannot or shall not have one. */
    static @Nullable RmiNode get() {
        return Only.NODE;
    }

    /** Listens at a port for both protocols; 0 lets the system choose. */
    Front open(int port) throws IOException {
        Listener listener;
        try {
            listener = node.listen(Endpoint.tcp(ANY, port));
        } catch (TransportException e) {
            BindException made = new BindException("Address already in use: " + e.getMessage());
            made.initCause(e);
            throw made;
        }
        int open = listener.endpoint().port();
        Front front = new Front(listener, () -> fronts.remove(open));
        fronts.put(open, front);
        return front;
    }

    /** Lets an object that RMI has exported be called over Cleave, too. */
    void offer(Remote object, Object stub) {
        try {
            StubAddress at = StubAddress.of(stub);
            if (at == null) {
                return;
            }
            OwnTypes.hold(object.getClass());
            Class<?> type = StubTypes.one(StubTypes.of(stub));
            if (!type.getModule().isOpen(type.getPackageName(), RmiNode.class.getModule())) {
                return;
            }
            String endpoint = at.endpoint().toString();
            node.offer(
                    object, at.number(), new Offer(type, endpoint, (left, isLost) -> left(at.number(), left, isLost)));
            offered.values().removeIf(known -> known.refersTo(null));
            offered.put(at.number(), new WeakReference<>(object));
        } catch (IOException | RuntimeException | LinkageError e) {
            LOG.log(System.Logger.Level.DEBUG, object.getClass().getName() + " is called over RMI alone", e);
        }
    }

    /** No peer holds an object over Cleave any more. If RMI has stubs of it, RMI's leases say when it is left. */
    private void left(Reference.Number number, Object object, boolean isLost) {
        if (!ofRmi.contains(number)) {
            leases.left(object, isLost);
        }
    }

    /** Notes that RMI has a stub of an object of this process: it is bound, or a look-up has found it. */
    void given(@Nullable Object object) {
        try {
            Object stub = object instanceof Remote remote && !StubAddress.isStub(object)
                    ? RemoteObject.toStub(remote)
                    : object;
            StubAddress at = stub == null ? null : StubAddress.of(stub);
            if (at != null && offered.containsKey(at.number())) {
                ofRmi.add(at.number());
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, object + " is not exported", e);
        }
    }

    /** Takes an object back. */
    void withdraw(Remote object) {
        boolean unused = node.withdraw(object);
        offered.values().removeIf(known -> known.refersTo(object) || known.refersTo(null));
        ofRmi.retainAll(offered.keySet());
    }

    private boolean offers(long high, long low, String type) {
        Reference.Number number = new Reference.Number(high, low);
        WeakReference<Remote> known = offered.get(number);
        if (known == null || known.get() == null) {
            return false;
        }
        ofRmi.add(number);
        return true;
    }

    /** The object of this process behind a stub of RMI; the object itself if it is none; null if it is of another one. */
    static @Nullable Object ownObject(Remote object) throws IOException {
        if (!StubAddress.isStub(object)) {
            return object;
        }
        StubAddress at = StubAddress.of(object);
        RmiNode node = get();
        if (at == null || node == null || !at.node().equals(node.name)) {
            return null;
        }
        WeakReference<Remote> known = node.offered.get(at.number());
        return known == null ? null : known.get();
    }

    /**
     * Returns a stub of Cleave in the place of one of RMI, if the process of the object has the agent, and this program
     * makes no sockets of its own, through which its calls have to go.
     */
    Object upgraded(Object found) {
        if (FrontFactory.get() != null) {
            return found;
        }
        try {
            StubAddress at = StubAddress.of(found);
            if (at == null || at.node().equals(name) || isPlain(at.endpoint())) {
                return found;
            }
            Class<?> type = StubTypes.one(StubTypes.of(found));
            Stub stub = stub(at, type);
            if (stub == null) {
                return found;
            }
            ((Target) requireNonNull(stub.target())).keep(found);
            return stub;
        } catch (IOException | RuntimeException | LinkageError e) {
            LOG.log(System.Logger.Level.DEBUG, found + " is called over RMI", e);
            return found;
        }
    }

    private @Nullable Stub stub(StubAddress at, Class<?> type) throws RemoteException {
        String peer = at.node();
        try {
            RmiProbe asked = (RmiProbe) node.stub(RmiProbe.class, PROBE, peer, at.endpoint());
            Reference.Number number = at.number();
            boolean offers = asked.offers(number.high(), number.low(), StubTypes.name(type));
            return offers ? (Stub) node.stub(type, number, peer, at.endpoint()) : null;
        } catch (TransportException e) {
            LOG.log(System.Logger.Level.DEBUG, at.endpoint() + " does not speak Cleave", e);
            plain.values().removeIf(until -> until - System.nanoTime() < 0);
            if (plain.size() < MOST_REMEMBERED) {
                plain.put(at.endpoint(), System.nanoTime() + REMEMBERED_NANOS);
            }
            return null;
        }
    }

    private boolean isPlain(Endpoint peer) {
        Long until = plain.get(peer);
        return until != null && until - System.nanoTime() > 0;
    }

    /** Hands connections of RMI to RMI. */
    private final class Jrmp implements Guest {

        @Override
        public byte[] magic() {
            return "JRMI".getBytes(StandardCharsets.ISO_8859_1);
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // there is nothing to do about a close that fails
        public void welcome(Channel channel, ByteBuf first) {
            Front front =
                    channel.localAddress() instanceof InetSocketAddress local ? fronts.get(local.getPort()) : null;
            ChannelSocket socket = new ChannelSocket(channel, first);
            if (front == null || !front.came(socket)) {
                socket.close();
            }
        }
    }
}
