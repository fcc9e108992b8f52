package dev.cleave.lab.chaos;

import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Route;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Faults that cuts by chance seldom make, staged frame by frame at the connections which clients have dialled. What a client is made to
 * hear passes its planted defect, as what it hears from its peers does. Thread-safe.
 */
final class StagedFaults {

    private static final String REFUSED = "again(";
    private static final int PATIENCE_SECONDS = 60;

    private final Set<Staged> toBrokers = ConcurrentHashMap.newKeySet();
    private volatile boolean holdsCancels;
    private volatile boolean losesAndRefuses;
    private final AtomicBoolean isLost = new AtomicBoolean();

    /** The faults of a connection whose process has a defect. */
    FrameDefect of(FaultyTransport.Pipe pipe, FrameDefect planted) {
        return new Staged(pipe, planted);
    }

    /** Cancels do not leave while this is true: they are still on their way. */
    void holdCancels(boolean holds) {
        holdsCancels = holds;
    }

    /**
     * While this is true, the first answer to an idempotent call is lost, of which the client is told that the call may have been
     * executed; each later request is refused in its server's place, as by a full queue.
     */
    void loseAndRefuse(boolean does) {
        isLost.set(false);
        losesAndRefuses = does;
    }

    /** Tells all clients that a service has no replica, as a broker does that was frozen and has lost its connections. */
    void tellOfNone(String service, long version) throws InterruptedException {
        toBrokers.removeIf(each -> each.pipe.isClosed());
        for (Staged each : toBrokers) {
            CountDownLatch told = new CountDownLatch(1);
            each.pipe.execute(() -> {
                each.hear(new Replicas(0, service, version, Route.DIRECT, List.of()).write(each.pipe.allocator()));
                told.countDown();
            });
            if (!told.await(PATIENCE_SECONDS, TimeUnit.SECONDS) && !each.pipe.isClosed()) {
                throw new IllegalStateException("staged: a client was not told of the empty set of " + service);
            }
        }
    }

    /** One connection. */
    private final class Staged extends Requests {

        private final FaultyTransport.Pipe pipe;
        private final FrameDefect planted;

        private Staged(FaultyTransport.Pipe pipe, FrameDefect planted) {
            super(REFUSED);
            this.pipe = pipe;
            this.planted = planted;
        }

        private void hear(ByteBuf frame) {
            if (planted.in(frame)) {
                pipe.deliver(frame);
            }
            frame.release();
        }

        @Override
        public boolean in(ByteBuf frame) {
            FrameKind kind = Header.kind(frame);
            if (kind == FrameKind.REPLICAS) {
                toBrokers.add(this);
            }
            if (losesAndRefuses && kind == FrameKind.REPLY && isLost.compareAndSet(false, true)) {
                hear(failure(frame, ErrorCode.CONNECTION_LOST, Execution.MAYBE));
                return false;
            }
            return planted.in(frame);
        }

        @Override
        boolean leaves(ByteBuf frame) {
            if (losesAndRefuses && isLost.get()) {
                ByteBuf refusal = failure(frame, ErrorCode.OVERLOAD, Execution.NOT);
                pipe.execute(() -> hear(refusal));
                return false;
            }
            return planted.out(frame);
        }

        @Override
        boolean other(ByteBuf frame) {
            boolean isHeld = holdsCancels && Header.kind(frame) == FrameKind.CANCEL;
            return !isHeld && planted.out(frame);
        }

        private ByteBuf failure(ByteBuf of, ErrorCode code, Execution execution) {
            return new Failure(Header.peer(of), Header.id(of), code, execution, "staged").write(pipe.allocator());
        }
    }
}
