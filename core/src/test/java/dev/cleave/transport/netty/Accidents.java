package dev.cleave.transport.netty;

import dev.cleave.testing.Seed;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Loses, doubles and delays datagrams at random. What is delayed is kept until three more have been sent, and may never be sent
 * if none follow.
 */
final class Accidents implements DatagramFaults {

    private static final int KEPT = 3;

    private final Random random;
    private final double lost;
    private final double doubled;
    private final double delayed;
    private final Deque<Runnable> kept = new ArrayDeque<>();

    private Accidents(long seed, double lost, double doubled, double delayed) {
        random = new Random(seed);
        this.lost = lost;
        this.doubled = doubled;
        this.delayed = delayed;
    }

    /** With a seed from the system property {@code seed}, or a new one, which is printed. */
    static Accidents seeded(double lost, double doubled, double delayed) {
        long seed = Seed.of(Accidents.class);
        System.out.println("seed of the accidents: " + seed);
        return new Accidents(seed, lost, doubled, delayed);
    }

    @Override
    public synchronized void send(ByteBuf datagram, Consumer<ByteBuf> wire) {
        double fate = random.nextDouble();
        if (fate < lost) {
            datagram.release();
        } else if (fate < lost + doubled) {
            wire.accept(datagram.retainedDuplicate());
            wire.accept(datagram);
        } else if (fate < lost + doubled + delayed) {
            byte[] copy = new byte[datagram.readableBytes()]; // none of a pool, for it may never be sent
            datagram.readBytes(copy);
            datagram.release();
            kept.addLast(() -> wire.accept(Unpooled.wrappedBuffer(copy)));
        } else {
            wire.accept(datagram);
        }
        if (kept.size() > KEPT) {
            kept.removeFirst().run();
        }
    }
}
