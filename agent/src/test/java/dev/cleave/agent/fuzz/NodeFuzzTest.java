package dev.cleave.agent.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.config.Bindings;
import dev.cleave.metrics.Refusals;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.FakeBroker;
import dev.cleave.testing.Seed;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Generated programs compute the same as written and rewritten, with services of two nodes. */
@Tag("one-jdk")
@Timeout(300)
class NodeFuzzTest {

    private static final int PROGRAMS = Integer.getInteger("cleave.fuzz.node-programs", 8);

    private final long seed = Long.getLong("cleave.fuzz.seed", Seed.or(20261124L));

    /** A queue of two calls is full of calls that were sent ahead: these are refused, and made at their places. */
    @ParameterizedTest
    @ValueSource(ints = {1024, 2})
    void rewrittenProgramsDoWhatTheyDoAsWrittenOverTwoNodes(int queue) {
        long before = refused();
        NodeFuzz fuzz = new NodeFuzz(seed, PROGRAMS, queue);
        try (Transport transport = LocalTransport.create();
                FakeBroker broker = FakeBroker.start(transport, Endpoint.local("fuzz-" + UUID.randomUUID()))) {
            NodeOptions options = NodeOptions.DEFAULT
                    .withBindings(Bindings.NONE)
                    .withBroker(broker.endpoint())
                    .withTransport(transport);

            assertThat(fuzz.run(options, done -> {}))
                    .as("seed %d, queue %d", seed, queue)
                    .isEmpty();
        }

        System.out.println("fuzz over nodes: seed " + seed + ", queue " + queue + ", " + fuzz.taken() + " programs, "
                + fuzz.promised() + " promised, " + (refused() - before) + " refused");
        assertThat(fuzz.taken()).isGreaterThan(PROGRAMS / 4);
        assertThat(fuzz.promised()).isPositive();
        assertThat(refused() > before).as("calls were refused").isEqualTo(queue == 2);
    }

    private static long refused() {
        return Refusals.of("queue") + Refusals.of("queue.ahead");
    }
}
