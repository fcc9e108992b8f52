package dev.cleave.lab.chaos;

import dev.cleave.lab.history.Planted;
import dev.cleave.wire.ConnectionName;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Recall;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Settled;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Defects that show in what a process says or hears: they stand between it and its network, so that production has no place for
 * them. One for each process; thread-safe.
 */
final class FrameDefects {

    private static final int SMALL = 128; // bytes of a frame that nothing follows
    private static final int FLAGS_AT = 5; // in a header
    private static final int WITHDRAWN = 1; // flag of Replicas
    private static final long HOUR_MICROS = 3_600_000_000L;

    private final Planted planted;
    private final AtomicInteger count = new AtomicInteger();
    private final Set<Place> answered = ConcurrentHashMap.newKeySet();

    /** A call of a connection. */
    private record Place(ConnectionName connection, long id) {}

    /** Creates the frame defects of a process with a planted defect. */
    FrameDefects(Planted planted) {
        this.planted = planted;
    }

    /** The defect of a client's connection. */
    FrameDefect ofClient(FaultyTransport.Pipe pipe) {
        return switch (planted) {
            case NEVER_RECALLS -> recalls(pipe, Execution.MAYBE);
            case LOST_IS_NOT -> recalls(pipe, Execution.NOT);
            case RECALLS_THE_NEXT ->
                out(FrameKind.RECALL, frame -> {
                    Recall said = Recall.read(frame.duplicate());
                    pipe.send(new Recall(said.id(), said.connection(), said.call() + 1).write(pipe.allocator()));
                    return false;
                });
            case CHUNK_TWICE -> new DoubledChunks(pipe, () -> each(3));
            case CHUNK_DROPPED -> out(FrameKind.CHUNK, frame -> !each(5));
            case REQUEST_TWICE -> Requests.twice(pipe, "apply(", () -> each(10));
            case ONE_WAY_TWICE -> Requests.twice(pipe, "note(", () -> each(3));
            case GROUP_ORDER -> new ExchangedRequests(pipe, "inOrder(", () -> each(20));
            case DISPLACED_SERVES -> new DeafToLives();
            case BELIEVES_EMPTY -> in(FrameKind.REPLICAS, FrameDefects::believe);
            case FORGETS_DOUBT -> in(FrameKind.FAILURE, FrameDefects::forgetDoubt);
            default -> FrameDefect.NONE;
        };
    }

    /** The defect of a server's connection. */
    FrameDefect ofServer(FaultyTransport.Pipe pipe) {
        return switch (planted) {
            case FORGETS_REPLIES -> new Liar(pipe, place -> each(3), Execution.MAYBE);
            case RUNNING_IS_NOT -> new Liar(pipe, place -> !answered.contains(place), Execution.NOT);
            case ENDED_IS_NOT -> new Liar(pipe, answered::contains, Execution.NOT);
            case ANSWER_OF_ANOTHER -> new Mixed(pipe);
            case STALE_RESULT -> new Stale(pipe);
            case CALLBACK_TWICE -> Requests.twice(pipe, "told(", () -> each(3));
            case RELEASES_TWICE -> new LateReleases(pipe, 2);
            case RELEASED_EARLY -> Requests.released(pipe, "told(");
            case CANCELLED_IS_NOT -> cancels(pipe);
            case RUNS_EXPIRED -> in(FrameKind.REQUEST, FrameDefects::lengthen);
            default -> FrameDefect.NONE;
        };
    }

    private boolean each(int number) {
        return count.incrementAndGet() % number == 0;
    }

    private static FrameDefect out(FrameKind kind, Predicate<ByteBuf> leaves) {
        return new FrameDefect() {
            @Override
            public boolean out(ByteBuf frame) {
                return Header.kind(frame) != kind || leaves.test(frame);
            }
        };
    }

    /** A defect that takes frames of a kind for what they are not. */
    private static FrameDefect in(FrameKind kind, Consumer<ByteBuf> changes) {
        return new FrameDefect() {
            @Override
            public boolean in(ByteBuf frame) {
                if (Header.kind(frame) == kind) {
                    changes.accept(frame);
                }
                return true;
            }
        };
    }

    /** Takes an empty set for that of a service that was withdrawn. */
    private static void believe(ByteBuf frame) {
        if (Replicas.read(frame.duplicate()).replicas().isEmpty()) {
            frame.setByte(frame.readerIndex() + FLAGS_AT, WITHDRAWN);
        }
    }

    /** Takes a call that may have been executed for one that was not. */
    private static void forgetDoubt(ByteBuf frame) {
        Failure said = Failure.read(frame.duplicate());
        if (said.execution() == Execution.MAYBE) {
            frame.setByte(frame.readerIndex() + Header.LENGTH + 1, Execution.NOT.ordinal());
        }
    }

