package samples.depot;

import java.io.IOException;
import java.io.Serializable;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the sockets that are made in this process, by the names of the factories. */
public record CountedSockets(String name) implements RMIClientSocketFactory, RMIServerSocketFactory, Serializable {

    private static final Map<String, AtomicInteger> MADE = new ConcurrentHashMap<>();

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        count();
        return new Socket(host, port);
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
        return new ServerSocket(port) {
            @Override
            public Socket accept() throws IOException {
                Socket accepted = super.accept();
                count();
                return accepted;
            }
        };
    }

    private void count() {
        MADE.computeIfAbsent(name, n -> new AtomicInteger()).incrementAndGet();
    }

    static int made(String name) {
        return MADE.getOrDefault(name, new AtomicInteger()).get();
    }
}
