package dev.cleave.admin;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.SafeLog;
import dev.cleave.metrics.MetricValue;
import dev.cleave.metrics.Samples;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers three questions about a node or broker by HTTP: {@code /ready} (it may get calls), {@code /live} (it works), and
 * {@code /metrics} in the text format of Prometheus. The first two are answered by 200 or 503.
 *
 * <p>At most {@value #THREADS} connections are served at the same time and {@value #BACKLOG} wait; each gets one answer within
 * {@value #MOST_MILLIS} ms and is closed, and of its request at most {@value #MOST_BYTES} bytes are read. Thread-safe.
 */
public final class AdminServer implements AutoCloseable {

    static final int THREADS = 4;
    static final int BACKLOG = 16;
    static final int MOST_MILLIS = 2_000;
    static final int MOST_BYTES = 8 << 10;

    /** The system property of the folder in which files name the ports. */
    public static final String TOLD_PROPERTY = "cleave.admin.told";

    private static final System.Logger LOG = SafeLog.of(AdminServer.class);

    private final ServerSocket socket;
    private final Subject subject;
    private final Map<Socket, Long> ends = new ConcurrentHashMap<>(); // when the open connections end, in ns

    /** The node or broker that is asked about. Its methods are called by threads of the server, and return soon. */
    public interface Subject {

        /** Whether it may get calls. */
        boolean isReady();

        /** Whether it works. */
        boolean isLive();

        /** Its values. */
        List<MetricValue> samples();

        /** A subject of three answers. */
        static Subject of(BooleanSupplier ready, BooleanSupplier live, Supplier<List<MetricValue>> samples) {
            return new Subject() {
                @Override
                public boolean isReady() {
                    return ready.getAsBoolean();
                }

                @Override
                public boolean isLive() {
                    return live.getAsBoolean();
                }

                @Override
                public List<MetricValue> samples() {
                    return samples.get();
                }
            };
        }
    }

    private AdminServer(ServerSocket socket, Subject subject) {
        this.socket = socket;
        this.subject = requireNonNull(subject, "subject");
    }

    /**
     * Starts to answer.
     *
     * @param host where it listens; null for loopback
     * @param port 0 for one that the system chooses
     * @throws UncheckedIOException if the address is in use or not one of this machine
     */
    public static AdminServer start(@Nullable String host, int port, Subject subject) {
        try {
            InetAddress at = host == null ? InetAddress.getLoopbackAddress() : InetAddress.getByName(host);
            ServerSocket socket = new ServerSocket();
            try {
                socket.bind(new InetSocketAddress(at, port), BACKLOG);
            } catch (IOException e) {
                socket.close();
                throw e;
            }
            AdminServer server = new AdminServer(socket, subject);
            tell(server.port());
            for (int i = 1; i <= THREADS; i++) {
                Thread thread = new Thread(server::serve, "cleave-admin-" + server.port() + "-" + i);
                thread.setDaemon(true);
                thread.start();
            }
            Thread clock = new Thread(server::endOverdue, "cleave-admin-" + server.port() + "-clock");
            clock.setDaemon(true);
            clock.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "admin port: " + (host == null ? "localhost" : host) + ":" + port + ": " + e.getMessage(), e);
        }
    }

    /** Makes an empty file whose name is the numbers of process and port: the parent of the process finds the port there. */
    private static void tell(int port) throws IOException {
        String folder = System.getProperty(TOLD_PROPERTY);
        if (folder != null) {
            Files.createFile(Path.of(folder, ProcessHandle.current().pid() + "-" + port));
        }
    }

    /** Where it listens: the port that was asked for, or the one that the system has chosen. */
    public int port() {
        return socket.getLocalPort();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "end of the admin port", e);
        }
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (Socket peer = socket.accept()) {
                ends.put(peer, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS));
                try {
                    if (!socket.isClosed()) { // a thread that waits to accept may still get a connection after the end
                        answer(peer);
                    }
                } finally {
                    ends.remove(peer);
                }
            } catch (IOException e) { // the peer is gone or slow, or the server is closed
                LOG.log(System.Logger.Level.DEBUG, "admin port: {0}", String.valueOf(e.getMessage()));
            } catch (Throwable e) { // an Error, too: the thread goes on
                LOG.log(System.Logger.Level.WARNING, "admin port", e);
            }
        }
    }

    /** Closes connections whose time is over: the write to a peer that does not read would block for ever. */
    private void endOverdue() {
        while (!socket.isClosed()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS / 4));
            for (Map.Entry<Socket, Long> each : ends.entrySet()) {
                if (System.nanoTime() - each.getValue() > 0) {
                    close(each.getKey());
                }
            }
        }
    }

    private static void close(Socket peer) {
        try {
            peer.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "admin port: {0}", String.valueOf(e.getMessage()));
        }
    }

    private void answer(Socket peer) throws IOException {
        String request = firstLine(peer);
        String[] words = request.split(" ", 3);
        boolean isRead = words.length == 3 && (words[0].equals("GET") || words[0].equals("HEAD"));
        String path = isRead ? words[1].split("\\?", 2)[0] : "";
        Answer answer =
                switch (path) {
                    case "/ready" -> state(subject.isReady(), "ready");
                    case "/live" -> state(subject.isLive(), "live");
                    case "/metrics" ->
                        new Answer(
                                "200 OK",
                                "text/plain; version=0.0.4; charset=utf-8",
                                Samples.prometheus(subject.samples()));
                    case "" -> new Answer("405 Method Not Allowed", "text/plain", "expected: GET\n");
                    default -> new Answer("404 Not Found", "text/plain", "expected: /ready, /live or /metrics\n");
                };
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + answer.status() + "\r\nContent-Type: " + answer.type() + "\r\nContent-Length: "
                + body.length + "\r\nConnection: close\r\n\r\n";
        OutputStream out = peer.getOutputStream();
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        if (!words[0].equals("HEAD")) {
            out.write(body);
        }
        out.flush();
        peer.shutdownOutput();
    }

    private record Answer(String status, String type, String body) {}

    private static Answer state(boolean holds, String word) {
        return holds
                ? new Answer("200 OK", "text/plain", word + "\n")
                : new Answer("503 Service Unavailable", "text/plain", "not " + word + "\n");
    }

    /** Reads a request to the empty line at its end; returns its first line. */
    private static String firstLine(Socket peer) throws IOException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS);
        byte[] bytes = new byte[MOST_BYTES];
        InputStream in = peer.getInputStream();
        int length = 0;
        while (length < MOST_BYTES) {
            long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            if (left <= 0) {
                throw new SocketTimeoutException("no request within " + MOST_MILLIS + " ms");
            }
            peer.setSoTimeout((int) left);
            int read = in.read(bytes, length, MOST_BYTES - length);
            if (read < 0) {
                break;
            }
            length += read;
            String text = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
            if (text.contains("\r\n\r\n") || text.contains("\n\n")) {
                return text.lines().findFirst().orElse("");
            }
        }
        throw new IOException("no request of at most " + MOST_BYTES + " bytes");
    }
}