    /** Adds an hour to the time until a deadline. */
    private static void lengthen(ByteBuf frame) {
        int at = frame.readerIndex() + Header.LENGTH + Integer.BYTES;
        frame.setLong(at, frame.getLong(at) + HOUR_MICROS);
    }

    /** Answers recalls at the client, so that no server is asked. */
    private static FrameDefect recalls(FaultyTransport.Pipe pipe, Execution execution) {
        return out(FrameKind.RECALL, frame -> {
            pipe.deliverLater(lost(Header.id(frame), execution));
            return false;
        });
    }

    /** Every cancel is answered at once, and not heeded. */
    private static FrameDefect cancels(FaultyTransport.Pipe pipe) {
        return new FrameDefect() {
            @Override
            public boolean in(ByteBuf frame) {
                if (Header.kind(frame) != FrameKind.CANCEL) {
                    return true;
                }
                pipe.send(
                        new Failure(Header.peer(frame), Header.id(frame), ErrorCode.CANCELLED, Execution.NOT, "planted")
                                .write(pipe.allocator()));
                return false;
            }
        };
    }

    private static ByteBuf lost(long id, Execution execution) {
        return new Failure(0, id, ErrorCode.CONNECTION_LOST, execution, "planted")
                .write(UnpooledByteBufAllocator.DEFAULT);
    }

    /** Answers some recalls otherwise. */
    private final class Liar implements FrameDefect {

        private final FaultyTransport.Pipe pipe;
        private final Predicate<Place> lies;
        private final Execution execution;
        private volatile @Nullable ConnectionName name;

        private Liar(FaultyTransport.Pipe pipe, Predicate<Place> lies, Execution execution) {
            this.pipe = pipe;
            this.lies = lies;
            this.execution = execution;
        }

        @Override
        public boolean in(ByteBuf frame) {
            if (Header.kind(frame) == FrameKind.SETTLED) {
                name = Settled.read(frame.duplicate()).connection();
            } else if (Header.kind(frame) == FrameKind.RECALL) {
                Recall said = Recall.read(frame.duplicate());
                if (lies.test(new Place(said.connection(), said.call()))) {
                    pipe.send(lost(said.id(), execution));
                    return false;
                }
            }
            return true;
        }

        @Override
        public boolean out(ByteBuf frame) {
            ConnectionName of = name;
            if (of != null && Header.kind(frame) == FrameKind.REPLY) {
                answered.add(new Place(of, Header.id(frame)));
            }
            return true;
        }
    }

    /** Hears nothing of later lives of replicas that it knows. */
    private static final class DeafToLives implements FrameDefect {

        private final Map<String, Long> lives = new HashMap<>(); // by service and replica; event thread only

        @Override
        public boolean in(ByteBuf frame) {
            if (Header.kind(frame) != FrameKind.REPLICAS) {
                return true;
            }
            Replicas said = Replicas.read(frame.duplicate());
            boolean isNew = false;
            for (Replicas.Replica replica : said.replicas()) {
                Long known = lives.putIfAbsent(said.service() + '/' + replica.name(), replica.incarnation());
                isNew |= known != null && known != replica.incarnation();
            }
            return !isNew;
        }
    }

    /** Some replies say what the one before them has said. */
    private final class Stale implements FrameDefect {

        private final FaultyTransport.Pipe pipe;
        private ByteBuf before = Unpooled.EMPTY_BUFFER;

        private Stale(FaultyTransport.Pipe pipe) {
            this.pipe = pipe;
        }

        @Override
        public synchronized boolean out(ByteBuf frame) {
            if (Header.kind(frame) != FrameKind.REPLY || frame.readableBytes() > SMALL) {
                return true;
            }
            ByteBuf last = before;
            before = Unpooled.copiedBuffer(frame);
            if (last.readableBytes() != frame.readableBytes() || !each(10)) {
                return true;
            }
            Header.readdress(last, Header.peer(frame), Header.id(frame));
            pipe.send(last);
            return false;
        }
    }

    /** Exchanges the numbers of some replies with those of the next replies. */
    private final class Mixed implements FrameDefect {

        private final FaultyTransport.Pipe pipe;
        private @Nullable ByteBuf held;

        private Mixed(FaultyTransport.Pipe pipe) {
            this.pipe = pipe;
        }

        @Override
        public synchronized boolean out(ByteBuf frame) {
            ByteBuf before = held;
            held = null;
            if (Header.kind(frame) != FrameKind.REPLY || frame.readableBytes() > SMALL || Header.peer(frame) != 0) {
                if (before != null) {
                    pipe.send(before);
                }
                return true;
            }
            if (before != null) {
                long id = Header.id(frame);
                Header.readdress(frame, 0, Header.id(before));
                Header.readdress(before, 0, id);
                pipe.send(before);
            } else if (each(10)) {
                held = Unpooled.copiedBuffer(frame);
                return false;
            }
            return true;
        }
    }
}
