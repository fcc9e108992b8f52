package dev.cleave.broker.relay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;

/**
 * A client and a server that it calls.
 *
 * <p>Each has a number on the other's connection. The client's number on the server's connection is free again when the
 * client has left and the server has answered all its calls: what comes with that number later is somebody else's.
 */
final class Pair {

    /** The server has announced more types than are kept. */
    static final int TOO_MANY = -1;

    private static final int MOST_TYPE_BYTES = 4 << 10;

    private final ClientSide client;
    private final ServerSide server;
    private final int clientNumber;
    private final int serverNumber;
    private int replayed; // client's event thread only
    private long lastTook; // client's event thread only
    private byte[] types = new byte[0]; // server's event thread only
    private int typeFrames; // server's event thread only

    @GuardedBy("this")
    private int inFlight;

    @GuardedBy("this")
    private boolean left;

    /**
     * Creates a pair without calls.
     *
     * @param clientNumber names the client on the server's connection
     * @param serverNumber names the server on the client's connection
     */
    Pair(ClientSide client, ServerSide server, int clientNumber, int serverNumber) {
        this.client = client;
        this.server = server;
        this.clientNumber = clientNumber;
        this.serverNumber = serverNumber;
    }

    ClientSide client() {
        return client;
    }

    ServerSide server() {
        return server;
    }

    int clientNumber() {
        return clientNumber;
    }

    int serverNumber() {
        return serverNumber;
    }

    /** How many of the client's announcements the server has got. */
    int replayed() {
        return replayed;
    }

    void replayed(int count) {
        replayed = count;
    }

    /** When, in the client's count, the server last took a call while it was writable. */
    long lastTook() {
        return lastTook;
    }

    void lastTook(long count) {
        lastTook = count;
    }

    /** The server announces types to the client: a frame, which stays the caller's. Server's event thread only. */
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

    /** How many frames of types the server has announced; {@link #TOO_MANY} if they are not kept. Server's event thread only. */
    int typeFrames() {
        return typeFrames;
    }

    /** Those frames, one behind the other. Server's event thread only. */
    ByteBuf types() {
        return Unpooled.wrappedBuffer(types);
    }

    synchronized void begin() {
        inFlight++;
    }

    /** A call has ended; says whether the client had left and this was its last. */
    synchronized boolean end() {
        inFlight--;
        return left && inFlight == 0;
    }

    /** The client leaves; says whether it has no calls in flight. */
    synchronized boolean leave() {
        left = true;
        return inFlight == 0;
    }
}
