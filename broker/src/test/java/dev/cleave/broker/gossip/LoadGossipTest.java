package dev.cleave.broker.gossip;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.registry.Party;
import dev.cleave.broker.registry.Registry;
import dev.cleave.broker.registry.ServiceView;
import dev.cleave.config.Bindings;
import dev.cleave.replica.Placement;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.testing.FakeTimer;
import dev.cleave.wire.Frame;
import dev.cleave.wire.Load;
import dev.cleave.wire.LoadAsk;
import dev.cleave.wire.Loads;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.ReplicaState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two brokers: one that wants loads of replicas, and one to which the replicas are connected. */
@Tag("one-jdk")
final class LoadGossipTest {

    private static final Bindings FILE =
            Bindings.parse("services: {work: {route: relay, balance: demand(4)}}", "cleave.yaml");
    private static final String FAR = "tcp://far:1";

    private final FakeTimer timer = new FakeTimer();
    private final Side near = new Side();
    private final Side far = new Side();
    private final Link link = new Link();
    private final List<String> rooms = new ArrayList<>();
    private final Set<String> held = new HashSet<>();
    private final Set<String> waiting = new HashSet<>(); // at the broker that asks
    private Map<String, Long> fences = Map.of(FAR, 7L);

    /** One broker. */
    private final class Side {

        private final Registry registry = new Registry(FILE, Duration.ofMinutes(10), timer::nanos);
        private final FarLoads loads = new FarLoads(timer::nanos);
        private final LoadGossip gossip = new LoadGossip(registry::view, loads, timer, Runnable::run);

        private void has(Party party, String service, String replica) {
            RegisterReplica said = new RegisterReplica(
                    1, service, replica, 1, List.of("tcp://h:1"), "a.Work", List.of("m()V"), 600_000);
            if (party.home() != null) {
                registry.elsewhere(party, said, null);
            } else {
                int unused = registry.register(party, said);
                registry.health(party, ReplicaState.UP, new Load(0, 0, 0, 4));
            }
        }
    }

    /** A party that offers replicas. */
    private record Server(String address, String home) implements Party {

        @Override
        public void changed(ReplicaSet replicas) {}
    }

    /** The connection that the near broker has dialled: frames arrive at once, if the near one reads. */
    private final class Link implements LoadGossip.Asker, LoadGossip.OtherBrokers {

        private final List<Loads> told = new ArrayList<>();
        private final List<LoadAsk> asked = new ArrayList<>();
        private boolean isWritable = true;
        private long fence = 7;

        @Override
        public boolean isWritable() {
            return isWritable;
        }

        @Override
        public void tell(Frame frame) {
            told.add((Loads) frame);
            near.gossip.told(FAR, (Loads) frame);
        }

        @Override
        public boolean reaches(String home) {
            return true;
        }

        @Override
        public void ask(String home, LoadAsk said) {
            asked.add(said);
            far.gossip.asked(this, said);
        }

        @Override
        public long fence() {
            return fence;
        }

        @Override
        public Map<String, Long> fences() {
            return fences;
        }

        private List<Loads.Replica> replicas() {
            return told.stream().flatMap(each -> each.replicas().stream()).toList();
        }
    }

    @BeforeEach
    void join() {
        near.gossip.join(link, waiting::contains, rooms::add);
        far.gossip.join(link, held::contains, service -> {});
        serve("a");
    }

    private void serve(String replica) {
        far.has(new Server("server", null), "work", replica);
        near.has(new Server("broker " + FAR, FAR), "work", replica);
    }

    private Placement place() {
        ServiceView view = far.registry.view("work");
        Placement placed = view.place(null);
        assertThat(placed).isNotNull();
        return placed;
    }

    private void want() {
        assertThat(near.loads.take("work")).isNull();
        timer.advance(Duration.ZERO);
    }

    @Test
    void nobodyIsToldWhoHasNotAsked() {
        near.gossip.look();
        Placement placed = place();
        timer.advance(Duration.ofSeconds(5));

        assertThat(link.asked).isEmpty();
        assertThat(link.told).isEmpty();
        assertThat(timer.pending()).isZero();
        placed.end();
    }

    @Test
    void aBrokerAsksWhenACallFindsNoRoomAndIsToldAtOnce() {
        want();

        assertThat(link.asked).containsExactly(new LoadAsk("work", true));
        assertThat(link.told)
                .containsExactly(new Loads("work", 7, List.of(new Loads.Replica("a", new Load(0, 0, 0, 4), 4))));
        assertThat(rooms).containsExactly("work");
        assertThat(near.loads.load("work", "a")).isEqualTo(new Load(0, 0, 0, 4));
    }

