package dev.cleave.broker.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cleave.config.Bindings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForecastTest {

    private static final long MS = 1_000_000;

    private static Bindings file(int replicas, String more) {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < replicas; i++) {
            names.append(i == 0 ? "" : ", ").append("{name: r").append(i).append('}');
        }
        return Bindings.parse("""
                application: shop
                services:
                  prices:
                    interface: shop.Prices
                    implementation: shop.Table
                    replicas: [%s]
                    workers: 1
                %s
                """.formatted(names, more.indent(4)), "shop.yaml");
    }

    /** Calls in turn: 2 ms there, {@code runs} ms at the server, 2 ms back, 1 ms of the client. */
    private static Trace inTurn(int calls, int replicas, long runs, boolean onProcessor) {
        List<ServedCall> served = new ArrayList<>();
        List<Waited> waited = new ArrayList<>();
        long at = 0;
        for (int i = 0; i < calls; i++) {
            long came = at + 2 * MS;
            served.add(new ServedCall(
                    "r" + i % replicas, "prices.price", came, came, came + runs * MS, onProcessor ? runs * MS : 0));
            waited.add(new Waited("Prices.price", at, came + (runs + 2) * MS));
            at = came + (runs + 3) * MS;
        }
        return new Trace(served, waited);
    }

    @Test
    void callsInTurnGainTheirWayAndTheOtherReplica() {
        Trace trace = inTurn(100, 2, 10, false);

        Change best = new Forecast(trace, file(2, ""), 8).changes().get(0);

        assertThat(best.what()).isEqualTo("prices.price: style: async, window: 64");
        assertThat(best.settings()).containsEntry("services.prices.methods.price.style", "async");
        // two servers have 50 calls of 10 ms each, and one round trip of 4 ms is around them
        assertThat(best.seconds()).isCloseTo(0.504, within(0.003));
    }

    @Test
    void processorsBoundWhatReplicasBring() {
        Trace trace = inTurn(100, 2, 10, true);

        Change best = new Forecast(trace, file(2, ""), 1).changes().get(0);

        assertThat(best.seconds()).isCloseTo(1.005, within(0.003));
    }

    private static Trace uneven() {
        List<ServedCall> served = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            served.add(new ServedCall("r0", "prices.price", 0, i * 10 * MS, (i + 1) * 10 * MS, 0));
            served.add(new ServedCall("r1", "prices.price", 0, i * 30 * MS, (i + 1) * 30 * MS, 0));
        }
        return new Trace(served, List.of(new Waited("Prices.price", 0, 1_500 * MS)));
    }

    @Test
    void unevenReplicasEndTogetherWithPull() {
        Change best = new Forecast(uneven(), file(2, "style: async"), 8)
                .changes().stream()
                        .filter(change -> change.what().contains("pull"))
                        .findFirst()
                        .orElseThrow();

        // 100 calls at a rate of 1/10 + 1/30 a millisecond, and a part of a long one at the end
        assertThat(best.seconds()).isCloseTo(0.780, within(0.005));
    }

    @Test
    void whatPullsAlreadyIsNotToldToPull() {
        assertThat(new Forecast(uneven(), file(2, "style: async\nbalance: pull"), 8).changes())
                .noneMatch(change -> change.what().contains("pull"));
    }

    @Test
    void nothingIsAdvisedForACallAlone() {
        assertThat(new Forecast(inTurn(1, 1, 10, false), file(1, ""), 8).changes())
                .isEmpty();
    }
}
