package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.CallException;
import dev.cleave.DeniedException;
import dev.cleave.NoReplicaException;
import dev.cleave.Ref;
import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.config.KeyFiles;
import dev.cleave.metrics.Refusals;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.EffectOf;
import dev.cleave.testing.TestKeys;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.Services;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What identities may do at a broker and at servers with keys. */
@Timeout(120)
@EffectOf({
    "security",
    "security.rights",
    "security.rights.identity",
    "security.rights.register",
    "security.rights.call",
    "security.rights.administer"
})
@Tag("one-jdk")
class RightsTest {

    /** The service. */
    @Remote
    interface Bank {

        int balance();

        void deposit(int amount);

        void watch(Watcher watcher);

        long total(Ref<long[]> amounts);
    }

    /** An object of the caller. */
    @Remote
    interface Watcher {

        void changed(int balance);
    }

    private static final class RealBank implements Bank {

        private final AtomicInteger balance = new AtomicInteger();

        @Override
        public int balance() {
            return balance.get();
        }

        @Override
        public void deposit(int amount) {
            balance.addAndGet(amount);
        }

        @Override
        public void watch(Watcher watcher) {
            watcher.changed(balance.get());
        }

        @Override
        public long total(Ref<long[]> amounts) {
            return Arrays.stream(amounts.get()).sum();
        }
    }

    private static final String FILE = """
            services:
              bank: {route: ROUTE}
            security:
              rights:
                - {identity: server, register: [bank]}
                - {identity: clerk, call: [bank]}
                - {identity: "reader-*", call: [bank.balance]}
                - {identity: operator, administer: [drain, list, reload]}
            """;

    @TempDir
    static Path directory;

    private static TestKeys keys;

    private final List<AutoCloseable> open = new ArrayList<>();
    private final RealBank bank = new RealBank();
    private Bindings file = Bindings.parse(FILE.replace("ROUTE", "direct"), "cleave.yaml");
    private Broker broker;

