package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.testing.Seed;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Reply;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clients call while servers and other clients come and go. Each call of a client that stays ends exactly once: with its
 * own answer after one execution, unexecuted, or in doubt after at most one.
 */
@Tag("one-jdk")
class RelayChaosTest {

    private static final int CLIENTS = 4;
    private static final int CALLS = 250;

    private final Map<String, AtomicInteger> executions = new ConcurrentHashMap<>();

    @ParameterizedTest
    @EnumSource
    void everyCallEndsOnce(Way way) {
        long seed = Seed.of(RelayChaosTest.class);
        Random random = new Random(seed);
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            List<TestNode> servers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                servers.add(server(test, "r" + i, random.nextLong()));
            }
            List<TestNode> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(test.node("client" + i).announce("echo"));
            }
            for (int call = 1; call <= CALLS; call++) {
                for (int c = 0; c < CLIENTS; c++) {
                    clients.get(c).call(call, 0, 0, c + "/" + call);
                }
                if (random.nextInt(20) == 0) {
                    int victim = random.nextInt(servers.size());
                    servers.get(victim).close();
                    servers.set(victim, server(test, "s" + call, random.nextLong()));
                }
                if (random.nextInt(20) == 0) {
                    TestNode passing = test.node("passing").announce("echo");
                    passing.call("passing by " + call);
                    passing.close();
                }
            }
            // Those that hold calls back for ever end, and with them the calls.
            servers.forEach(TestNode::close);
            for (int c = 0; c < CLIENTS; c++) {
                check(clients.get(c), c, "seed " + seed);
            }
        }
    }

    /** A server that answers in any order, and some calls not at all. */
    private TestNode server(BrokerUnderTest test, String name, long seed) {
        Random random = new Random(seed);
        List<ByteBuf> waiting = new ArrayList<>();
        TestNode server = test.node(name);
        server.onRequest = (node, frame) -> {
            waiting.add(Unpooled.wrappedBuffer(ByteBufUtil.getBytes(frame)));
            ByteBuf next = waiting.get(random.nextInt(waiting.size()));
            if (random.nextInt(50) > 0) {
                waiting.remove(next);
                RequestHead request = RequestHead.read(next);
                String text = next.toString(StandardCharsets.UTF_8);
                executions.computeIfAbsent(text, t -> new AtomicInteger()).incrementAndGet();
                ByteBuf reply = new Reply(request.peer(), request.id())
                        .begin(node.connection().allocator(), 16)
                        .writeBytes(next);
                Header.finish(reply);
                node.connection().write(reply);
            }
        };
        return server.register("echo", name, 1);
    }

    private void check(TestNode client, int number, String what) {
        await().alias(what)
                .atMost(TestNode.PATIENCE)
                .until(() -> outcomes(client).size() >= CALLS);
        Set<Long> seen = ConcurrentHashMap.newKeySet();
        for (ByteBuf frame : outcomes(client)) {
            long id = Header.id(frame);
            assertThat(seen.add(id)).as("%s: two outcomes of %d", what, id).isTrue();
            String text = number + "/" + id;
            int executed = executions.getOrDefault(text, new AtomicInteger()).get();
            switch (client.outcome(id)) {
                case "CONNECTION_LOST MAYBE" -> assertThat(executed).as(what).isLessThanOrEqualTo(1);
                case "NO_REPLICA NOT", "OVERLOAD NOT" ->
                    assertThat(executed).as(what).isZero();
                default -> {
                    assertThat(client.outcome(id)).as(what).isEqualTo(text);
                    assertThat(executed).as(what).isEqualTo(1);
                }
            }
        }
    }

    private static List<ByteBuf> outcomes(TestNode client) {
        List<ByteBuf> outcomes = new ArrayList<>(client.of(FrameKind.REPLY));
        outcomes.addAll(client.of(FrameKind.FAILURE));
        return outcomes;
    }
}
