package dev.cleave.examples.bothways;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.cleave.Async;
import dev.cleave.Remote;
import dev.cleave.agent.junit.BothWays;
import dev.cleave.agent.junit.Evidence;
import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.node.Node;
import dev.cleave.transport.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** The extension on tests as users write them: what passes, what fails, and what the failure says. */
class BothWaysTest {

    /** Sells things. */
    @Remote
    public interface Shop {

        /** The price of a thing. */
        @Async
        int price(int thing);

        /** Takes a thing away; what it says depends on those before. */
        int take(int thing);
    }

    /** A shop that counts what was asked. */
    static final class CountingShop implements Shop {

        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public int price(int thing) {
            if (thing < 0) {
                throw new IllegalArgumentException("thing " + thing);
            }
            return thing * 3 + 1;
        }

        @Override
        public int take(int thing) {
            return asked.incrementAndGet() * 100 + thing;
        }
    }

    /** What the programs keep. */
    static final class Basket {

        private final List<Integer> prices = new ArrayList<>();
        private long total;

        void fill(Shop shop, int things) {
            for (int i = 0; i < things; i++) {
                int price = shop.price(i);
                prices.add(price);
                total += price;
            }
        }
    }

    /** The tests that are run by the tests. */
    static class Programs {

        private Broker broker;
        private Node server;
        private Node client;

        @BeforeEach
        void start() {
            broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
            server = Node.connect(broker.endpoint().toString());
            client = Node.connect(broker.endpoint().toString());
        }

        @AfterEach
        void close() {
            client.close();
            server.close();
            broker.close();
        }

        private Shop shop(Evidence evidence) {
            server.bind("shop", evidence.watched(Shop.class, new CountingShop()));
            return client.lookup("shop", Shop.class);
        }

        @BothWays
        void same(Evidence evidence) {
            Basket basket = new Basket();
            basket.fill(shop(evidence), 40);
            evidence.add("basket", basket);
        }

        @BothWays(mayThrow = true)
        void sameFailure(Evidence evidence) {
            Shop shop = shop(evidence);
            Basket basket = new Basket();
            try {
                for (int i = 5; i > -5; i--) {
                    basket.prices.add(shop.price(i));
                }
            } catch (IllegalArgumentException e) {
                evidence.add("failure", e);
            }
            evidence.add("basket", basket);
        }

        @BothWays
        void overlapShows(Evidence evidence) {
            Shop shop = shop(evidence);
            Basket basket = new Basket();
            basket.fill(shop, 3);
            evidence.add("loader", getClass().getClassLoader().getName());
        }

        @BothWays
        void reachedOnlyByException(Evidence evidence) {
            Shop shop = shop(evidence);
            try {
                evidence.add("sum", sum(shop, IntStream.rangeClosed(-40, 40).toArray()));
            } catch (ArithmeticException e) {
                evidence.add("failure", e);
            }
        }

        private static int sum(Shop shop, int[] divisors) {
            int sum = 0;
            for (int i = 0; i < divisors.length; i++) {
                sum += shop.price(i) / divisors[i];
            }
            return sum;
        }

        @BothWays
        void onlySequential(Evidence evidence) {
            evidence.add("taken", shop(evidence).take(7));
        }

        @BothWays(mayStaySequential = true)
        void sequentialOnPurpose(Evidence evidence) {
            evidence.add("taken", shop(evidence).take(7));
        }

        @BothWays
        void failsItself(Evidence evidence) {
            throw new IllegalStateException("no shop");
        }
    }

    /** Prepares once what each way needs of its own. */
    static class Prepared {

        @BeforeAll
        static void prepare() {}

        @BothWays
        void test(Evidence evidence) {}
    }

    private static List<Event> run(Class<?> type, String method) {
        String parameter = Evidence.class.getName();
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(type, method, parameter))
                .execute()
                .allEvents()
                .finished()
                .list();
    }

    private static List<String> failures(Class<?> type, String method) {
        return run(type, method).stream()
                .flatMap(event -> event.getRequiredPayload(TestExecutionResult.class).getThrowable().stream())
                .map(String::valueOf)
                .toList();
    }

    private static long tests(String method) {
        return run(Programs.class, method).stream()
                .filter(event -> event.getTestDescriptor().isTest())
                .count();
    }

    @Test
    void aProgramThatIsTheSameBothWaysPassesTwice() {
        assertThat(failures(Programs.class, "same")).isEmpty();
        assertThat(tests("same")).isEqualTo(2);
    }

    @Test
    void failuresOfCallsAreComparedLikeValues() {
        assertThat(failures(Programs.class, "sameFailure")).isEmpty();
    }

    @Test
    void evidenceThatDiffersFailsTheRewrittenWay() {
        assertThat(failures(Programs.class, "overlapShows")).singleElement().satisfies(failure -> assertThat(failure)
                .contains("evidence, number 1: as written loader = \"test as written\"")
                .contains("rewritten loader = \"test rewritten\""));
    }

    @Test
    void callsThatOnlyTheRewrittenProgramMakesAreNamed() {
        assertThat(failures(Programs.class, "reachedOnlyByException"))
                .singleElement()
                .satisfies(failure -> assertThat(failure).contains("made by the rewritten program alone: price(41)"));
    }

    @Test
    void aTestWithoutAnyRewrittenCallHasShownNothing() {
        assertThat(failures(Programs.class, "onlySequential")).singleElement().satisfies(failure -> assertThat(failure)
                .contains("no remote call was sent ahead"));
        assertThat(failures(Programs.class, "sequentialOnPurpose")).isEmpty();
    }

    @Test
    void theTestsOwnFailureIsShownAsItIs() {
        assertThat(failures(Programs.class, "failsItself")).hasSize(2).allSatisfy(failure -> assertThat(failure)
                .contains("java.lang.IllegalStateException: no shop"));
    }

    @Test
    void whatRunsOnceForAllTestsIsRefused() {
        assertThat(failures(Prepared.class, "test")).singleElement().satisfies(failure -> assertThat(failure)
                .contains("prepare runs once")
                .contains("@BeforeEach"));
    }
}
