package dev.cleave.testing;

import dev.cleave.transport.Connection;
import dev.cleave.transport.Transport;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A transport of one node that holds the frames of calls and keys of lanes that the node sends to others, each until it is let go; frames
 * behind it wait, too. {@link #kill} ends all connections, and no other is made.
 */
public final class FrameGate extends WrappedTransport {

    private static final Set<FrameKind> HELD =
            EnumSet.of(FrameKind.REQUEST, FrameKind.REPLY, FrameKind.FAILURE, FrameKind.LANE_SHARE);

    private final List<Gated> connections = new CopyOnWriteArrayList<>();
    private final Object lock = new Object();
    private boolean holds; // guarded by lock
    private boolean killed; // guarded by lock
    private int requests; // guarded by lock

    /** Wraps a transport. */
    public FrameGate(Transport real) {
        super(real);
    }

    @Override
    protected Half half() {
        Gated gated = new Gated();
        connections.add(gated);
        return gated;
    }

    /** Holds frames from now on. */
    public void hold() {
        synchronized (lock) {
            holds = true;
            requests = 0;
        }
    }

    /** Lets all frames go, and holds none. */
    public void open() {
        synchronized (lock) {
            holds = false;
            connections.forEach(Gated::letAllGo);
        }
    }

    /** How many requests the node has sent, or wanted to send, since {@link #hold}. */
    public int requests() {
        synchronized (lock) {
            return requests;
        }
    }

    /** Lets the next frame to a node go; false if none is held. */
    public boolean letGo(String node, FrameKind kind) {
        synchronized (lock) {
            return connections.stream().anyMatch(each -> node.equals(each.peer) && each.letGo(kind));
        }
    }

    /** Ends all connections of the node, as if its process had died. */
    public void kill() {
        synchronized (lock) {
            killed = true;
        }
        connections.stream()
                .filter(each -> each.isOpen)
                .forEach(Connection::close); // the others are closed when they open
    }

    @Override
    public void close() {
        connections.forEach(Gated::drop);
        super.close();
    }

    private final class Gated extends Half {

        private final Queue<ByteBuf> held = new ArrayDeque<>(); // guarded by lock
        private volatile String peer = "";
        private volatile boolean isOpen;

        @Override
        public void onOpen(Connection connection) {
            super.onOpen(connection);
            isOpen = true;
            synchronized (lock) {
                if (!killed) {
                    return;
                }
            }
            close();
        }

        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            isOpen = true;
            if (Header.kind(frame) == FrameKind.HELLO) {
                peer = Hello.read(frame.duplicate()).node();
            }
            super.onFrame(connection, frame);
        }

        @Override
        public void write(ByteBuf frame) {
            synchronized (lock) {
                requests += Header.kind(frame) == FrameKind.REQUEST ? 1 : 0;
                if (held.isEmpty() && !(holds && HELD.contains(Header.kind(frame)))) {
                    super.write(frame);
                } else {
                    held.add(frame);
                }
            }
        }

        private boolean letGo(FrameKind kind) {
            ByteBuf next = held.peek();
            if (next == null || Header.kind(next) != kind) {
                return false;
            }
            super.write(held.remove());
            while (!held.isEmpty() && !HELD.contains(Header.kind(held.peek()))) {
                super.write(held.remove());
            }
            flush();
            return true;
        }

        private void letAllGo() {
            boolean any = !held.isEmpty();
            while (!held.isEmpty()) {
                super.write(held.remove());
            }
            if (any) {
                flush();
            }
        }

        private void drop() {
            synchronized (lock) {
                held.forEach(ByteBuf::release);
                held.clear();
            }
        }

        @Override
        public void onClose(Connection connection, Throwable cause) {
            drop();
            connections.remove(this);
            super.onClose(connection, cause);
        }
    }
}
