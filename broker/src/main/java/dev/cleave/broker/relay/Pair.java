package dev.cleave.broker.relay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.replica.Placement;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client and a server that it calls.
 *
 * <p>Each has a number on the other's connection. The client's number on the server's connection is free again when the
 * client has left and the server has answered all its calls: a frame that comes later with that number belongs to
 * another client.
 */
final class Pair {

    /** The bytes that may wait for one side that does not read before the broker stops reading from the other side. */
    static final long MAX_BACKLOG = 8 << 20;

    /** Says that the server has announced more types than are kept. */
    static final int TOO_MANY = -1;

    private static final int MOST_TYPE_BYTES = 4 << 10;

    private final Client client;
    private final Server server;
    private final int clientNumber;
    private final int serverNumber;
    private int replayed; // client's event thread only
    private boolean introduced; // client's event thread only
    private long lastTook; // client's event thread only
    private byte[] types = new byte[0]; // server's event thread only
    private int typeFrames; // server's event thread only

    @GuardedBy("this")
    private int inFlight;

    @GuardedBy("this")
    private boolean left;

    /** The client side of a pair, for servers. Thread-safe. */
    interface Client {

        Connection connection();

        /** Stops reading from it. */
        BackPressure pressure();

        /** The reason not to read from it while none of several servers takes frames. */
        Object anyRoom();

        /** Returns the numbers of peers on its connection. */
        PeerNumbers numbers();

        /** Returns the server side of the same connection, for calls back. */
        Server same();

        /** Whether its connection is gone. */
        boolean isClosed();

        /** Records a server that knows it from now on, until {@link #gone}. */
        void met(Pair pair);

        /** Counts a call that has been sent. */
        void entered(Call call);

        /** Removes a call that has ended; returns whether it was in flight until now. */
        boolean ended(Call call);

        /** Keeps the outcome of a call; {@code frame} is the last frame of its answer, which the caller keeps. */
        void remember(Call call, ByteBuf frame);

        /** Writes a frame of a server, which it takes over, without a flush. */
        void deliver(ByteBuf frame, Server from);

        /** Sends a call that has not begun to the replica of a name. */
        void moved(Call call, String replica);

        /** Handles that the connection of the server, at {@code server}, broke while it had a call. */
        void lost(Call call, Endpoint server);

        /** Handles that the connection of a server is gone. */
        void gone(Pair pair);

        /** Handles that the broker hears nothing of the server that has these calls. */
        void suspected(List<Long> calls);
    }

    /** The server side of a pair, for clients. Thread-safe. */
    interface Server {

        Connection connection();

        /** Stops reading from it. */
        BackPressure pressure();

        /** Makes a client known, and tells it; null if the server is gone or one of the two has no number left. */
        @Nullable
        Pair meet(Client client);

        /**
         * Enters a call, whose request is written next; null if the server is gone or has too many calls.
         *
         * @param clientId its number on the client's connection
         * @param placement its account at the replica, null if none is kept
         * @param kept its request, if it may move to another replica
         */
        @Nullable
        Call begin(Pair pair, long clientId, @Nullable Placement placement, @Nullable KeptRequest kept);

        /** Asks the server, once, to say which calls of a service have begun, if it can. */
        void pull(String service);

        /** Stops reading from a client until what has been written to the server has drained. */
        void hold(Client client);

        /** Writes a part of a large argument, or credit, which it takes over, without a flush. */
        void deliver(ByteBuf frame, Client from);

        /** Tells the server, without a flush, that a call is not wanted. */
        void cancel(Call call);

        /** Tells the server, without a flush, that the client of a call is gone: a call that runs goes on. */
        void callerGone(Call call);

        /** Frees the number of a client that has left when its calls have ended. */
        void leave(Pair pair);
    }

    /**
     * A call in flight.
     *
     * @param pair the client and the server
     * @param clientId its number on the client's connection
     * @param serverId its number on the server's connection
     * @param placement its account at the replica, null if none is kept
     * @param kept its request, if it may move to another replica
     */
    record Call(
            Pair pair,
            long clientId,
            long serverId,
            @Nullable Placement placement,
            @Nullable KeptRequest kept) {

        /** Ends the account of the call. */
        void ended() {
            pair.client().ended(this);
            left();
            if (kept != null) {
                kept.release();
            }
        }

        /** Ends the account of the call at the server, which has it no longer. */
        void left() {
            if (placement != null) {
                placement.end();
            }
        }
    }

    /**
     * Creates a pair without calls.
     *
     * @param clientNumber names the client on the server's connection
     * @param serverNumber names the server on the client's connection
     */
    Pair(Client client, Server server, int clientNumber, int serverNumber) {
        this.client = client;
        this.server = server;
        this.clientNumber = clientNumber;
        this.serverNumber = serverNumber;
    }

    Client client() {
        return client;
    }

    Server server() {
        return server;
    }

    int clientNumber() {
        return clientNumber;
    }

    int serverNumber() {
        return serverNumber;
    }

    /** Returns how many of the client's announcements the server has got. */
    int replayed() {
        return replayed;
    }

    void replayed(int count) {
        replayed = count;
    }

    /** Whether the server knows the identity of the client. Client's event thread only. */
    boolean isIntroduced() {
        return introduced;
    }

    /** Records that the server has been told the identity of the client. Client's event thread only. */
    void introduced() {
        introduced = true;
    }

    /** Returns when, in the client's count, the server last took a call while it was writable. */
    long lastTook() {
        return lastTook;
    }

    void lastTook(long count) {
        lastTook = count;
    }

    /**
     * Keeps the types that the server announces to the client. The caller keeps the frame. Server's event thread only.
     */
    void announced(ByteBuf frame) {
        int before = types.length;
        if (typeFrames == TOO_MANY || before + frame.readableBytes() > MOST_TYPE_BYTES) {
            types = new byte[0];
            typeFrames = TOO_MANY;
            return;
        }
        types = Arrays.copyOf(types, before + frame.readableBytes());
        frame.getBytes(frame.readerIndex(), types, before, frame.readableBytes());
        typeFrames++;
    }

    /**
     * How many frames of types the server has announced; {@link #TOO_MANY} if they are not kept. Server's event thread
     * only.
     */
    int typeFrames() {
        return typeFrames;
    }

    /** Returns the kept frames of types, one behind the other. Server's event thread only. */
    ByteBuf types() {
        return Unpooled.wrappedBuffer(types);
    }

    synchronized void begin() {
        inFlight++;
    }

    /** Counts a call that has ended; returns whether the client had left and this was its last one. */
    synchronized boolean end() {
        inFlight--;
        return left && inFlight == 0;
    }

    /** Records that the client leaves; returns whether it has no calls in flight. */
    synchronized boolean leave() {
        left = true;
        return inFlight == 0;
    }
}
