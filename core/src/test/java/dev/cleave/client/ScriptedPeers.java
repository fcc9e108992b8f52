package dev.cleave.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.call.InterfaceReader;
import dev.cleave.call.Link;
import dev.cleave.call.LinkContext;
import dev.cleave.call.LinkOwner;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.config.Bindings;
import dev.cleave.intercept.Interceptors;
import dev.cleave.ref.References;
import dev.cleave.replica.Attempts;
import dev.cleave.replica.FailureClass;
import dev.cleave.replica.RetryBudget;
import dev.cleave.serial.Passing;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.testing.FakeTimer;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Reply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The calling side of a node on one thread: its links are real and lead to peers that do what a test says, its time goes on
 * and its threads run when a test says so.
 */
final class ScriptedPeers {

    private static final Duration FLUSH = Duration.ofMillis(1);

    final FakeTimer timer = new FakeTimer();
    final Threads threads = new Threads();
    final Resends resends = new Resends(threads, timer, new RetryBudget(timer::nanos, new Random(1)));
    final OneWays oneWays = new OneWays();
    private final List<Peer> dialled = new ArrayList<>();
    private final LinkContext context =
            LinkContext.of(Hello.of("caller", 1), Passing.NONE, timer, new ReceiveBudget(1 << 20));
    private final References references = new References(
            context.hello(), new InterfaceReader(Bindings.parse("application: test", "f")), timer, new Random(2));

    /** Runs what it is given when the test says so. */
    static final class Threads extends AbstractExecutorService {

        private final Deque<Runnable> tasks = new ArrayDeque<>();
        private boolean closed;

        @Override
        public void execute(Runnable task) {
            if (closed) {
                throw new RejectedExecutionException("closed");
            }
            tasks.add(task);
        }

        /** Runs all tasks, and those that they give. */
        void run() {
            Runnable task = tasks.poll();
            while (task != null) {
                task.run();
                task = tasks.poll();
            }
        }

        @Override
        public void shutdown() {
            closed = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            shutdown();
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return closed;
        }

        @Override
        public boolean isTerminated() {
            return closed;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return closed;
        }
    }

    /** One connection to a peer, which is of one incarnation. */
    final class Peer implements Connection {

        private final String name;
        private final List<ByteBuf> frames = new ArrayList<>();
        private FrameHandler handler;
        private boolean closed;
        private Link link;
        private @Nullable Integer answers;
        private boolean breaks;

        private Peer(String name) {
            this.name = name;
        }

        /** The way to it. */
        Hop hop() {
            return new Hop(link, name.equals("broker") ? null : name);
        }

        /** The frames of a kind that have come. */
        List<ByteBuf> frames(FrameKind kind) {
            return frames.stream().filter(frame -> Header.kind(frame) == kind).toList();
        }

        /** The only frame of a kind that has come. */
        ByteBuf only(FrameKind kind) {
            List<ByteBuf> all = frames(kind);
            assertThat(all).as(kind + " at " + name).hasSize(1);
            return all.get(0);
        }

        /** The number of the only request that has come. */
        long request() {
            return Header.id(only(FrameKind.REQUEST));
        }

        void answer(long call, int result) {
            ByteBuf frame = new Reply(0, call).begin(allocator(), Integer.BYTES);
            frame.writeInt(result);
            Header.finish(frame);
            deliver(frame);
        }

        void fail(long call, ErrorCode code, Execution execution) {
            say(new Failure(0, call, code, execution, name + " says " + code));
        }

        void say(Frame frame) {
            deliver(frame.write(allocator()));
        }

        private void deliver(ByteBuf frame) {
            handler.onFrame(this, frame);
            handler.onReadComplete(this);
            frame.release();
        }

        /** Answers each request as soon as it has come. */
        void answersAll(int result) {
            answers = result;
        }

        /** Its connection breaks when the next request is written, while the caller is still at work on it. */
        void breaksAtWrite() {
            breaks = true;
        }

        /** The connection breaks. */
        void cut() {
            closed = true;
            handler.onClose(this, null);
        }

        Link link() {
            return link;
        }

        @Override
        public ByteBufAllocator allocator() {
            return UnpooledByteBufAllocator.DEFAULT;
        }

        @Override
        public void write(ByteBuf frame) {
            if (!closed) {
                frames.add(frame.copy());
            }
            FrameKind kind = Header.kind(frame);
            boolean isAnswered = answers != null && kind == FrameKind.REQUEST;
            long call = Header.id(frame);
            frame.release();
            if (breaks && kind == FrameKind.REQUEST) {
                close();
            }
            if (isAnswered) {
                answer(call, answers);
            }
        }

        @Override
        public void flush() {}

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public void reading(boolean enabled) {}

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public Endpoint peer() {
            return Endpoint.local(name);
        }

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public void close() {
            if (!closed) {
                cut();
            }
        }
    }

