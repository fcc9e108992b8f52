package dev.cleave.lab.chaos;

import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.config.Bindings;
import dev.cleave.lab.history.Planted;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A broker, two replicas, a server behind them and two clients in this process, each with TCP connections that are cut by chance. */
final class LinkRig implements AutoCloseable {

    static final String DIRECT = "direct";
    static final String RELAYED = "relayed";

    static final int WORKERS = 2; // of each server

    private static final String LEAF = "leaf";
    private static final int MOST_CUTS = 12; // of a row
    private static final String METHODS = "methods: {inOrder: {style: async, group: g}}";

    private final Bindings bindings;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final List<Node> clients = new ArrayList<>();
    private final List<BookedLedger> ledgers = new ArrayList<>();
    private final Random random; // guarded by this, as all below
    private final StagedFaults staged = new StagedFaults();
    private final @Nullable FrameDefects client;
    private final @Nullable FrameDefects server;
    private final int port;
    private LinkRow row = LinkRow.CALM;
    private int cuts;

    /** Starts all; their servers write to a book, and they have a defect if that is not null. */
    LinkRig(long seed, @Nullable Planted planted, LedgerBook book, Duration deadline) {
        String within = "deadline: " + deadline.toSeconds() + "s";
        bindings = Bindings.parse(
                "services: {leaf: {route: direct, " + within + "}, taken: {route: direct, " + within
                        + "}, staged: {route: direct, " + within
                        + "}, brief: {route: direct, deadline: 200ms}, direct: {route: direct, " + within + ", "
                        + METHODS
                        + "}, relayed: {route: relay, " + within + ", " + METHODS + "}}",
                "chaos");
        random = new Random(seed);
        client = planted == null ? null : new FrameDefects(planted);
        server = planted == null ? null : new FrameDefects(planted);
        Broker broker = Broker.start(
                BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(bindings).with(transport(NettyTransport.create())));
        open.push(broker);
        port = broker.endpoint().port();
        for (int i = 0; i < 2; i++) {
            node(LEAF + i, LinkRow.Role.SERVER).bind(LEAF, new Leaf(book));
            Node replica = node("r" + i, LinkRow.Role.SERVER);
            BookedLedger ledger = new BookedLedger(book, replica.lookup(LEAF, Probe.class));
            ledgers.add(ledger);
            replica.bind(DIRECT, ledger);
            replica.bind(RELAYED, ledger);
            clients.add(node("c" + i, LinkRow.Role.CLIENT));
        }
    }

    /** A server that servers call. */
    private record Leaf(LedgerBook book) implements Probe {

        @Override
        public long again(long call) {
            return once(call);
        }

        @Override
        public long once(long call) {
            book.told(call);
            return Probe.resultOf(call);
        }
    }

    private Transport transport(Transport made) {
        open.push(made);
        return made;
    }

    private Node node(String name, LinkRow.Role role) {
        Transport transport = transport(new FaultyTransport(
                NettyTransport.create(), peer -> isCut(role, peer.port() == port), pipe -> defect(role, pipe)));
        Node node = ChaosHost.connect(NodeOptions.DEFAULT
                .withBroker(Endpoint.tcp("localhost", port))
                .withBindings(bindings)
                .withTransport(transport)
                .withCapacity(WORKERS, 256)
                .withName(name));
        open.push(node);
        return node;
    }

    private FrameDefect defect(LinkRow.Role role, FaultyTransport.Pipe pipe) {
        if (role == LinkRow.Role.CLIENT) {
            return staged.of(pipe, client == null ? FrameDefect.NONE : client.ofClient(pipe));
        }
        return server == null ? new LateReleases(pipe, 1) : server.ofServer(pipe);
    }

    /** A stub of a client. */
    Ledger ledger(int of, String service) {
        return clients.get(of % clients.size()).lookup(service, Ledger.class);
    }

    /** The faults that are staged at the connections of the clients. */
    StagedFaults staged() {
        return staged;
    }

    /** The replicas. */
    List<BookedLedger> ledgers() {
        return ledgers;
    }

    /** How many clients there are. */
    int clients() {
        return clients.size();
    }

    /** Starts a process that serves something under a name, which may be that of another one. */
    Node serve(String name, String service, Probe probe) {
        Node node = node(name, LinkRow.Role.SERVER);
        node.bind(service, probe);
        return node;
    }

    /** The stub of a client. */
    Probe probe(String service) {
        return clients.get(0).lookup(service, Probe.class);
    }

    /** Cuts other links from now on. */
    synchronized void cuts(LinkRow of) {
        row = of;
        cuts = 0;
    }

    /** How many connections have been cut since it was said which. */
    synchronized int cuts() {
        return cuts;
    }

    private synchronized boolean isCut(LinkRow.Role role, boolean isToBroker) {
        boolean cut = row.cuts(role, isToBroker) && cuts < MOST_CUTS && random.nextInt(row.frames()) == 0;
        cuts += cut ? 1 : 0;
        return cut;
    }

    @Override
    public void close() {
        cuts(LinkRow.CALM);
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                throw new IllegalStateException("does not close: " + e.getMessage(), e);
            }
        }
    }
}
