package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Remote;
import dev.cleave.testing.FakeBroker;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Streams, iterators, iterables and publishers as results and parameters. */
@Tag("one-jdk")
class ElementsTest {

    private final Real real = new Real();
    private Transport transport;
    private FakeBroker broker;
    private Node server;
    private Node client;
    private Feed feed;

    /** An element. */
    record Line(int number, String text) {}

    /** Gives elements, and takes some. */
    @Remote
    interface Feed {

        Stream<Line> lines(int count);

        Iterator<Integer> numbers(int count, int failsAt);

        Iterable<String> words(int count);

        Flow.Publisher<Integer> ticks(int count);

        int sum(Iterator<Integer> numbers, int most);

        String join(Stream<Line> lines);

        int twice(Iterable<Integer> numbers);

        Stream<Integer> doubled(Stream<Integer> numbers);
    }

    /** Counts what was taken and closed. */
    static final class Real implements Feed {

        private final AtomicInteger made = new AtomicInteger();
        private final AtomicInteger closed = new AtomicInteger();

        @Override
        public Stream<Line> lines(int count) {
            return Stream.iterate(0, i -> i + 1)
                    .limit(count)
                    .map(i -> new Line(made.incrementAndGet(), "line " + i))
                    .onClose(closed::incrementAndGet);
        }

        @Override
        public Iterator<Integer> numbers(int count, int failsAt) {
            return IntStream.range(0, count)
                    .map(i -> {
                        if (i == failsAt) {
                            throw new ArithmeticException("at " + i);
                        }
                        return i;
                    })
                    .boxed()
                    .iterator();
        }

        @Override
        public Iterable<String> words(int count) {
            return () -> IntStream.range(0, count)
                    .mapToObj(i -> i == 2 ? null : "w" + i)
                    .iterator();
        }

        @Override
        public Flow.Publisher<Integer> ticks(int count) {
            return subscriber -> {
                SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>();
                publisher.subscribe(subscriber);
                CompletableFuture.runAsync(() -> {
                    IntStream.range(0, count).forEach(publisher::submit);
                    publisher.close();
                });
            };
        }

        @Override
        public int sum(Iterator<Integer> numbers, int most) {
            int sum = 0;
            for (int i = 0; i < most && numbers.hasNext(); i++) {
                sum += numbers.next();
            }
            return sum;
        }

        @Override
        public String join(Stream<Line> lines) {
            try (lines) {
                return lines.limit(3).map(Line::text).collect(Collectors.joining(","));
            }
        }

        @Override
        public int twice(Iterable<Integer> numbers) {
            int sum = 0;
            for (int number : numbers) {
                sum += number;
            }
            for (int number : numbers) {
                sum += 10 * number;
            }
            return sum;
        }

        @Override
        public Stream<Integer> doubled(Stream<Integer> numbers) {
            return numbers.map(number -> 2 * number);
        }
    }

    @BeforeEach
    void connect() {
        transport = LocalTransport.create();
        broker = FakeBroker.start(transport, Endpoint.local("broker"));
        server = Node.connect(options("server"));
        server.bind("feed", real);
        client = Node.connect(options("client"));
        feed = client.lookup("feed", Feed.class);
    }

    private NodeOptions options(String name) {
        return NodeOptions.DEFAULT.withName(name).withBroker(broker.endpoint()).withTransport(transport);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        broker.close();
        transport.close();
        Buffers.assertNoneInUse();
    }