    @Test
    void roomIsUsedUp() {
        want();

        for (int i = 0; i < 4; i++) {
            assertThat(near.loads.take("work")).isEqualTo("a");
        }

        assertThat(near.loads.take("work")).isNull();
        assertThat(near.loads.sent()).isEqualTo(4);
    }

    @Test
    void whatDoesNotChangeIsToldOnce() {
        want();

        timer.advance(Duration.ofSeconds(2));

        assertThat(link.told).hasSize(1);
    }

    @Test
    void changesAreToldTenTimesASecondAtMost() {
        want();
        link.told.clear();

        for (int millis = 0; millis < 1_000; millis++) {
            Placement placed = place();
            timer.advance(Duration.ofMillis(1));
            placed.end();
        }

        assertThat(link.told).hasSizeBetween(5, 10);
    }

    @Test
    void roomThatIsUsedAndComesBackDoubles() {
        want();
        List<Integer> told = new ArrayList<>();

        for (int i = 0; i < 4; i++) {
            int sent = 0;
            while (near.loads.take("work") != null) {
                sent++;
            }
            told.add(sent);
            for (int call = 0; call < sent; call++) {
                place().end();
            }
            timer.advance(LoadGossip.EVERY);
        }

        assertThat(told).containsExactly(4, 12, 28, 60);
    }

    @Test
    void ofManyReplicasSomeAreToldEachTime() {
        for (int i = 0; i < 600; i++) {
            serve("r-" + i);
        }
        want();
        assertThat(link.replicas()).hasSize(LoadGossip.MOST_TOLD);

        timer.advance(LoadGossip.EVERY.multipliedBy(3));

        assertThat(link.replicas().stream().map(Loads.Replica::name))
                .hasSize(601)
                .doesNotHaveDuplicates();
        assertThat(link.told).allMatch(each -> each.replicas().size() <= 64);
    }

    @Test
    void ofManyServicesEachHasItsTurn() {
        for (int service = 0; service < 20; service++) {
            for (int i = 0; i < 100; i++) {
                far.has(new Server("server-" + service, null), "service-" + service, "r-" + i);
            }
            far.gossip.asked(link, new LoadAsk("service-" + service, true));
        }

        timer.advance(LoadGossip.EVERY.multipliedBy(8));

        assertThat(link.replicas()).hasSize(2_000);
    }

    @Test
    void aBrokerThatDoesNotReadIsToldNothingUntilItReads() {
        link.isWritable = false;
        want();
        assertThat(link.told).isEmpty();

        link.isWritable = true;
        timer.advance(LoadGossip.EVERY);

        assertThat(link.told).hasSize(1);
    }

    @Test
    void roomIsSharedByTheBrokersThatAsk() {
        Link other = new Link();
        far.gossip.asked(other, new LoadAsk("work", true));

        want();

        assertThat(link.replicas()).extracting(Loads.Replica::room).containsExactly(2);
    }

    @Test
    void aReplicaThatItsBrokerSuspectsHasNoRoomForCallsOfOthers() {
        want();

        far.registry.health(theOnly("a"), ReplicaState.SUSPECT, new Load(0, 0, 0, 4));
        timer.advance(LoadGossip.EVERY);
        assertThat(near.loads.take("work")).isNull();

        far.registry.health(theOnly("a"), ReplicaState.UP, new Load(0, 0, 0, 4));
        timer.advance(LoadGossip.EVERY);
        assertThat(near.loads.take("work")).isEqualTo("a");
    }

    private Party theOnly(String replica) {
        return requireNonNull(
                requireNonNull(far.registry.view("work")).parties().get(replica));
    }

    @Test
    void whileCallsWaitThereIsNoRoomForThoseOfOthers() {
        held.add("work");
        want();
        assertThat(link.replicas()).extracting(Loads.Replica::room).containsExactly(0);
        link.told.clear();

        held.clear();
        timer.advance(LoadGossip.EVERY);

        assertThat(link.replicas()).extracting(Loads.Replica::room).containsExactly(4);
    }

    @Test
    void theLastCallWithoutRoomEndsTheWishAfterTenSeconds() {
        want();
        timer.advance(FarLoads.WANTED.minusMillis(1));
        near.gossip.look();
        assertThat(far.gossip.asked()).isEqualTo(1);

        timer.advance(Duration.ofMillis(1));
        near.gossip.look();

        assertThat(link.asked).containsExactly(new LoadAsk("work", true), new LoadAsk("work", false));
        assertThat(far.gossip.isEmpty()).isTrue();
        assertThat(near.loads.size()).isZero();
        timer.advance(Duration.ofSeconds(1));
        assertThat(timer.pending()).isZero();
    }

