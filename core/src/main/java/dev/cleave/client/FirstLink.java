package dev.cleave.client;

import dev.cleave.call.Link;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Timer;
import dev.cleave.transport.HandshakeException;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.ErrorCode;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The first link of a node to its broker, which may start after the node.
 *
 * @param dialler makes a link
 * @param timer the clock
 * @param random spreads the dials of nodes that start together
 */
record FirstLink(Supplier<Link> dialler, Timer timer, RandomGenerator random) {

    /** How often a broker that accepts and says no HELLO is dialled without patience. */
    static final int MUTE_DIALS = 6;

    private static final System.Logger LOG = SafeLog.of(FirstLink.class);
    private static final long FIRST_WAIT_MILLIS = 100;
    private static final long LONGEST_WAIT_MILLIS = 500;

    /**
     * Dials until a broker answers with HELLO, and returns that link.
     *
     * @param patience how long to dial again while the broker cannot be reached
     * @throws TransportException if no broker answers in that time, the thread is interrupted, or the broker refuses
     *     this node
     */
    Link dial(Duration patience) {
        long until = timer.nanos() + patience.toNanos();
        long wait = FIRST_WAIT_MILLIS;
        for (int dials = 1; ; dials++) {
            try {
                return dialler.get();
            } catch (TransportException e) {
                long left = TimeUnit.NANOSECONDS.toMillis(until - timer.nanos());
                if (has(e, ErrorCode.DEADLINE) && dials < MUTE_DIALS) {
                    LOG.log(System.Logger.Level.WARNING, "dials again: {0}", e.getMessage());
                    continue;
                }
                if (left <= 0 || Thread.currentThread().isInterrupted() || isRefused(e)) {
                    throw e;
                }
                if (dials == 1) {
                    LOG.log(
                            System.Logger.Level.INFO,
                            "no broker yet, waiting for it for {0} s: {1}",
                            patience.toMillis() / 1_000.0,
                            e.getMessage());
                }
                sleep(Math.min(left, random.nextLong(wait) + 1), e);
                wait = Math.min(2 * wait, LONGEST_WAIT_MILLIS);
            }
        }
    }

    /** Whether the next dial would fail as well. */
    private static boolean isRefused(TransportException failure) {
        return failure.getCause() instanceof HandshakeException
                && !has(failure, ErrorCode.DEADLINE)
                && !has(failure, ErrorCode.CONNECTION_LOST)
                && !has(failure, ErrorCode.OVERLOAD);
    }

    private static boolean has(TransportException failure, ErrorCode code) {
        return failure.getCause() instanceof HandshakeException handshake && handshake.code() == code;
    }

    private static void sleep(long millis, TransportException failure) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure;
        }
    }
}
