package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.testing.FakeTimer;
import dev.cleave.testing.Seed;
import dev.cleave.wire.FrameKind;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clients and servers that stop reading and go on at random, so that the broker stops reading from them for many reasons at once:
 * whichever thread takes the last reason away, the broker reads again.
 */
@Tag("one-jdk")
class RelayPressureTest {

    private static final int STEPS = 400;
    private static final int LARGEST = 160 << 10;
    private static final int MOST_BYTES = 40 << 20; // that tests keep, each way

    @ParameterizedTest
    @EnumSource
    void everyCallIsAnsweredWhenAllReadAgain(Way way) {
        long seed = Seed.of(RelayPressureTest.class);
        Random random = new Random(seed);
        try (BrokerUnderTest test =
                BrokerUnderTest.start(way, new FakeTimer(), "")) { // in which no peer is too long silent
            List<TestNode> servers = List.of(test.echo("bugs"), test.echo("harvey"));
            List<TestNode> clients =
                    List.of(test.node("one").announce("echo"), test.node("two").announce("echo"));
            int[] calls = new int[clients.size()];
            int bytes = 0;
            for (int step = 0; step < STEPS; step++) {
                List<TestNode> some = random.nextBoolean() ? servers : clients;
                some.get(random.nextInt(some.size())).connection().reading(random.nextInt(3) > 0);
                int who = random.nextInt(clients.size());
                for (int i = random.nextInt(4); i > 0 && bytes < MOST_BYTES; i--) {
                    byte[] argument = new byte[random.nextInt(4) == 0 ? 1 : random.nextInt(LARGEST)];
                    bytes += argument.length;
                    clients.get(who).writeCall(++calls[who] + 100, 0, 0, argument);
                }
                clients.get(who).connection().flush();
            }
            servers.forEach(node -> node.connection().reading(true));
            clients.forEach(node -> node.connection().reading(true));

            for (int who = 0; who < calls.length; who++) {
                TestNode client = clients.get(who);
                int made = calls[who];
                await().alias("seed " + seed)
                        .atMost(TestNode.PATIENCE)
                        .until(() -> client.of(FrameKind.REPLY).size()
                                        + client.of(FrameKind.FAILURE).size()
                                == made);
                assertThat(client.of(FrameKind.FAILURE)).as("seed %s", seed).isEmpty();
            }
        }
    }
}
