package dev.cleave.broker.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.registry.Party;
import dev.cleave.broker.registry.Registry;
import dev.cleave.config.Bindings;
import dev.cleave.migration.Grants;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.testing.FakeTimer;
import dev.cleave.wire.CallClaim;
import dev.cleave.wire.CallGrant;
import dev.cleave.wire.Forward;
import dev.cleave.wire.Frame;
import dev.cleave.wire.Load;
import dev.cleave.wire.LoadWatch;
import dev.cleave.wire.Loaded;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.ReplicaState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two brokers that move the calls of one service: slow is connected to the first, fast to the second. */
@Tag("one-jdk")
final class OwnedMigrationTest {

    private static final Bindings FILE = Bindings.parse(
            "services: {work: {replicas: [{name: slow}, {name: fast}], migrate: [\"slow # fast(uc: load == 0) : [1/2]\"]}}",
            "cleave.yaml");

    private final FakeTimer timer = new FakeTimer();
    private final Side one = new Side("one");
    private final Side two = new Side("two");
    private final Server slow = new Server("slow");
    private final Server fast = new Server("fast");
    private boolean isCut;
    private boolean isOld; // the broker that is told does not know these frames
    private long given = 100; // tokens up to this one

    /** A server at its own broker. */
    private static final class Server implements Mover {

        private final String name;
        private final List<Frame> frames = new ArrayList<>();
        private final Grants.Fences fences = new Grants.Fences();
        private int granted;

        Server(String name) {
            this.name = name;
        }

        @Override
        public boolean migrates() {
            return true;
        }

        @Override
        public void tell(Frame frame) {
            frames.add(frame);
            if (frame instanceof CallClaim claim && fences.takes(claim.service(), claim.fence())) {
                granted++;
            }
        }

        private boolean isWatched() {
            return frames.stream().anyMatch(LoadWatch.class::isInstance);
        }

        @Override
        public String address() {
            return name;
        }

        @Override
        public void changed(ReplicaSet replicas) {}
    }

    /** One broker, as the other one sees it: frames arrive at once, unless the two are cut from each other. */
    private final class Side implements Mover, Ownership {

        private final String name;
        private final Registry registry = new Registry(FILE, Duration.ofMinutes(1), timer::nanos);
        private final Migrations migrations = new Migrations(FILE, registry::view, timer, Runnable::run);
        private long token = -1;

        Side(String name) {
            this.name = name;
            migrations.join(this);
        }

        private Side other() {
            return this == one ? two : one;
        }

        /** This broker as the other one sees it that has dialled it, or was dialled. */
        @Override
        public void tell(Frame frame) {
            if (!isCut) {
                migrations.answered(other().name, (Forward) frame);
            }
        }

        @Override
        public void tell(String home, Forward said) {
            if (isOld) { // its connection is closed, as to a broker that cannot be reached
                migrations.lost(home);
            } else if (!isCut) {
                other().migrations.ordered(this, said);
            }
        }

        @Override
        public long token(String service) {
            return token;
        }

        @Override
        public boolean hasGiven(String service, long token) {
            return token <= given;
        }

        @Override
        public boolean reaches(String home) {
            return true;
        }

        @Override
        public boolean migrates() {
            return true;
        }

        @Override
        public String address() {
            return name;
        }

        @Override
        public void changed(ReplicaSet replicas) {}

        private void owns(long with) {
            token = with;
            migrations.look();
        }

        private void serve(Server server) {
            RegisterReplica said = said(server);
            int unused = registry.register(server, said);
            registry.health(server, ReplicaState.UP, Load.NONE);
            migrations.registered(server, "work", server.name);
        }

        private void knows(Server server) {
            registry.elsewhere(
                    new Party() {
                        @Override
                        public String address() {
                            return other().name;
                        }

                        @Override
                        public String home() {
                            return other().name;
                        }

                        @Override
                        public void changed(ReplicaSet replicas) {}
                    },
                    said(server),
                    null);
        }
    }

    private static RegisterReplica said(Server server) {
        return new RegisterReplica(
                1, "work", server.name, 1, List.of("tcp://" + server.name + ":1"), "a.Work", List.of(), 60_000);
    }

    @BeforeEach
    void serve() {
        one.serve(slow);
        two.serve(fast);
        one.knows(fast);
        two.knows(slow);
    }

    private void load(Side side, Server server, int waiting) {
        side.migrations.loaded(server, new Loaded("work", waiting, Math.min(waiting, 1), 0));
    }

