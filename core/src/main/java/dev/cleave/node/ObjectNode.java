package dev.cleave.node;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.InterfaceReader;
import dev.cleave.call.Link;
import dev.cleave.call.LinkContext;
import dev.cleave.client.Client;
import dev.cleave.concurrent.SystemTimer;
import dev.cleave.concurrent.Timer;
import dev.cleave.config.Bindings;
import dev.cleave.config.Pings;
import dev.cleave.ref.Offer;
import dev.cleave.ref.References;
import dev.cleave.serial.ObjectFormat;
import dev.cleave.serial.Reference;
import dev.cleave.server.Server;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.wire.Hello;
import java.security.SecureRandom;
import java.util.Random;

/**
 * A node without a broker: its objects and those of others are called by their numbers, wherever they are. Thread-safe.
 */
public final class ObjectNode implements AutoCloseable {

    private static final SecureRandom SEEDS = new SecureRandom();

    private final SystemTimer timer;
    private final EmulatedLinks emulated;
    private final Transport transport;
    private final LinkContext context;
    private final References references;
    private final Server server;
    private final NodeLinks links;
    private final Client client;

    private ObjectNode(
            String name,
            Transport transport,
            Bindings bindings,
            Pings pings,
            ObjectFormat format,
            Server.Capacity capacity) {
        Random random = new Random(SEEDS.nextLong());
        emulated = EmulatedLinks.overAny(requireNonNull(transport, "transport"), name, bindings);
        this.transport = emulated.transport();
        timer = SystemTimer.create("cleave-timer-" + name);
        Hello hello = Hello.of(name, System.currentTimeMillis() << 16 | random.nextInt(1 << 16));
        InterfaceReader interfaces = new InterfaceReader(bindings, format);
        references = new References(hello, interfaces, timer, SEEDS);
        context = LinkContext.of(hello, references, timer, ReceiveBudget.configured());
        server = Server.start(context, references, capacity);
        links = new NodeLinks(server, references);
        client = Client.ofObjects(this.transport, context, links, references, bindings, random);
        references.connected(new NodeWays(client, interfaces, () -> ""));
        links.connected(client);
        links.watch(timer, pings.halved());
    }

    /**
     * Starts a node.
     *
     * @param transport closed with the node
     * @param bindings the settings of calls, by the names of interfaces
     * @param pings when a silent peer counts as down
     * @param format writes and reads the objects that travel
     * @param capacity how many calls run and wait
     */
    public static ObjectNode start(
            String name,
            Transport transport,
            Bindings bindings,
            Pings pings,
            ObjectFormat format,
            Server.Capacity capacity) {
        return new ObjectNode(name, transport, bindings, pings, format, capacity);
    }

    /** The application file that a system property or environment variable names, else an empty one. */
    public static Bindings configured() {
        return Environment.bindings();
    }

    /** The timer of the node. */
    public Timer timer() {
        return timer;
    }

    /**
     * Accepts peers at an endpoint.
     *
     * @throws dev.cleave.transport.TransportException if the port is in use
     */
    public Listener listen(Endpoint endpoint) {
        return Link.listen(transport, endpoint, context, links);
    }

    /**
     * Lets an object travel as a reference as long as it lives.
     *
     * @throws IllegalArgumentException if the interface has a mistake, or another object has the number
     */
    public void offer(Object object, Reference.Number number, Offer offer) {
        references.offer(object, number, offer);
    }

    /** Takes an object back: calls of it fail from now on. Says whether peers could call it before. */
    public boolean withdraw(Object object) {
        return references.unexport(object);
    }

    /** Whether a peer holds an object of this node. */
    public boolean isHeld(Object object) {
        return references.isHeld(object);
    }

    /**
     * Returns a stub of an object.
     *
     * @param type the remote interface through which it is called
     * @param node the name of its node
     * @throws dev.cleave.transport.TransportException if the endpoint cannot be reached
     * @throws IllegalArgumentException if the interface has a mistake
     */
    public Object stub(Class<?> type, Reference.Number number, String node, Endpoint endpoint) {
        return references.stub(type, number, node, endpoint.toString());
    }

    @Override
    public void close() {
        client.close();
        links.close();
        server.close();
        transport.close();
        emulated.close();
        timer.close();
    }
}
