package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.SafeLog;
import dev.cleave.metrics.Refusals;
import dev.cleave.serial.SerialException;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Peer;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.GoAway;
import dev.cleave.wire.Header;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The part of a connection that nodes and brokers share: gives a frame to the handler of its kind, drops a request
 * that has come before, and ends the connection at a frame that is malformed or not allowed. Keeps why the connection
 * ended. Frames come on the event thread; the other methods may be called on any thread.
 *
 * @param <S> the session of the connection, which the handlers get
 */
public final class LinkCore<S> {

    private static final System.Logger LOG = SafeLog.of(LinkCore.class);

    private final Connection connection;
    private final Peer peer;
    private final FrameTable<S> table;
    private final boolean leadsToOthers;
    private final ReceivedNumbers requests = new ReceivedNumbers();
    private volatile @Nullable String why;
    private Exiling<S> exiling = (session, frame, code, because) -> false;

    /**
     * Turns away a peer behind the one at the other end, which has broken the protocol.
     *
     * @param <S> the session of the connection
     */
    @FunctionalInterface
    interface Exiling<S> {

        /** Turns the peer of a wrong frame away; returns false if the connection has to end instead. Event thread only. */
        boolean exile(S session, ByteBuf frame, ErrorCode code, String because);
    }

    /**
     * Creates the core of an open connection.
     *
     * @param table the handlers of the frames
     * @param leadsToOthers whether frames may belong to peers behind the one at the other end; if not, their peer is 0
     */
    public LinkCore(Connection connection, Peer peer, FrameTable<S> table, boolean leadsToOthers) {
        this.connection = requireNonNull(connection, "connection");
        this.peer = requireNonNull(peer, "peer");
        this.table = requireNonNull(table, "table");
        this.leadsToOthers = leadsToOthers;
    }

    /** The connection. */
    public Connection connection() {
        return connection;
    }

    /** The node or broker at the other end. */
    public Peer peer() {
        return peer;
    }

    /** Whether frames may belong to peers behind the one at the other end. */
    boolean leadsToOthers() {
        return leadsToOthers;
    }

    /** Whether both ends have a feature, one of the constants of {@link dev.cleave.wire.Hello}. */
    public boolean has(long feature) {
        return (peer.features() & feature) != 0;
    }

    /** Turns peers behind the one at the other end away from now on, where until now the connection ended. */
    void exiles(Exiling<S> way) {
        exiling = way;
    }

    /** Gives a frame to its handler. The caller keeps the frame. */
    public void handle(S session, ByteBuf frame) {
        int header = frame.readerIndex();
        try {
            long first = Header.first(frame);
            FrameKind kind = Header.kindOf(first);
            if (!leadsToOthers && Header.peerOf(first) != 0) {
                throw new WireException(
                        ErrorCode.PROTOCOL,
                        kind + " of peer " + Header.peerOf(first) + " (expected: 0 on a direct connection)");
            }
            if (kind != FrameKind.REQUEST || requests.isFirst(Header.id(frame))) {
                table.handle(session, kind, frame);
            }
        } catch (WireException | SerialException e) {
            String because = String.valueOf(e.getMessage());
            boolean isExiled = leadsToOthers
                    && Header.peer(frame.readerIndex(header)) != 0
                    && exiling.exile(session, frame, Failures.code(e), because);
            if (!isExiled) {
                refuse(Failures.code(e), because);
            }
        }
    }

    /** Returns why this side closed the connection, or why the peer said that it did; null if neither did. */
    public @Nullable String why() {
        return why;
    }

    /** Closes the connection because the peer asks for it. */
    void closedByPeer(GoAway said) {
        why = said.text();
        connection.close();
    }

    /** Tells the peer what is wrong, and closes the connection. */
    public void refuse(ErrorCode code, String because) {
        Refusals.count("closed." + code);
        LOG.log(
                System.Logger.Level.WARNING,
                "closing the connection to {0} at {1}: {2}",
                peer.shown(),
                connection.peer(),
                because);
        why = because;
        connection.write(new GoAway(code, because).write(connection.allocator()));
        connection.flush();
        connection.close();
    }

    /** Closes the connection to a peer that is taken for dead. */
    void giveUp(String because) {
        Refusals.count("given-up");
        LOG.log(System.Logger.Level.WARNING, "giving up {0} at {1}: {2}", peer.shown(), connection.peer(), because);
        why = because;
        connection.close();
    }
}
