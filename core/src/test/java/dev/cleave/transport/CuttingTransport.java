package dev.cleave.transport;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A transport whose dialled connections can be cut while both sides live on, or made deaf, for those who break things on purpose.
 */
public final class CuttingTransport implements Transport {

    private final Transport real;
    private final List<Connection> dialled = new CopyOnWriteArrayList<>();
    private final AtomicInteger toCut = new AtomicInteger(); // of those that are dialled next

    /** Wraps a transport, which is closed with this one. */
    public CuttingTransport(Transport real) {
        this.real = requireNonNull(real, "real");
    }

    /** Cuts all connections that have been dialled, but for those to a port; returns how many. */
    public int cutAllBut(Endpoint endpoint) {
        int cut = 0;
        for (Connection connection : dialled) {
            if (!connection.isClosed() && connection.peer().port() != endpoint.port()) {
                connection.close();
                cut++;
            }
        }
        dialled.removeIf(Connection::isClosed);
        return cut;
    }

    /** The next connections that are dialled are cut as soon as they stand. */
    public void cutsNext(int connections) {
        toCut.set(connections);
    }

    /** How many of them have not been dialled yet. */
    public int toCut() {
        return toCut.get();
    }

    /** Says whether what comes over the connections that have been dialled is heard. */
    public void hears(boolean heard) {
        dialled.forEach(connection -> connection.reading(heard));
    }

    @Override
    public Connection connect(Endpoint endpoint, FrameHandler handler) {
        Connection made = real.connect(endpoint, handler);
        dialled.add(made);
        if (toCut.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            made.close();
        }
        return made;
    }

    @Override
    public Listener listen(Endpoint endpoint, Acceptor acceptor) {
        return real.listen(endpoint, acceptor);
    }

    @Override
    public void close() {
        real.close();
    }
}