    /** The calls of an interface, in the order of its methods by name. */
    ServiceCalls calls(Class<?> type, ServiceRoute route) {
        return calls(type, route, "application: test");
    }

    ServiceCalls calls(Class<?> type, ServiceRoute route, String file) {
        return new ServiceCalls(
                contract(type, file),
                new StubContext(
                        context,
                        references,
                        resends,
                        oneWays,
                        service -> Interceptors.NONE,
                        new LiveStubs(),
                        new GroupLanes(),
                        (link, lane, call) -> CompletableFuture.failedFuture(new AssertionError())),
                route);
    }

    CalledService service(Class<?> type, ServiceRoute route) {
        return new CalledService(
                contract(type, "application: test"),
                new StubContext(
                        context,
                        references,
                        resends,
                        oneWays,
                        service -> Interceptors.NONE,
                        new LiveStubs(),
                        new GroupLanes(),
                        (link, lane, call) -> CompletableFuture.failedFuture(new AssertionError())),
                route,
                null);
    }

    static RemoteInterface contract(Class<?> type, String file) {
        return new InterfaceReader(Bindings.parse(file, "cleave.yaml")).read("desk", type);
    }

    /** The number under which a method is called. */
    int number(RemoteMethod method) {
        return context.methodNumber("desk", method.key());
    }

    /** Connects to a peer, {@code broker} or a replica. */
    Peer dial(String name) {
        Peer made = new Peer(name);
        dialled.add(made);
        Transport transport = new Transport() {
            @Override
            public Connection connect(Endpoint endpoint, FrameHandler handler) {
                made.handler = handler;
                handler.onOpen(made);
                Hello hello = name.equals("broker") ? Hello.ofRelay(name, 7) : Hello.of(name, 7);
                made.deliver(hello.write(made.allocator()));
                return made;
            }

            @Override
            public Listener listen(Endpoint endpoint, Acceptor acceptor) {
                throw new AssertionError("nobody listens");
            }

            @Override
            public void close() {}
        };
        made.link = Link.dial(transport, Endpoint.local(name), context, owner());
        return made;
    }

    private static LinkOwner owner() {
        return new LinkOwner() {};
    }

    private final long pooled = pooled(); // bytes in use elsewhere

    private static long pooled() {
        return PooledByteBufAllocator.DEFAULT.pinnedHeapMemory() + PooledByteBufAllocator.DEFAULT.pinnedDirectMemory();
    }

    /** The node closes, and all connections break: no call is left. */
    void close() {
        resends.close();
        dialled.forEach(Peer::close);
        threads.run();
        dialled.forEach(
                peer -> assertThat(peer.link().pendingCalls()).as(peer.name).isZero());
        dialled.forEach(peer -> peer.frames.forEach(ByteBuf::release));
        assertThat(pooled()).as("bytes in use").isEqualTo(pooled);
    }

    /** Lets what was sent soon go, and what is to be done by other threads be done. */
    void settle() {
        threads.run();
        timer.advance(FLUSH);
        threads.run();
    }

    /** Lets time pass. */
    void pass(Duration time) {
        timer.advance(time);
        threads.run();
    }

    /** The ways to replicas as a test says. */
    static final class Ways implements ServiceRoute {

        final Deque<Hop> first = new ArrayDeque<>();
        final Deque<Hop> next = new ArrayDeque<>();
        final Deque<Hop> again = new ArrayDeque<>();

        @Nullable
        Hop to;

        boolean hasChoice;
        int asked; // for the next way

        @Nullable
        RuntimeException unreachable; // when a way is asked for again

        @Nullable
        Error broken; // when a next way is asked for

        @Nullable
        Error brokenBack; // when a way is asked for again

        @Override
        public Hop first(Wish wish) {
            Hop way = first.poll();
            if (way == null) {
                throw new NoHopException(ErrorCode.NO_REPLICA, "no replica", null);
            }
            return way;
        }

        @Override
        public @Nullable Hop next(Attempts history, FailureClass failure, boolean idempotent, long remainingNanos) {
            asked++;
            if (broken != null) {
                throw broken;
            }
            return Attempts.mayGoOn(failure, idempotent) && !history.areAllMade() ? next.poll() : null;
        }

        @Override
        public @Nullable Hop to(String replica) {
            return to;
        }

        @Override
        public @Nullable Hop again(Hop broken, long remainingNanos) {
            if (brokenBack != null) {
                throw brokenBack;
            }
            if (unreachable != null) {
                throw unreachable;
            }
            return again.poll();
        }

        @Override
        public boolean hasOther(Hop than) {
            return hasChoice;
        }

        @Override
        public boolean hasChoice() {
            return hasChoice;
        }
    }
}