    @Test
    void noBrokerMovesCallsThatItDoesNotOwn() {
        one.migrations.look();
        two.migrations.look();
        load(one, slow, 10);
        load(two, fast, 0);

        assertThat(slow.frames).isEmpty();
        assertThat(fast.frames).isEmpty();
    }

    @Test
    void theOwnerMovesCallsBetweenReplicasAtDifferentBrokers() {
        one.owns(5);
        assertThat(slow.isWatched()).isTrue();
        assertThat(fast.isWatched()).isTrue();

        load(two, fast, 0);
        load(one, slow, 10);

        assertThat(slow.frames).last().isInstanceOfSatisfying(CallClaim.class, claim -> {
            assertThat(claim.receiver()).isEqualTo("fast");
            assertThat(claim.fence()).isEqualTo(5);
        });
    }

    @Test
    void theOwnerMayHaveNoneOfTheReplicasThatGiveCalls() {
        two.owns(5);
        load(one, slow, 10);
        load(two, fast, 0);
        assertThat(slow.frames).last().isInstanceOf(CallClaim.class);
        CallClaim claim = (CallClaim) slow.frames.get(slow.frames.size() - 1);

        one.migrations.granted(slow, new CallGrant(claim.epoch(), "work", "fast", 5, 5, 1));
        timer.advance(Duration.ofSeconds(2));
        load(one, slow, 9);

        assertThat(slow.granted)
                .as("the grant has come back, so that there is another claim")
                .isEqualTo(2);
    }

    /** The first owner stands still, or is cut from the store and the other broker, and goes on with what it believes. */
    @Test
    void ofTwoOwnersTheOlderOneGetsNoCalls() {
        one.owns(5);
        load(two, fast, 0);
        isCut = true;
        two.owns(7);
        isCut = false;
        two.migrations.lost("one");
        two.migrations.look();
        load(two, fast, 0);
        two.tell("one", new Forward("slow", 7, new CallClaim(1, "work", "fast", 0, 1, 2, 7)));
        assertThat(slow.granted).isEqualTo(1);

        load(one, slow, 10); // the first owner still believes that it is one, and claims

        assertThat(slow.frames).last().isInstanceOfSatisfying(CallClaim.class, claim -> assertThat(claim.fence())
                .isEqualTo(5));
        assertThat(slow.granted).as("the replica refuses it").isEqualTo(1);
        one.tell("two", new Forward("fast", 5, new LoadWatch("work", List.of())));
        assertThat(fast.frames.stream().filter(LoadWatch.class::isInstance))
                .as("the broker of the other replica refuses it")
                .noneMatch(watch -> ((LoadWatch) watch).edges().isEmpty());
    }

    @Test
    void ordersWithATokenThatTheStoreHasNotGivenOutWaitUntilItHas() {
        one.tell("two", new Forward("fast", 107, new LoadWatch("work", List.of())));
        assertThat(fast.frames).isEmpty();

        given = 107;
        two.migrations.look();

        assertThat(fast.frames).singleElement().isInstanceOf(LoadWatch.class);
    }

    @Test
    void aMemberThatInventsATokenStopsNoOwner() {
        for (int i = 0; i < 100; i++) {
            two.tell(
                    "one",
                    new Forward("slow", Long.MAX_VALUE, new CallClaim(1, "work", "fast", 0, 1, 2, Long.MAX_VALUE)));
        }
        assertThat(slow.frames).isEmpty();

        one.owns(5);
        load(two, fast, 0);
        load(one, slow, 10);

        assertThat(slow.granted).isEqualTo(1);
    }

    @Test
    void replicasOfABrokerOfAnEarlierVersionTakeNoPartAndTheOthersGoOn() {
        Server idle = new Server("fast");
        isOld = true;
        one.owns(5);
        load(one, slow, 10);
        assertThat(fast.frames).isEmpty();
        assertThat(slow.frames).noneMatch(CallClaim.class::isInstance);

        one.serve(idle); // the replica comes to the newer broker
        one.migrations.look();
        load(one, idle, 0);
        load(one, slow, 10);

        assertThat(slow.frames).last().isInstanceOfSatisfying(CallClaim.class, claim -> assertThat(claim.receiver())
                .isEqualTo("fast"));
    }

    /** A server of an earlier version compares no tokens: what its own broker has refused does not come to it. */
    @Test
    void theBrokerOfAServerThatKnowsNoTokensRefusesTheOlderOwnerInItsPlace() {
        one.tell("two", new Forward("fast", 7, new LoadWatch("work", List.of(0))));
        int before = fast.frames.size();

        one.tell("two", new Forward("fast", 5, new CallClaim(1, "work", "slow", 0, 1, 2, 5)));

        assertThat(fast.frames).hasSize(before);
    }
}
