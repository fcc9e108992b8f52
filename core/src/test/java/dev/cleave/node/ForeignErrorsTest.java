package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.Cleave;
import dev.cleave.Inline;
import dev.cleave.OneWay;
import dev.cleave.Priority;
import dev.cleave.Remote;
import dev.cleave.Selection;
import dev.cleave.config.Bindings;
import dev.cleave.testing.BrokenLog;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Code of the program and of its libraries throws an Error at each place where Cleave runs it; what it was called for ends,
 * and nothing else does: afterwards the same client, broker and server serve calls. Once with a log that works, once with a
 * log whose handler throws an Error at each line. The places:
 *
 * <ul>
 *   <li>on a worker of the server: the method itself; what the exception that it throws says of itself (message, cause,
 *       stack); reading arguments (constructors of records, {@code hashCode} in a set); the expression of a priority; {@code
 *       equals}, {@code hashCode} and {@code toString} of the bound object;
 *   <li>on an event thread of the server: a method with {@code @Inline};
 *   <li>on a thread of the server's program: the end of a future that a method has returned, and a future that throws when a
 *       listener is added;
 *   <li>on the caller's thread: reading results and exceptions; the expression of an affinity and the
 *       {@code hashCode} of its value; a selection of the application;
 *   <li>on the threads that complete futures: listeners, and executors that refuse them;
 *   <li>on a worker of the client: callbacks, one-way calls;
 *   <li>on all of them: log handlers.
 * </ul>
 *
 * <p>Writing values runs no code of the program: fields are read without accessors, and only collections of the JDK are taken.
 * Threads and descriptors that cannot be had, loops and timers are in {@code LoopErrorsTest}, {@code SystemTimerTest},
 * {@code SerialExecutorTest} and {@code FewDescriptorsTest}.
 */