    @Test
    void aServiceIsWantedAsLongAsItsCallsWait() {
        waiting.add("work");
        want();
        timer.advance(FarLoads.WANTED);
        near.gossip.look();
        assertThat(link.asked).containsExactly(new LoadAsk("work", true));

        waiting.clear();
        near.gossip.look();

        assertThat(link.asked).containsExactly(new LoadAsk("work", true), new LoadAsk("work", false));
    }

    /** A client that is sent elsewhere may be cut off, or give its call up: the server never hears of it. */
    @Test
    void roomThatCallsTookWhichNeverCameIsFreeAgain() {
        want();
        for (int i = 0; i < 4; i++) {
            assertThat(near.loads.take("work")).isEqualTo("a");
        }
        timer.advance(FarLoads.LOST.minusMillis(1));
        assertThat(near.loads.hasRoom("work")).isFalse();

        timer.advance(Duration.ofMillis(1));

        assertThat(near.loads.hasRoom("work")).isTrue();
        assertThat(near.loads.take("work")).isEqualTo("a");
    }

    @Test
    void whatALostBrokerHasToldIsForgottenAndItIsAskedAgain() {
        want();

        near.gossip.lost(FAR);

        assertThat(near.loads.take("work")).isNull();
        near.gossip.look();
        assertThat(link.asked).containsExactly(new LoadAsk("work", true), new LoadAsk("work", true));
    }

    @Test
    void aConnectionThatHasEndedIsToldNothing() {
        want();
        link.told.clear();

        far.gossip.lost(link);
        Placement placed = place();
        timer.advance(Duration.ofSeconds(1));

        assertThat(link.told).isEmpty();
        placed.end();
    }

    @Test
    void theWordOfABrokerEndsWithItsMembershipAndWithItsEpoch() {
        want();
        fences = Map.of(FAR, 8L);
        near.gossip.membersChanged();
        assertThat(near.loads.size()).isZero();

        near.gossip.told(FAR, new Loads("work", 7, List.of(new Loads.Replica("a", Load.NONE, 1)))); // of the old epoch
        assertThat(near.loads.size()).isZero();
        near.gossip.told(FAR, new Loads("work", 8, List.of(new Loads.Replica("a", Load.NONE, 1))));
        assertThat(near.loads.size()).isEqualTo(1);

        fences = new HashMap<>();
        near.gossip.membersChanged();
        assertThat(near.loads.size()).isZero();
    }

    @Test
    void aBrokerThatIsNoMemberTellsNothing() {
        link.fence = 0;
        want();

        assertThat(link.told).isEmpty();
    }

    @Test
    void aBrokerSpeaksForItsOwnReplicasAndForThoseThatItWasAskedFor() {
        near.has(new Server("here", null), "work", "b");
        near.has(new Server("broker tcp://third:1", "tcp://third:1"), "work", "c");
        near.has(new Server("broker " + FAR, FAR), "other", "d");
        want();

        near.gossip.told(
                FAR,
                new Loads(
                        "work",
                        7,
                        List.of(
                                new Loads.Replica("b", Load.NONE, 1),
                                new Loads.Replica("c", Load.NONE, 1),
                                new Loads.Replica("nobody", Load.NONE, 1))));
        near.gossip.told(FAR, new Loads("other", 7, List.of(new Loads.Replica("d", Load.NONE, 1))));
        near.gossip.told("tcp://stranger:1", new Loads("work", 7, List.of(new Loads.Replica("a", Load.NONE, 1))));

        assertThat(near.loads.size()).isEqualTo(1);
    }

    @Test
    void nothingIsSentToABrokerOfWhichNothingIsHeard() {
        want();
        assertThat(near.loads.hasRoom("work")).isTrue();

        timer.advance(FarLoads.FRESH);
        assertThat(near.loads.hasRoom("work")).isFalse();
        assertThat(near.loads.take("work")).isNull();

        near.loads.heard(FAR);
        assertThat(near.loads.take("work")).isEqualTo("a");
    }

    @Test
    void aBrokerMayAskForSoManyServicesAndNoMore() {
        for (int i = 0; i <= LoadGossip.MOST_ASKED; i++) {
            far.gossip.asked(link, new LoadAsk("service-" + i, true));
        }

        assertThat(far.gossip.asked()).isEqualTo(LoadGossip.MOST_ASKED);
    }
}
