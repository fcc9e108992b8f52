package dev.cleave.broker.registry;

import static dev.cleave.broker.registry.FakeParty.offer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.config.Bindings;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.testing.FakeTimer;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Load;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Route;
import dev.cleave.wire.Services;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class RegistryTest {

    private final FakeTimer timer = new FakeTimer();
    private final Bindings bindings = Bindings.parse("""
        services:
          relayed: {route: relay}
          weighted: {replicas: [{name: a}, {name: b}], balance: static("2:1")}
        """, "cleave.yaml");
    private final Registry registry = new Registry(bindings, Duration.ofSeconds(60), timer::nanos);
    private final FakeParty one = new FakeParty("one");
    private final FakeParty two = new FakeParty("two");

    @Test
    void anUnknownServiceHasVersionZero() {
        assertThat(registry.lookup("compare")).isEqualTo(ReplicaSet.unknown("compare"));
        assertThat(registry.view("compare")).isNull();
        assertThat(registry.list()).isEmpty();
    }

    @Test
    void aRegisteredReplicaIsFound() {
        registry.register(one, offer("compare", "harvey", 5));

        ReplicaSet found = registry.lookup("compare");

        assertThat(found.version()).isPositive();
        assertThat(found.route()).isEqualTo(Route.DIRECT);
        assertThat(found.replicas())
                .containsExactly(new Replicas.Replica("harvey", 5, ReplicaState.STARTING, List.of("tcp://h:1")));
    }

    @Test
    void aRelayedServiceNamesNoEndpoints() {
        registry.register(one, offer("relayed", "harvey", 5));

        assertThat(registry.lookup("relayed").route()).isEqualTo(Route.RELAY);
        assertThat(registry.lookup("relayed").replicas())
                .containsExactly(new Replicas.Replica("harvey", 5, ReplicaState.STARTING, List.of()));
    }

    @Test
    void aReplicaThatCannotBeDialledMakesTheServiceRelayed() {
        registry.register(one, offer("compare", "harvey", 5));
        registry.register(two, new RegisterReplica(1, "compare", "bugs", 1, List.of(), "a.B", List.of(), 0));

        assertThat(registry.lookup("compare").route()).isEqualTo(Route.RELAY);
    }

    @Test
    void theLostConnectionTakesItsReplicasAtOnce() {
        registry.register(one, offer("compare", "harvey", 5));
        registry.register(two, offer("compare", "bugs", 5));
        registry.register(one, offer("score", "harvey", 5));

        registry.lost(one);

        assertThat(names("compare")).containsExactly("bugs");
        assertThat(names("score")).isEmpty();
    }

    @Test
    void watchersHearWhetherTheLastReplicaWasTakenBackOrLost() {
        registry.watch(two, "compare");
        registry.register(one, offer("compare", "harvey", 5));
        registry.lost(one);
        assertThat(registry.lookup("compare").withdrawn()).isFalse();

        registry.register(one, offer("compare", "harvey", 5));
        assertThat(registry.lookup("compare").withdrawn()).isFalse();
        registry.unregister(one, "compare", "harvey");

        assertThat(registry.lookup("compare").withdrawn()).isTrue();
        assertThat(two.told.get(two.told.size() - 1).withdrawn()).isTrue();
    }

    @Test
    void aReplicaThatComesBackTakesThePlaceThatWasHeldForIt() {
        registry.register(one, offer("compare", "harvey", 5));
        registry.hold(one, Duration.ofSeconds(4));
        registry.register(two, offer("compare", "harvey", 5));
        timer.advance(Duration.ofSeconds(5));
        registry.expire();

        assertThat(names("compare")).containsExactly("harvey");
        assertThat(registry.offers(one)).isFalse();
        registry.lost(two);
        assertThat(registry.isEmpty()).isTrue();
    }

    @Test
    void aReplicaIsToldWhenAnotherTakesItsName() {
        registry.register(one, offer("compare", "harvey", 5));
        registry.register(two, offer("compare", "harvey", 5));
        assertThat(one.displaced).as("the same life over another connection").isEmpty();

        registry.register(one, offer("compare", "harvey", 6));

        assertThat(two.displaced).containsExactly("harvey of compare by one");
    }

    @Test
    void namesWithControlCharactersAreRefused() {
        for (String name : List.of("a\r\nb", "\u001b[2J", "a\u0000", "a\u009b", "a\u202eb", "a\u2028b")) {
            assertThatThrownBy(() -> registry.register(one, offer(name, "harvey", 5)))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("expected: no control characters")
                    .hasMessageContaining("\\u");
            assertThatThrownBy(() -> registry.register(one, offer("compare", name, 5)))
                    .isInstanceOf(RefusedException.class);
            assertThatThrownBy(() -> registry.watch(one, name)).isInstanceOf(RefusedException.class);
        }
        assertThat(registry.isEmpty()).isTrue();
    }

    @Test
    void aNewerLifeTakesTheOlderOnesPlace() {
        registry.register(one, offer("compare", "harvey", 5));
        registry.register(two, offer("compare", "harvey", 6));

        assertThat(registry.lookup("compare").replicas())
                .extracting(Replicas.Replica::incarnation)
                .containsExactly(6L);
        registry.lost(one);
        assertThat(names("compare")).containsExactly("harvey");
    }

    @Test
    void anOlderLifeIsRefused() {
        registry.register(one, offer("compare", "harvey", 5));

        assertThatThrownBy(() -> registry.register(two, offer("compare", "harvey", 4)))
                .isInstanceOf(RefusedException.class)
                .hasMessage("replica harvey of compare: incarnation 4 (expected: at least 5, registered from one)")
                .extracting("code")
                .isEqualTo(ErrorCode.ALREADY_BOUND);
        registry.lost(two);
        assertThat(names("compare")).containsExactly("harvey");
    }

    @Test
    void theSameLifeMayComeBackOverANewConnection() {
        registry.register(one, offer("compare", "harvey", 5));
        registry.health(one, ReplicaState.UP, Load.NONE);

        registry.register(two, offer("compare", "harvey", 5));
        registry.lost(one);

        assertThat(registry.lookup("compare").replicas())
                .extracting(Replicas.Replica::state)
                .containsExactly(ReplicaState.STARTING);
    }

    @Test
    void registeringAgainOverTheSameConnectionKeepsTheState() {
        registry.register(one, offer("compare", "harvey", 5));
        registry.health(one, ReplicaState.UP, new Load(1, 2, 3, 4));

        registry.register(one, offer("compare", "harvey", 5));

        assertThat(registry.list().get(0).replicas()).singleElement().satisfies(replica -> {
            assertThat(replica.state()).isEqualTo(ReplicaState.UP);
            assertThat(replica.load()).isEqualTo(new Load(1, 2, 3, 4));
        });
    }

    @Test
    void aServiceHasOneInterface() {
        registry.register(one, offer("compare", "harvey", 5));
        RegisterReplica other = new RegisterReplica(1, "compare", "bugs", 1, List.of(), "a.C", List.of(), 0);

        assertThatThrownBy(() -> registry.register(two, other))
                .isInstanceOf(RefusedException.class)
                .hasMessage("service compare: interface a.C (expected: a.B, as its other replicas have)");
        RegisterReplica again = new RegisterReplica(1, "compare", "harvey", 6, List.of(), "a.C", List.of(), 0);
        registry.register(two, again);
        assertThat(registry.list().get(0).interfaceName()).isEqualTo("a.C");
    }

    @Test
    void aLeaseEndsUnlessRenewed() {
        assertThat(registry.register(one, offer("compare", "harvey", 5))).isEqualTo(10_000);
        registry.register(two, offer("compare", "bugs", 5));
        timer.advance(Duration.ofSeconds(9));
        assertThat(registry.renew(one, 20_000)).isEqualTo(20_000);
        registry.expire();
        assertThat(names("compare")).containsExactly("bugs", "harvey");

        timer.advance(Duration.ofSeconds(1));
        registry.expire();

        assertThat(names("compare")).containsExactly("harvey");
        assertThatThrownBy(() -> registry.renew(two, 1_000))
                .isInstanceOf(RefusedException.class)
                .hasMessage("nothing is registered over this connection")
                .extracting("code")
                .isEqualTo(ErrorCode.NOT_REGISTERED);
    }

    @Test
    void grantsNoMoreThanTheLongestLease() {
        assertThat(registry.register(one, new RegisterReplica(1, "s", "r", 1, List.of(), "a.B", List.of(), 90_000)))
                .isEqualTo(60_000);
        assertThat(registry.renew(one, 0)).isEqualTo(60_000);
    }

    @Test
    void onlyTheOneWhoRegisteredUnregisters() {
        registry.register(one, offer("compare", "harvey", 5));

        assertThatThrownBy(() -> registry.unregister(two, "compare", "harvey"))
                .isInstanceOf(RefusedException.class)
                .hasMessage("replica harvey of compare: not registered over this connection");
        registry.unregister(one, "compare", "harvey");
        assertThat(registry.isEmpty()).isTrue();
    }

    @Test
    void whoWatchesNoMoreHearsNothingAndLeavesNothing() {
        registry.watch(two, "compare");
        registry.watch(two, "other");

        registry.unwatch(two, "compare");
        registry.unwatch(two, "compare");
        registry.unwatch(two, "never watched");
        registry.register(one, FakeParty.offer("compare", "harvey", 1));

        assertThat(two.told).isEmpty();
        registry.unwatch(two, "other");
        registry.lost(one);
        assertThat(registry.isEmpty()).isTrue();
    }

    @Test
    void watchersHearOfEveryChangeInOrder() {
        assertThat(registry.watch(two, "compare")).isEqualTo(ReplicaSet.unknown("compare"));

        registry.register(one, offer("compare", "harvey", 5));
        registry.health(one, ReplicaState.UP, Load.NONE);
        registry.health(one, ReplicaState.UP, new Load(9, 9, 9, 9));
        registry.lost(one);

        assertThat(two.told).extracting(ReplicaSet::version).isSorted().doesNotHaveDuplicates();
        assertThat(two.told)
                .extracting(set ->
                        set.replicas().stream().map(Replicas.Replica::state).toList())
                .containsExactly(List.of(ReplicaState.STARTING), List.of(ReplicaState.UP), List.of());
        registry.lost(two);
        assertThat(registry.isEmpty()).isTrue();
    }

    @Test
    void versionsGrowBeyondTheEndOfAService() {
        registry.register(one, offer("compare", "harvey", 5));
        long before = registry.lookup("compare").version();
        registry.lost(one);
        registry.register(one, offer("compare", "harvey", 5));

        assertThat(registry.lookup("compare").version()).isGreaterThan(before);
    }

    @Test
    void callsGoToTheLiveInTurn() {
        registry.register(one, offer("compare", "harvey", 5));
        registry.register(two, offer("compare", "bugs", 5));
        registry.health(one, ReplicaState.UP, Load.NONE);
        registry.health(two, ReplicaState.UP, Load.NONE);

        ServiceView view = registry.view("compare");

        assertThat(List.of(picked(view), picked(view), picked(view))).containsExactly(two, one, two);
        assertThat(picked(view, two)).isSameAs(one);
        assertThat(view.pick(List.of(one, two), null)).isNull();
        registry.health(one, ReplicaState.SUSPECT, Load.NONE);
        assertThat(registry.view("compare").pick(List.of(two), null)).isNull();
    }

    @Test
    void aCallThatOneDoesNotTakeGoesToOneThatHasJustStarted() {
        registry.register(one, offer("compare", "harvey", 5));
        registry.health(one, ReplicaState.UP, Load.NONE);
        registry.register(two, offer("compare", "bugs", 5));

        ServiceView view = registry.view("compare");

        assertThat(picked(view)).isSameAs(one);
        assertThat(picked(view, one)).isSameAs(two);
    }

    @Test
    void weightsOfTheFileHold() {
        registry.register(one, offer("weighted", "a", 5));
        registry.register(two, offer("weighted", "b", 5));

        ServiceView view = registry.view("weighted");

        assertThat(List.of(picked(view), picked(view), picked(view))).containsExactlyInAnyOrder(one, one, two);
    }

    @Test
    void listsEverything() {
        registry.register(one, offer("compare", "harvey", 5));
        registry.health(one, ReplicaState.UP, new Load(1, 2, 3, 4));
        registry.watch(two, "nothing");
        timer.advance(Duration.ofSeconds(1));

        assertThat(registry.list())
                .containsExactly(new Services.Service(
                        "compare",
                        "a.B",
                        Route.DIRECT,
                        List.of(new Services.Replica(
                                "harvey", "tcp://h:1", ReplicaState.UP, new Load(1, 2, 3, 4), 9_000, "one"))));
    }

    @Test
    void refusesMoreThanItsLimits() {
        assertThatThrownBy(() -> registry.register(one, offer("", "harvey", 5)))
                .isInstanceOf(RefusedException.class)
                .hasMessage("service: 0 characters (expected: 1..255)");
        assertThatThrownBy(() -> registry.register(one, offer("s", "x".repeat(256), 5)))
                .isInstanceOf(RefusedException.class)
                .hasMessage("replica: 256 characters (expected: 1..255)");
        for (int i = 0; i < Limits.REGISTRATIONS_PER_PARTY; i++) {
            registry.register(one, offer("s" + i, "r", 1));
        }
        assertThatThrownBy(() -> registry.register(one, offer("s", "r", 1)))
                .isInstanceOf(RefusedException.class)
                .hasMessage("replicas registered over this connection: 1001 (expected: at most 1000)");
        registry.register(one, offer("s0", "r", 2));
        for (int i = 0; i < Limits.WATCHES_PER_PARTY - Limits.REGISTRATIONS_PER_PARTY; i++) {
            registry.watch(two, "w" + i);
        }
        assertThatThrownBy(() -> registry.watch(two, "one more"))
                .isInstanceOf(RefusedException.class)
                .hasMessage("services: 10001 (expected: at most 10000)");
        registry.lost(one);
        registry.lost(two);
        assertThat(registry.isEmpty()).isTrue();
    }

    private List<String> names(String service) {
        return registry.lookup(service).replicas().stream()
                .map(Replicas.Replica::name)
                .toList();
    }

    private static Party picked(ServiceView view, Party... except) {
        return view.party(view.pick(List.of(except), null));
    }

    @Test
    void aReplicaThatIsConnectedToAnotherBrokerServesNoRelayedCallHereAndCountsAsElsewhere() {
        FakeParty here = new FakeParty("here");
        Party other = new At("tcp://other:7420");
        registry.register(here, FakeParty.offer("compare", "a", 1));
        registry.health(here, ReplicaState.UP, Load.NONE);
        registry.elsewhere(other, FakeParty.offer("compare", "b", 1), null);

        ServiceView both = registry.view("compare");
        registry.lost(here);
        ServiceView one = registry.view("compare");

        assertThat(both.isServedElsewhere()).isTrue();
        assertThat(both.pick(List.of(here), null)).isNull();
        assertThat(one.isServedElsewhere()).isTrue();
        assertThat(one.pick(List.of(), null)).isNull();
    }

    /** The broker of a cluster at which a replica is. */
    private record At(String home) implements Party {

        @Override
        public String address() {
            return home;
        }

        @Override
        public void changed(ReplicaSet replicas) {}
    }

    @Test
    void aServiceWhoseReplicasHaveLostTheirBrokerIsExpectedUntilOneHasFoundAnother() {
        registry.elsewhere(new At(""), FakeParty.offer("relayed", "a", 1), null);
        registry.elsewhere(new At(""), FakeParty.offer("relayed", "b", 1), null);
        assertThat(registry.isExpected("relayed")).isTrue();
        assertThat(registry.lookup("relayed").replicas()).hasSize(2);

        registry.elsewhere(new At("tcp://other:7420"), FakeParty.offer("relayed", "b", 1), null);

        assertThat(registry.isExpected("relayed")).isFalse();
        assertThat(registry.lookup("relayed").replicas())
                .as("what clients send relayed calls to")
                .containsExactly(new Replicas.Replica("b", 1, ReplicaState.UP, List.of("tcp://other:7420")));
    }

    @Test
    void aServiceThatHasLostItsLastReplicaIsExpectedForATimeIfItWasNotWithdrawn() {
        List<String> room = new ArrayList<>();
        registry.onRoom(room::add);
        registry.expectLost(Duration.ofSeconds(30));
        registry.register(one, offer("lost", "a", 1));
        registry.register(two, offer("withdrawn", "a", 1));

        registry.lost(one);
        registry.unregister(two, "withdrawn", "a");
        room.clear();

        assertThat(registry.isExpected("lost")).isTrue();
        assertThat(registry.isExpected("withdrawn")).isFalse();
        timer.advance(Duration.ofSeconds(30));
        registry.expire();
        assertThat(registry.isExpected("lost")).isFalse();
        assertThat(room).as("whose waiting calls are looked at").containsExactly("lost");
        assertThat(registry.isEmpty()).isTrue();
    }

    @Test
    void aBrokerWithoutAClusterExpectsNoLostService() {
        registry.register(one, offer("lost", "a", 1));

        registry.lost(one);

        assertThat(registry.isExpected("lost")).isFalse();
        assertThat(registry.isEmpty()).isTrue();
    }

    @Test
    void aServiceOfAnyRouteKeepsItWhenItHasLostAllReplicas() {
        registry.watch(two, "compare");
        registry.register(one, new RegisterReplica(1, "compare", "bugs", 1, List.of(), "a.B", List.of(), 0));

        registry.lost(one);

        assertThat(two.told.get(two.told.size() - 1).route()).isEqualTo(Route.RELAY);
    }
}
