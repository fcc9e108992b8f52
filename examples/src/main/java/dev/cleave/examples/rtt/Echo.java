package dev.cleave.examples.rtt;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** The bare link: sends back each {@value #BYTES} bytes that come. Prints {@code listening PORT}; ends with its connection. */
public final class Echo {

    /** The bytes of a request without arguments. */
    static final int BYTES = 28;

    private Echo() {}

    /** Takes no argument. */
    public static void main(String[] args) throws IOException {
        try (ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            System.out.println("listening " + door.getLocalPort());
            try (Socket peer = door.accept()) {
                peer.setTcpNoDelay(true);
                DataInputStream in = new DataInputStream(peer.getInputStream());
                OutputStream out = peer.getOutputStream();
                byte[] message = new byte[BYTES];
                for (int first = in.read(); first >= 0; first = in.read()) {
                    message[0] = (byte) first;
                    in.readFully(message, 1, BYTES - 1);
                    out.write(message);
                }
            }
        }
    }
}
