package dev.cleave.jmh.bench.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.config.Bindings;
import dev.cleave.jmh.bench.cleave.CleaveContender;
import dev.cleave.transport.Endpoint;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("one-jdk")
class ContendersTest {

    private static final Set<Middleware> BASELINES = Set.of(Middleware.FLOOR, Middleware.NETTY, Middleware.RMI);

    private static Broker broker;

    @BeforeAll
    static void startBroker() {
        Bindings file = Bindings.parse(CleaveContender.APPLICATION, "bench.yaml");
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(file));
    }

    @AfterAll
    static void closeBroker() {
        broker.close();
    }

    /** The baselines and ours; with {@code -Dcleave.full=true} all. */
    static Stream<Middleware> contenders() {
        return Stream.of(Middleware.values())
                .filter(each -> Boolean.getBoolean("cleave.full")
                        || BASELINES.contains(each)
                        || each.name().startsWith("CLEAVE"));
    }

    /** All answers are checked by the shapes themselves. */
    @ParameterizedTest
    @MethodSource("contenders")
    void eachContenderMakesEachKindOfCall(Middleware middleware) throws Exception {
        String where = middleware.contender().serve(broker.endpoint().toString());
        CallClient client = CallClient.of(middleware, where);
        try {
            for (CallShape shape : CallShape.values()) {
                double[] figures = client.turn(shape, Effort.TINY);

                assertThat(figures).as(shape.id()).hasSameSizeAs(shape.metrics());
                assertThat(DoubleStream.of(figures).min().orElse(0))
                        .as(shape.id())
                        .isPositive();
            }
        } finally {
            client.close();
        }
    }
}
