package dev.cleave.transport.netty;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.time.Duration;

/**
 * The options of a {@link NettyTransport}.
 *
 * @param poller how it waits for the kernel
 * @param threads the number of event loops
 * @param connectTimeout how long a connect may take
 * @param allocator allocates the buffers
 * @param sameHost how peers on the same host are reached
 * @param checks which plain connections want checksums of frames
 */
public record NettyOptions(
        Poller poller,
        int threads,
        Duration connectTimeout,
        ByteBufAllocator allocator,
        SameHostBy sameHost,
        Checks checks) {

    /** The system property that is set to {@code tcp} to switch unix domain sockets off. */
    public static final String SAME_HOST_PROPERTY = "cleave.samehost";

    /** The default options. */
    public static final NettyOptions DEFAULT = new NettyOptions(
            Poller.BEST,
            Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors() / 2)),
            Duration.ofSeconds(3),
            PooledByteBufAllocator.DEFAULT,
            "tcp".equals(System.getProperty(SAME_HOST_PROPERTY)) ? SameHostBy.TCP : SameHostBy.UNIX_SOCKET);

    /** How an event loop waits for the kernel. */
    public enum Poller {
        /** Epoll where its native library loads, else NIO. */
        BEST,
        /** Java's own selector, on any machine. */
        NIO
    }

    /** How peers on the same host are reached. */
    public enum SameHostBy {
        /** By a unix domain socket if both sides have epoll and run as the same user, else by TCP. */
        UNIX_SOCKET,
        /** By TCP, like peers on other hosts. */
        TCP
    }

    /** Says which connections without encryption want checksums of frames. */
    public enum Checks {
        /** Connections between two hosts. */
        BETWEEN_HOSTS,
        /** All of TCP, as if peers were always on other hosts. */
        ALL
    }

    /** Options with checksums between hosts. */
    public NettyOptions(
            Poller poller, int threads, Duration connectTimeout, ByteBufAllocator allocator, SameHostBy sameHost) {
        this(poller, threads, connectTimeout, allocator, sameHost, Checks.BETWEEN_HOSTS);
    }

    /** Options for TCP alone. */
    public NettyOptions(Poller poller, int threads, Duration connectTimeout, ByteBufAllocator allocator) {
        this(poller, threads, connectTimeout, allocator, SameHostBy.TCP);
    }

    /** Checks its components. */
    public NettyOptions {
        requireNonNull(sameHost, "sameHost");
        requireNonNull(checks, "checks");
        requireNonNull(poller, "poller");
        requireNonNull(allocator, "allocator");
        if (threads < 1) {
            throw new IllegalArgumentException("threads: " + threads + " (expected: at least 1)");
        }
        if (connectTimeout.toMillis() < 1 || connectTimeout.toMillis() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("connectTimeout: " + connectTimeout + " (expected: at least 1 ms)");
        }
    }
}
