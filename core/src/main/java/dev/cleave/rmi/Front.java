package dev.cleave.rmi;

import static java.util.Objects.requireNonNull;

import dev.cleave.transport.Listener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A port at which this process listens for both protocols, as RMI sees it: a server socket that accepts the connections
 * that begin as RMI's do. At most {@value #MOST_WAITING} of them wait to be accepted.
 */
final class Front extends ServerSocket {

    private static final int MOST_WAITING = 1024;

    private final Listener listener;
    private final Runnable whenClosed;
    private final BlockingQueue<Socket> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
    private volatile boolean closed;

    Front(Listener listener, Runnable whenClosed) throws IOException {
        super();
        this.listener = requireNonNull(listener, "listener");
        this.whenClosed = requireNonNull(whenClosed, "whenClosed");
    }

    /** Takes a connection; says whether there is room for it. */
    boolean came(Socket socket) {
        return !closed && waiting.offer(socket);
    }

    @Override
    public Socket accept() throws IOException {
        try {
            Socket next = waiting.take();
            if (closed) {
                throw new SocketException("Socket closed");
            }
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SocketException("interrupted");
        }
    }

    @Override
    public int getLocalPort() {
        return listener.endpoint().port();
    }

    @Override
    public InetAddress getInetAddress() {
        return new InetSocketAddress(0).getAddress();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return new InetSocketAddress(getLocalPort());
    }

    @Override
    public boolean isBound() {
        return true;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        listener.close();
        whenClosed.run();
        boolean unused = waiting.offer(new Socket()); // wakes the thread that accepts
    }

    @Override
    public String toString() {
        return "Front[" + getLocalPort() + "]";
    }
}