    private void awaitNothingLeft() {
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            System.gc();
            return server.exportedObjects() == 0 && client.exportedObjects() == 0;
        });
    }

    @Test
    void aStreamArrivesElementByElement() {
        try (Stream<Line> lines = feed.lines(1_000)) {
            assertThat(lines.filter(line -> line.number() % 100 == 0).map(Line::text))
                    .containsExactlyElementsOf(IntStream.range(1, 11)
                            .mapToObj(i -> "line " + (100 * i - 1))
                            .toList());
        }
        assertThat(real.closed).hasValue(1);
        awaitNothingLeft();
    }

    @Test
    void aServerMakesNoMoreElementsThanTheReceiverHasRoomFor() {
        try (Stream<Line> lines = feed.lines(1_000_000)) {
            Iterator<Line> each = lines.iterator();
            for (int i = 0; i < 10; i++) {
                assertThat(each.next().text()).isEqualTo("line " + i);
            }
            assertThat(real.made.get()).isLessThan(100);
        }

        await().atMost(Duration.ofSeconds(60)).until(() -> real.closed.get() == 1);
        int made = real.made.get();
        assertThat(made).isLessThan(100);
        awaitNothingLeft();
    }

    @Test
    void aFailureArrivesAtItsElement() {
        for (int failsAt : new int[] {0, 1, 2, 7, 50}) {
            Iterator<Integer> numbers = feed.numbers(100, failsAt);
            List<Integer> seen = new ArrayList<>();

            assertThatThrownBy(() -> numbers.forEachRemaining(seen::add))
                    .isInstanceOf(ArithmeticException.class)
                    .hasMessage("at " + failsAt);

            assertThat(seen)
                    .containsExactlyElementsOf(
                            IntStream.range(0, failsAt).boxed().toList());
            assertThat(numbers.hasNext()).isFalse();
        }
        awaitNothingLeft();
    }

    @Test
    void anIterableIsIteratedAsOftenAsTheProgramLikes() {
        Iterable<String> words = feed.words(4);

        assertThat(words).containsExactly("w0", "w1", null, "w3");
        assertThat(words).hasSize(4);
        assertThat(feed.words(0)).isEmpty();
    }

    @Test
    void aPublisherGivesWhatIsAskedFor() throws Exception {
        List<Integer> seen = new CopyOnWriteArrayList<>();
        CompletableFuture<Integer> end = new CompletableFuture<>();
        feed.ticks(100).subscribe(new Flow.Subscriber<>() {
            private Flow.Subscription subscription;

            @Override
            public void onSubscribe(Flow.Subscription made) {
                subscription = made;
                made.request(2);
            }

            @Override
            public void onNext(Integer item) {
                seen.add(item);
                subscription.request(1);
            }

            @Override
            public void onError(Throwable thrown) {
                end.completeExceptionally(thrown);
            }

            @Override
            public void onComplete() {
                end.complete(seen.size());
            }
        });

        assertThat(end.get(20, java.util.concurrent.TimeUnit.SECONDS)).isEqualTo(100);
        assertThat(seen)
                .containsExactlyElementsOf(IntStream.range(0, 100).boxed().toList());
    }

    @Test
    void parametersAreFetchedWhileTheMethodRuns() {
        AtomicInteger made = new AtomicInteger();
        Iterator<Integer> endless = Stream.generate(made::incrementAndGet).iterator();

        assertThat(feed.sum(endless, 10)).isEqualTo(55);
        assertThat(made.get()).isLessThan(100);
        assertThat(feed.join(Stream.of(new Line(1, "a"), new Line(2, "b")))).isEqualTo("a,b");
        assertThat(feed.twice(() -> List.of(1, 2, 3).iterator())).isEqualTo(66);
        assertThat(feed.twice(List.of(1, 2, 3))).isEqualTo(66);
        assertThat(feed.doubled(Stream.of(1, 2, 3))).containsExactly(2, 4, 6);
    }

    @Test
    void elementsOfANodeThatIsGoneEnd() {
        Iterator<Integer> numbers = feed.numbers(1_000_000, -1);
        assertThat(numbers.next()).isZero();

        server.close();

        assertThatThrownBy(() -> numbers.forEachRemaining(number -> {})).isInstanceOf(CallException.class);
    }

    @Test
    void aStreamThatIsForgottenIsClosedWithItsSession() {
        Iterator<Line> lines = feed.lines(1_000_000).iterator();
        assertThat(lines.next().text()).isEqualTo("line 0");

        client.close();

        await().atMost(Duration.ofSeconds(60)).until(() -> real.closed.get() == 1);
    }
}
