package samples.edges;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;

/** Sockets whose bytes are masked. */
public class MaskedSockets implements RMIClientSocketFactory, RMIServerSocketFactory, Serializable {

    private static final long serialVersionUID = 1;
    private static final int MASK = 0x5a;

    private static class Masking extends Socket {

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read() throws IOException {
                    int one = in.read();
                    return one < 0 ? one : (one ^ MASK) & 0xff;
                }

                @Override
                public int read(byte[] into, int from, int length) throws IOException {
                    int count = in.read(into, from, length);
                    for (int i = 0; i < count; i++) {
                        into[from + i] ^= MASK;
                    }
                    return count;
                }
            };
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(int one) throws IOException {
                    out.write(one ^ MASK);
                }
            };
        }
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        Socket socket = new Masking();
        socket.connect(new InetSocketAddress(host, port));
        return socket;
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
        return new ServerSocket(port) {
            @Override
            public Socket accept() throws IOException {
                Socket socket = new Masking();
                implAccept(socket);
                return socket;
            }
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MaskedSockets;
    }

    @Override
    public int hashCode() {
        return MASK;
    }
}
