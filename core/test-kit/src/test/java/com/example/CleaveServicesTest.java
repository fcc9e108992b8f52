package com.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.Async;
import dev.cleave.Cleave;
import dev.cleave.DeadlineException;
import dev.cleave.Idempotent;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.agent.junit.BothWays;
import dev.cleave.agent.junit.Evidence;
import dev.cleave.test.Call;
import dev.cleave.test.CleaveServices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** As a program of somebody else: classes below dev.cleave are not rewritten. */
class CleaveServicesTest {

    /** A remote interface. */
    @Remote
    public interface Warehouse {

        /** Returns a number. */
        @Async
        @Idempotent
        int stock(String item);
    }

    /** A program with a loop. */
    static final class Inventory {

        private final Warehouse warehouse;

        Inventory(Warehouse warehouse) {
            this.warehouse = warehouse;
        }

        int count(List<String> items) {
            int total = 0;
            for (String item : items) {
                total += warehouse.stock(item);
            }
            return total;
        }
    }

    @RegisterExtension
    final CleaveServices services = CleaveServices.create().serving("warehouse", Warehouse.class, String::length);

    private Warehouse warehouse() {
        return services.lookup("warehouse", Warehouse.class);
    }

    private List<Integer> bothAtOnce() {
        Warehouse warehouse = warehouse();
        Pending<Integer> first = Cleave.async(() -> warehouse.stock("a"));
        Pending<Integer> second = Cleave.async(() -> warehouse.stock("bb"));
        return List.of(first.await(), second.await());
    }

    @Test
    void saysWhatWasCalledInWhichOrder() {
        assertThat(new Inventory(warehouse()).count(List.of("a", "bb"))).isEqualTo(3);

        services.calls()
                .were("stock(a)", "stock(bb)")
                .wereInAnyOrder("stock(bb)", "stock(a)")
                .endedBefore("stock(a)", "stock(bb)")
                .cameOneByOne();
        assertThatThrownBy(() -> services.calls().were("stock(bb)", "stock(a)"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("stock(a) from 0.0 ms to ");
        assertThatThrownBy(() -> services.calls().overlapped()).isInstanceOf(AssertionError.class);
        assertThat(services.calls("other").count()).isZero();
    }

    @Test
    void callsThatAreUnderWayTogetherOverlap() {
        services.on(Warehouse.class, "stock").together(2);

        assertThat(bothAtOnce()).containsExactly(1, 2);

        services.calls("stock").overlapped();
        assertThat(services.calls().mostTogether()).isEqualTo(2);
        assertThatThrownBy(() -> services.calls().cameOneByOne()).isInstanceOf(AssertionError.class);
    }

    @Test
    void failsByRule() {
        services.on(Warehouse.class, "stock")
                .with(arguments -> arguments.contains("b"))
                .fails(() -> new IllegalStateException("sold out"));

        assertThat(warehouse().stock("a")).isEqualTo(1);
        assertThatThrownBy(() -> warehouse().stock("b"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("sold out");
        assertThat(services.calls().all().get(1).failure()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void failsTheFirstCalls() {
        services.on(Warehouse.class, "stock").failsFirst(1, () -> new IllegalStateException("warming up"));

        assertThatThrownBy(() -> warehouse().stock("a")).hasMessage("warming up");
        assertThat(warehouse().stock("a")).isEqualTo(1);
    }

    @Test
    void takesTimeOfItsClock() throws InterruptedException {
        services.on(Warehouse.class, "stock").takes(Duration.ofHours(1));
        Warehouse warehouse = Cleave.withDeadline(warehouse(), Duration.ofHours(2));
        Pending<Integer> pending = Cleave.async(() -> warehouse.stock("a"));
        awaitCalls(1);

        services.advance(Duration.ofHours(1));

        assertThat(pending.await()).isEqualTo(1);
        Call call = services.calls().all().get(0);
        assertThat(Duration.ofNanos(call.ended() - call.began())).isGreaterThanOrEqualTo(Duration.ofHours(1));
    }

    @Test
    void deadlinesPassByItsClock() throws Exception {
        services.on(Warehouse.class, "stock").hangs();
        Warehouse warehouse = Cleave.withDeadline(warehouse(), Duration.ofHours(2)); // no load lasts as long
        Pending<Integer> pending = Cleave.async(() -> warehouse.stock("a"));
        ExecutorService threads = Executors.newSingleThreadExecutor();
        Future<Integer> blocked = threads.submit(() -> warehouse.stock("b"));
        awaitCalls(2);

        services.advance(Duration.ofHours(1));
        assertThat(pending.isDone()).isFalse();
        services.advance(Duration.ofHours(1));

        assertThatThrownBy(pending::await).isInstanceOf(DeadlineException.class);
        assertThatThrownBy(blocked::get).hasCauseInstanceOf(DeadlineException.class);
        threads.shutdown();
        services.on(Warehouse.class, "stock").ends();
        assertThat(warehouse.stock("ccc")).isEqualTo(3);
    }

    /** Waits until calls have reached the service. */
    private void awaitCalls(int count) {
        await().atMost(Duration.ofSeconds(60)).until(() -> services.calls().count() == count);
    }

    @Test
    void neverAnswersUntilTheServicesAreClosed() {
        services.on(Warehouse.class, "stock").hangs();
        Warehouse warehouse = warehouse();
        Pending<Integer> pending = Cleave.async(() -> warehouse.stock("a"));

        assertThatThrownBy(() -> pending.await(Duration.ofMillis(50))).isInstanceOf(DeadlineException.class);
        assertThat(pending.isDone()).isFalse();
    }

    @Test
    void callsSurviveACut() {
        Warehouse warehouse = warehouse();
        assertThat(warehouse.stock("a")).isEqualTo(1);

        services.cut();

        assertThat(warehouse.stock("bb")).isEqualTo(2);
    }

    @Test
    void delaysTheLink() {
        try (CleaveServices slow = CleaveServices.create()
                .serving("warehouse", Warehouse.class, String::length)
                .withDelay(Duration.ofMillis(20))
                .start()) {
            Warehouse warehouse = slow.lookup("warehouse", Warehouse.class);
            long begin = System.nanoTime();

            assertThat(warehouse.stock("a")).isEqualTo(1);

            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(40));
        }
    }

    @Test
    void aRuleForAMethodThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> services.on(Warehouse.class, "stok"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("has no method stok");
    }

    @Test
    void withoutAStartItSaysWhatIsExpected() {
        assertThatThrownBy(() -> CleaveServices.create().lookup("warehouse", Warehouse.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("not started (expected: @RegisterExtension");
    }

    @BothWays
    void countsAlikeBothWays(Evidence evidence) {
        try (CleaveServices both = CleaveServices.create()
                .serving("warehouse", Warehouse.class, evidence.watched(Warehouse.class, String::length))
                .start()) {
            List<String> items = new ArrayList<>(List.of("a", "bb", "ccc"));

            evidence.add("total", new Inventory(both.lookup("warehouse", Warehouse.class)).count(items));
        }
    }
}
