package dev.cleave.transport.netty;

import dev.cleave.transport.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports for tests. */
final class TcpPorts {

    private TcpPorts() {}

    static Endpoint free() {
        return Endpoint.tcp("localhost", 0);
    }

    /** A port that was just free. */
    static Endpoint deserted() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return Endpoint.tcp("localhost", socket.getLocalPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