@Tag("one-jdk")
@Timeout(120)
class ForeignErrorsTest extends NodesUnderTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int WORKERS = 2;
    private static final String FILE = """
            services:
              foreign: {workers: 2, queue: 8}
              keyed: {balance: affinity(key)}
              hashed: {balance: affinity(key.itself())}
              chosen: {balance: class(dev.cleave.node.ForeignErrorsTest$Choosing)}
            """;

    /** Where the Error is thrown. */
    enum Place {
        METHOD,
        METHOD_OUT_OF_STACK,
        MESSAGE,
        CAUSE,
        STACK,
        CONSTRUCTOR_OF_ARGUMENT,
        HASH_OF_ARGUMENT,
        CONSTRUCTOR_OF_RESULT,
        HASH_OF_RESULT,
        PRIORITY,
        INLINE,
        FUTURE_FAILS,
        FUTURE_TAKES_NO_LISTENER,
        AFFINITY,
        SELECTION,
        LISTENER,
        EXECUTOR,
        CALLBACK,
        ONE_WAY,
        NOTHING
    }

    /** Which place is to throw, while values are read and written. */
    private static final AtomicReference<Place> ARMED = new AtomicReference<>(Place.NOTHING);

    private static final AtomicInteger THROWN = new AtomicInteger();

    private static void meet(Place place) {
        if (ARMED.get() == place) {
            THROWN.incrementAndGet();
            throw new ForeignError();
        }
    }

    private static void meetAlways() {
        THROWN.incrementAndGet();
        throw new ForeignError();
    }

    /** An Error that nobody knows. */
    static final class ForeignError extends Error {

        private static final long serialVersionUID = 1;
    }

    /** A value that is made by its constructor. */
    public record Made(int number) {

        /** Throws at a reader. */
        public Made {
            meet(Place.CONSTRUCTOR_OF_ARGUMENT);
            meet(Place.CONSTRUCTOR_OF_RESULT);
        }

        /** Of an affinity. */
        public Made itself() {
            return this;
        }

        /** Of a priority. */
        public int rank() {
            meet(Place.PRIORITY);
            return number;
        }

        @Override
        public int hashCode() {
            meet(Place.HASH_OF_ARGUMENT);
            meet(Place.HASH_OF_RESULT);
            meet(Place.AFFINITY);
            return number;
        }
    }

    private static final class Telling extends RuntimeException {

        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            meet(Place.MESSAGE);
            return "told";
        }

        @Override
        public synchronized @Nullable Throwable getCause() {
            meet(Place.CAUSE);
            return null;
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            meet(Place.STACK);
            return super.getStackTrace();
        }
    }

    private static final class Unwilling extends CompletableFuture<Integer> {

        @Override
        public CompletableFuture<Integer> whenComplete(BiConsumer<? super Integer, ? super Throwable> action) {
            meetAlways();
            return this;
        }
    }

    /** Selects nothing. */
    public static final class Choosing implements Selection {

        @Override
        public @Nullable String select(List<Candidate> candidates, @Nullable Object key) {
            meet(Place.SELECTION);
            return candidates.get(0).name();
        }
    }

    /** Is called back. */
    @Remote
    public interface Back {

        /** Throws. */
        int back();
    }

    /** What is served. */
    @Remote
    public interface Foreign {

        /** Works. */
        int next();

        /** Throws. */
        void fail(String how);

        /** Takes values that are hard to read. */
        int take(Made made, Set<Made> set, List<String> list);

        /** Gives values that are hard to read. */
        Set<Made> give();

        /** Is rated. */
        @Priority("made.rank()")
        int rated(Made made);

        /** Runs on the event thread. */
        int inline(boolean fails);

        /** Is late. */
        CompletableFuture<Integer> later(boolean isWilling);

        /** Calls back. */
        int callBack(Back back);

        /** Is not awaited. */
        @OneWay
        void tell();
    }

    /** Goes to a replica by its argument. */
    @Remote
    public interface Keyed {

        /** Works. */
        int same(Made key);
    }

    private static final class Served implements Foreign {

        private final AtomicInteger calls = new AtomicInteger();

        @Override
        public int next() {
            return calls.incrementAndGet();
        }

        @Override
        public void fail(String how) {
            switch (how) {
                case "stack" -> fail(how);
                case "telling" -> throw new Telling();
                default -> meetAlways();
            }
        }

        @Override
        public int take(Made made, Set<Made> set, List<String> list) {
            return made.number() + set.size() + list.size();
        }

        @Override
        public Set<Made> give() {
            return Set.of(new Made(1));
        }

        @Override
        public int rated(Made made) {
            return made.number();
        }

        @Override
        @Inline
        public int inline(boolean fails) {
            if (fails) {
                meetAlways();
            }
            return 0;
        }

        @Override
        public CompletableFuture<Integer> later(boolean isWilling) {
            return isWilling
                    ? CompletableFuture.supplyAsync(() -> {
                        meetAlways();
                        return 1;
                    })
                    : new Unwilling();
        }

        @Override
        public int callBack(Back back) {
            return back.back();
        }

        @Override
        public void tell() {
            meetAlways();
        }

        @Override
        public boolean equals(Object other) {
            throw new ForeignError();
        }

        @Override
        public int hashCode() {
            throw new ForeignError();
        }

        @Override
        public String toString() {
            throw new ForeignError();
        }
    }

    @Override
    Transport transport() {
        return NettyTransport.create();
    }

    @Override
    Endpoint door() {
        return Endpoint.tcp("localhost", 0);
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void everythingGoesOnAfterAnErrorOfForeignCode(Place place) throws Exception {
        everythingGoesOn(place);
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void everythingGoesOnAfterAnErrorOfForeignCodeAndOfTheLog(Place place) throws Exception {
        try (BrokenLog log = BrokenLog.of("dev.cleave")) {
            everythingGoesOn(place);
            assertThat(log.thrown()).isNotNegative();
        }
    }

    private void everythingGoesOn(Place place) throws Exception {
        Bindings bindings = Bindings.parse(FILE, "cleave.yaml");
        Node server = node(NodeOptions.DEFAULT.withName("one").withBindings(bindings));
        server.bind("foreign", new Served());
        Keyed keyed = Made::number;
        server.bind("keyed", keyed);
        server.bind("hashed", keyed);
        server.bind("chosen", keyed);
        client = node(NodeOptions.DEFAULT.withName("client").withBindings(bindings));
        Foreign foreign = client.lookup("foreign", Foreign.class);
        assertThat(foreign.next()).isEqualTo(1);

        int before = THROWN.get();
        for (int i = 0; i < WORKERS + 1; i++) {
            ARMED.set(place);
            try {
                run(place, foreign);
            } finally {
                ARMED.set(Place.NOTHING);
            }
        }
        if (place != Place.NOTHING && place != Place.METHOD_OUT_OF_STACK) { // these two throw nothing of ours
            await().atMost(PATIENCE).until(() -> THROWN.get() > before);
        }

        assertThat(foreign.next()).isEqualTo(2);
        assertThat(foreign.inline(false)).isZero();
        assertThat(foreign.take(new Made(1), Set.of(new Made(2)), List.of(""))).isEqualTo(3);
        assertThat(foreign.give()).containsExactly(new Made(1));
        assertThat(foreign.rated(new Made(7))).isEqualTo(7);
        assertThat(Cleave.async(foreign::next).await()).isEqualTo(3);
        Node late = node(NodeOptions.DEFAULT.withName("late"));
        assertThat(late.lookup("foreign", Foreign.class).next()).isEqualTo(4);
    }

    private void run(Place place, Foreign foreign) throws Exception {
        switch (place) {
            case METHOD -> fails(() -> foreign.fail("own"));
            case METHOD_OUT_OF_STACK -> fails(() -> foreign.fail("stack"));
            case MESSAGE, CAUSE, STACK -> fails(() -> foreign.fail("telling"));
            case CONSTRUCTOR_OF_ARGUMENT, HASH_OF_ARGUMENT -> {
                ARMED.set(Place.NOTHING);
                Made made = new Made(1);
                Set<Made> set = Set.of(made);
                ARMED.set(place);
                fails(() -> foreign.take(made, set, List.of()));
            }
            case CONSTRUCTOR_OF_RESULT, HASH_OF_RESULT -> fails(foreign::give);
            case PRIORITY -> assertThat(foreign.rated(new Made(5))).isEqualTo(5);
            case INLINE -> fails(() -> foreign.inline(true));
            case FUTURE_FAILS -> fails(() -> foreign.later(true).get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            case FUTURE_TAKES_NO_LISTENER ->
                fails(() -> foreign.later(false).get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            case AFFINITY ->
                assertThat(client.lookup("hashed", Keyed.class).same(new Made(6)))
                        .isEqualTo(6);
            case SELECTION ->
                assertThat(client.lookup("chosen", Keyed.class).same(new Made(6)))
                        .isEqualTo(6);
            case LISTENER -> {
                CompletableFuture<?> listened = Cleave.async(() -> foreign.give())
                        .toCompletableFuture()
                        .whenComplete((result, thrown) -> meetAlways());
                assertThatThrownBy(() -> listened.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(ForeignError.class);
            }
            case EXECUTOR -> {
                CompletableFuture<?> listened = Cleave.async(() -> foreign.give())
                        .toCompletableFuture()
                        .thenRunAsync(() -> {}, task -> meetAlways());
                assertThatThrownBy(() -> listened.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class);
            }
            case CALLBACK ->
                fails(() -> foreign.callBack(client.export(Back.class, () -> {
                    meetAlways();
                    return 0;
                })));
            case ONE_WAY -> foreign.tell();
            case NOTHING ->
                assertThat(foreign.take(new Made(1), Set.of(), List.of())).isEqualTo(1);
        }
    }

    private static void fails(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isNotInstanceOf(AssertionError.class);
    }
}
