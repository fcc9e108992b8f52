package dev.cleave.jmh.bench.bare;

import dev.cleave.jmh.bench.contender.Contender;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** The floor: blocking sockets, a connection and a server thread for each caller, a window written at once. */
public final class SocketContender implements Contender {

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
        SocketOut out = new SocketOut(socket);
        EchoServer server = new EchoServer(out);
        while (socket.read(in) >= 0) {
            server.feed(in.flip());
            in.compact();
            send(socket, out.bytes);
        }
    }

    private static void send(SocketChannel socket, ByteBuffer out) throws IOException {
        out.flip();
        while (out.hasRemaining()) {
            socket.write(out);
        }
        out.clear();
    }

    /** Sends an array behind what is in a buffer already, a buffer at a time. */
    private static void send(SocketChannel socket, ByteBuffer out, double[] values) throws IOException {
        int sent = 0;
        while (sent < values.length) {
            int count = Math.min(values.length - sent, out.remaining() / Double.BYTES);
            out.slice().order(out.order()).asDoubleBuffer().put(values, sent, count);
            out.position(out.position() + count * Double.BYTES);
            send(socket, out);
            sent += count;
        }
    }

    /** Sends bytes behind what is in a buffer already, a buffer at a time. */
    private static void send(SocketChannel socket, ByteBuffer out, ByteBuffer bytes) throws IOException {
        int end = bytes.limit();
        while (bytes.position() < end) {
            out.put(bytes.limit(Math.min(end, bytes.position() + out.remaining())));
            send(socket, out);
        }
        bytes.limit(end);
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
                    } catch (ClosedChannelException e) {
                        // The other side has gone while it was answered.
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Collects the replies to what one read has brought. */
    private static final class SocketOut implements EchoServer.Out {

        private final SocketChannel socket;
        private final ByteBuffer bytes = buffer();

        private SocketOut(SocketChannel socket) {
            this.socket = socket;
        }

        @Override
        public void reply(int caller, int length, long value) {
            EchoFrames.putReply(bytes, caller, length, value);
        }

        @Override
        public void reply(int caller, ByteBuffer body) throws IOException {
            if (body.remaining() < BytesInFlight.LEAST) {
                EchoFrames.putReply(bytes, caller, body);
            } else {
                bytes.putInt(caller).putInt(body.remaining());
                send(socket, bytes, body);
            }
        }

        @Override
        public void reply(int caller, double[] values) throws IOException {
            bytes.putInt(caller).putInt(values.length * Double.BYTES);
            send(socket, bytes, values);
        }
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
            int unused = header();
        }

        @Override
        public long echo(long value) throws IOException {
            EchoFrames.putEcho(out, 0, value);
            send(socket, out);
            return number();
        }

        @Override
        public byte[] echo(byte[] value) throws IOException {
            EchoFrames.putBytesHeader(out, 0, value.length);
            send(socket, out, ByteBuffer.wrap(value));
            return bytes();
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
        public long echoes(byte[] value, int count, int window) throws IOException {
            long sum = 0;
            for (int first = 0; first < count; first += window) {
                int end = Math.min(count, first + window);
                for (int i = first; i < end; i++) {
                    EchoFrames.putBytes(out, 0, value);
                }
                send(socket, out);
                for (int i = first; i < end; i++) {
                    sum += bytes().length;
                }
            }
            return sum;
        }

        @Override
        public double ends(double[] values) throws IOException {
            out.put(EchoFrames.ENDS).putInt(0).putInt(values.length * Double.BYTES);
            send(socket, out, values);
            return Double.longBitsToDouble(number());
        }

        @Override
        public double[] doubles(int count) throws IOException {
            EchoFrames.putDoubles(out, 0, count);
            send(socket, out);
            ArrayInFlight array = new ArrayInFlight(header() / Double.BYTES);
            while (!array.fill(in)) {
                read();
            }
            return array.values();
        }

        private long number() throws IOException {
            receive(header());
            return in.getLong();
        }

        private byte[] bytes() throws IOException {
            BytesInFlight bytes = new BytesInFlight(header());
            while (!bytes.fill(in)) {
                read();
            }
            return bytes.bytes();
        }

        /** Reads the header of a reply, and returns the length of what follows. */
        private int header() throws IOException {
            receive(EchoFrames.REPLY_HEADER);
            int unused = in.getInt();
            return in.getInt();
        }

        private void receive(int bytes) throws IOException {
            while (in.remaining() < bytes) {
                read();
            }
        }

        private void read() throws IOException {
            in.compact();
            int read = socket.read(in);
            in.flip();
            if (read < 0) {
                throw new EOFException("the server closed the connection");
            }
        }
    }
}