    @BeforeAll
    static void certify() {
        keys = new TestKeys(directory);
    }

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void anIdentityCallsWhatItMayAndNothingElse(String route) {
        start(route);
        node("clerk").lookup("bank", Bank.class).deposit(5);
        Bank read = node("reader-1").lookup("bank", Bank.class);
        long denials = Refusals.of("denied.call");

        assertThat(read.balance()).isEqualTo(5);
        assertThatThrownBy(() -> read.deposit(7))
                .isInstanceOfSatisfying(
                        DeniedException.class, e -> assertThat(e.notExecuted()).isTrue())
                .hasMessageContaining("identity reader-1 has no right to call bank.deposit(");
        assertThat(bank.balance()).isEqualTo(5);
        assertThat(Refusals.of("denied.call")).isGreaterThan(denials);
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void anIdentityMayBeThatOfAToken(String route) {
        start(route);
        long denials = Refusals.of("denied.call");
        Bank read = node(NodeOptions.DEFAULT.withName("server"), keys.token("reader-2", "broker", "server"))
                .lookup("bank", Bank.class);

        assertThat(read.balance()).isZero();
        assertThatThrownBy(() -> read.deposit(7))
                .isInstanceOf(DeniedException.class)
                .hasMessageContaining("identity reader-2 has no right to call bank.deposit(");
        assertThat(bank.balance()).isZero();
        assertThat(Refusals.of("denied.call")).isGreaterThan(denials);
    }

    /** A token for the broker alone is good for relayed calls, and for direct ones of no server. */
    @Test
    void aTokenIsForItsAudienceAlone() {
        start("direct");
        Bank far = node(NodeOptions.DEFAULT, keys.token("reader-3", "broker")).lookup("bank", Bank.class);

        assertThatThrownBy(far::balance).isInstanceOf(CallException.class);
        assertThatThrownBy(() -> node(NodeOptions.DEFAULT, keys.token("reader-3", "server")))
                .hasMessageContaining("is for [server] (expected: broker)");
    }

    /** A side without a certificate can serve by way of the broker. */
    @Test
    void aServerWithATokenServesRelayedCalls() {
        broker = open(Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0))
                .with(Bindings.parse(FILE.replace("ROUTE", "relay"), "cleave.yaml"))
                .with(keys.takingTokens("broker"))));
        file = Bindings.parse(FILE.replace("ROUTE", "relay"), "cleave.yaml");
        node(NodeOptions.DEFAULT.withName("far"), keys.token("server", "broker"))
                .bind("bank", bank);

        node("clerk").lookup("bank", Bank.class).deposit(3);

        assertThat(bank.balance()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void objectsThatWereHandedOverAreCalledBack(String route) {
        start(route);
        AtomicInteger seen = new AtomicInteger(-1);
        Watcher watcher = seen::set;

        node("clerk").lookup("bank", Bank.class).watch(watcher);

        assertThat(seen).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void valuesArePutNearServicesByThoseWhoMayCallThem(String route) {
        start(route);
        Node clerk = node("clerk");
        Bank called = clerk.lookup("bank", Bank.class);
        Node reader = node("reader-1");
        Bank read = reader.lookup("bank", Bank.class);

        Ref<long[]> amounts = clerk.put(new long[] {20, 3}, called);

        assertThat(called.total(amounts)).isEqualTo(23);
        assertThatThrownBy(() -> reader.put(new long[] {1}, read)).isInstanceOf(DeniedException.class);
    }

    @Test
    void whatNobodyGrantsIsDenied() {
        start("direct");
        Node stranger = node("stranger");

        assertThatThrownBy(() -> stranger.lookup("bank", Bank.class)).isInstanceOf(DeniedException.class);
        assertThatThrownBy(() -> stranger.bind("bank", new RealBank())).isInstanceOf(DeniedException.class);
        assertThatThrownBy(() -> stranger.drain("server")).isInstanceOf(DeniedException.class);
        assertThat(stranger.list()).isEmpty();
        assertThat(node("operator").list()).hasSize(1);
    }

    @Test
    void aFileIsReloadedByThoseWhoMay() throws IOException {
        start("direct");
        Path next = Files.writeString(
                directory.resolve("next.yaml"), FILE.replace("ROUTE", "direct").replace("clerk", "porter"));
        Node clerk = node("clerk");
        Bank bankOfClerk = clerk.lookup("bank", Bank.class);
        bankOfClerk.deposit(1);

        assertThatThrownBy(() -> clerk.reload(next)).isInstanceOf(DeniedException.class);
        bankOfClerk.deposit(1);
        assertThat(node("operator").reload(next)).contains("broker: applied", "server: applied");

        assertThatThrownBy(() -> bankOfClerk.deposit(1)).isInstanceOf(DeniedException.class);
        assertThat(bank.balance()).isEqualTo(2);
    }

    /** A name in HELLO is only a name: it takes no replica from the identity that registered it. */
    @Test
    void aReplicaOfAnotherIdentityCannotBeDisplaced() {
        file = Bindings.parse(
                FILE.replace("ROUTE", "direct") + "    - {identity: rival, register: [bank]}\n", "cleave.yaml");
        start("direct");
        Node rival = node("rival", NodeOptions.DEFAULT.withName("server"));

        assertThatThrownBy(() -> rival.bind("bank", new RealBank()))
                .isInstanceOf(CallException.class)
                .hasMessageContaining("registered by another identity, server");
    }

    @Test
    void endpointsNameTheIdentityThatMustAnswerThere() {
        start("direct");

        List<Services.Service> services = node("operator").list();

        assertThat(services.get(0).replicas().get(0).endpoint()).startsWith("tcp://server@localhost:");
    }

    @Test
    void aBrokerOfAnotherIdentityIsNotBelieved() {
        broker =
                open(Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(keys.of("impostor"))));

        assertThatThrownBy(() -> node("clerk"))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("the peer is impostor (expected: broker)");
    }

    @Test
    void aNodeWithoutKeysIsTurnedAway() {
        start("direct");

        assertThatThrownBy(() -> open(Node.connect(
                        NodeOptions.DEFAULT.withBroker(broker.endpoint()).withPatience(Duration.ZERO))))
                .isInstanceOf(TransportException.class);
    }

    @Test
    void rightsWithoutIdentitiesAreAMistake() {
        assertThatThrownBy(() -> open(Broker.start(
                        BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(file))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rights without identities");
    }

    @Test
    void withKeysNothingElseIsNeededBeyondLoopback() {
        broker = open(Broker.start(
                BrokerOptions.at(Endpoint.tcp("0.0.0.0", 0)).with(file).with(keys.of("broker"))));

        assertThat(broker.endpoint().port()).isPositive();
    }

    @Test
    void aServiceThatNoReplicaServesIsUnknownToThoseWhoMayCallIt() {
        broker = open(Broker.start(
                BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(file).with(keys.of("broker"))));

        assertThatThrownBy(() -> node("clerk").lookup("bank", Bank.class)).isInstanceOf(NoReplicaException.class);
    }

    private void start(String route) {
        if (route.equals("relay")) {
            file = Bindings.parse(FILE.replace("ROUTE", "relay"), "cleave.yaml");
        }
        broker = open(Broker.start(
                BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(file).with(keys.takingTokens("broker"))));
        node(NodeOptions.DEFAULT.withName("server"), keys.takingTokens("server"))
                .bind("bank", bank);
    }

    private Node node(String identity) {
        return node(identity, NodeOptions.DEFAULT.withName(identity));
    }

    private Node node(String identity, NodeOptions options) {
        return node(options, keys.of(identity));
    }

    private Node node(NodeOptions options, KeyFiles files) {
        return open(Node.connect(options.withBroker(broker.endpoint().of(null))
                .withBindings(file)
                .withKeys(files)
                .withPatience(Duration.ZERO)));
    }

    private <T extends AutoCloseable> T open(T made) {
        open.add(made);
        return made;
    }
}
