package dev.cleave.jmh.bench.calls;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** The floor: blocking sockets, a connection and a server thread for each caller, a window written at once. */
final class SocketContender implements Contender {

    private static final int BUFFER = 256 << 10;

    @Override
    public String serve(String broker) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        start("accept", () -> {
            while (true) {
                SocketChannel accepted = listener.accept();
                start("connection", () -> serve(accepted));
            }
        });
        return Integer.toString(((InetSocketAddress) listener.getLocalAddress()).getPort());
    }

    @Override
    public Connected connect(String where) {
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(where));
        return () -> new SocketCaller(SocketChannel.open(server));
    }

    private static void serve(SocketChannel socket) throws IOException {
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        ByteBuffer in = buffer();
        ByteBuffer out = buffer();
        EchoServer server = new EchoServer((caller, length, value) -> EchoFrames.putReply(out, caller, length, value));
        while (socket.read(in) >= 0) {
            server.feed(in.flip());
            in.compact();
            send(socket, out);
        }
    }

    private static void send(SocketChannel socket, ByteBuffer out) throws IOException {
        out.flip();
        while (out.hasRemaining()) {
            socket.write(out);
        }
        out.clear();
    }

    private static ByteBuffer buffer() {
        return ByteBuffer.allocateDirect(BUFFER).order(ByteOrder.LITTLE_ENDIAN);
    }

    private interface Service {

        void run() throws IOException;
    }

    private static void start(String name, Service service) {
        Thread thread = new Thread(
                () -> {
                    try {
                        service.run();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    private static final class SocketCaller implements Caller {

        private final SocketChannel socket;
        private final ByteBuffer in = buffer();
        private final ByteBuffer out = buffer();

        private SocketCaller(SocketChannel socket) throws IOException {
            this.socket = socket;
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            in.flip();
        }

        @Override
        public void nothing() throws IOException {
            EchoFrames.putNothing(out, 0);
            send(socket, out);
            receive(EchoFrames.REPLY_HEADER);
            in.position(in.position() + EchoFrames.REPLY_HEADER);
        }

        @Override
        public long echo(long value) throws IOException {
            EchoFrames.putEcho(out, 0, value);
            send(socket, out);
            return number();
        }

        @Override
        public long echoes(int count, int window) throws IOException {
            long sum = 0;
            for (int first = 0; first < count; first += window) {
                int end = Math.min(count, first + window);
                for (int i = first; i < end; i++) {
                    EchoFrames.putEcho(out, 0, i);
                }
                send(socket, out);
                for (int i = first; i < end; i++) {
                    sum += number();
                }
            }
            return sum;
        }

        @Override
        public double ends(double[] values) throws IOException {
            out.put(EchoFrames.ENDS).putInt(0).putInt(values.length * Double.BYTES);
            int sent = 0;
            while (sent < values.length) {
                int count = Math.min(values.length - sent, out.remaining() / Double.BYTES);
                out.slice().order(out.order()).asDoubleBuffer().put(values, sent, count);
                out.position(out.position() + count * Double.BYTES);
                send(socket, out);
                sent += count;
            }
            return Double.longBitsToDouble(number());
        }

        private long number() throws IOException {
            receive(EchoFrames.REPLY_HEADER + Long.BYTES);
            long number = in.getLong(in.position() + EchoFrames.REPLY_HEADER);
            in.position(in.position() + EchoFrames.REPLY_HEADER + Long.BYTES);
            return number;
        }

        private void receive(int bytes) throws IOException {
            while (in.remaining() < bytes) {
                in.compact();
                int read = socket.read(in);
                in.flip();
                if (read < 0) {
                    throw new EOFException("the server closed the connection");
                }
            }
        }
    }
}
