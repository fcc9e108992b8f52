package dev.cleave.broker.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.config.Bindings;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.testing.FakeTimer;
import dev.cleave.testing.Seed;
import dev.cleave.wire.Load;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Replicas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random sequences against a model that is a plain list. */
@Tag("one-jdk")
class RegistryModelTest {

    private static final int SEEDS = Boolean.getBoolean("cleave.full") ? 1_000 : 50;
    private static final int STEPS = 200;

    @Test
    void agreesWithTheModel() {
        long first = Seed.of(RegistryModelTest.class);
        for (int i = 0; i < SEEDS; i++) {
            new Run(first + i).run();
        }
    }

    private static final class Entry {
        private final String service;
        private final String replica;
        private final long incarnation;
        private final FakeParty party;
        private long expires;
        private ReplicaState state = ReplicaState.STARTING;

        private Entry(String service, String replica, long incarnation, FakeParty party, long expires) {
            this.service = service;
            this.replica = replica;
            this.incarnation = incarnation;
            this.party = party;
            this.expires = expires;
        }
    }

    private static final class Run {
        private final long seed;
        private final Random random;
        private final FakeTimer timer = new FakeTimer();
        private final Registry registry = new Registry(Bindings.NONE, Duration.ofSeconds(60), timer::nanos);
        private final List<FakeParty> parties = new ArrayList<>();
        private final List<Entry> model = new ArrayList<>();
        private final Map<FakeParty, Map<String, Long>> watched = new HashMap<>();

        private Run(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            for (int i = 0; i < 4; i++) {
                parties.add(new FakeParty("party" + i));
            }
        }

        private void run() {
            for (int step = 0; step < STEPS; step++) {
                step();
                check("seed " + seed + " step " + step);
            }
            parties.forEach(registry::lost);
            assertThat(registry.isEmpty()).as("seed %d at the end", seed).isTrue();
        }

        private void step() {
            FakeParty party = parties.get(random.nextInt(parties.size()));
            String service = "s" + random.nextInt(3);
            switch (random.nextInt(9)) {
                case 0, 1, 2 -> register(party, service, "r" + random.nextInt(3), random.nextInt(4));
                case 3 -> unregister(party, service, "r" + random.nextInt(3));
                case 4 -> renew(party);
                case 5 -> {
                    registry.lost(party);
                    model.removeIf(e -> e.party == party);
                    watched.remove(party);
                }
                case 6 -> {
                    timer.advance(Duration.ofSeconds(random.nextInt(5)));
                    registry.expire();
                    model.removeIf(e -> e.expires <= timer.nanos());
                }
                case 7 -> {
                    ReplicaState state = ReplicaState.values()[random.nextInt(3)];
                    registry.health(party, state, Load.NONE);
                    model.stream().filter(e -> e.party == party).forEach(e -> e.state = state);
                }
                default -> {
                    long version = registry.watch(party, service).version();
                    watched.computeIfAbsent(party, p -> new HashMap<>()).putIfAbsent(service, version);
                }
            }
        }

        private void register(FakeParty party, String service, String replica, long incarnation) {
            Entry before = find(service, replica);
            boolean refused = false;
            try {
                registry.register(party, FakeParty.offer(service, replica, incarnation));
            } catch (RefusedException e) {
                refused = true;
            }
            assertThat(refused).isEqualTo(before != null && before.incarnation > incarnation);
            if (!refused) {
                model.remove(before);
                long expires = timer.nanos() + Duration.ofSeconds(10).toNanos();
                Entry entry = new Entry(service, replica, incarnation, party, expires);
                if (before != null && before.party == party && before.incarnation == incarnation) {
                    entry.state = before.state;
                }
                model.add(entry);
            }
        }

        private void unregister(FakeParty party, String service, String replica) {
            boolean known =
                    model.removeIf(e -> e.party == party && e.service.equals(service) && e.replica.equals(replica));
            boolean refused = false;
            try {
                registry.unregister(party, service, replica);
            } catch (RefusedException e) {
                refused = true;
            }
            assertThat(refused).isEqualTo(!known);
        }

        private void renew(FakeParty party) {
            boolean known = model.stream().anyMatch(e -> e.party == party);
            boolean refused = false;
            try {
                registry.renew(party, 10_000);
            } catch (RefusedException e) {
                refused = true;
            }
            assertThat(refused).isEqualTo(!known);
            model.stream().filter(e -> e.party == party).forEach(e -> e.expires = timer.nanos() + 10_000_000_000L);
        }

        private Entry find(String service, String replica) {
            return model.stream()
                    .filter(e -> e.service.equals(service) && e.replica.equals(replica))
                    .findFirst()
                    .orElse(null);
        }

        private void check(String what) {
            for (String service : List.of("s0", "s1", "s2")) {
                Map<String, Replicas.Replica> expected = new TreeMap<>();
                model.stream()
                        .filter(e -> e.service.equals(service))
                        .forEach(e -> expected.put(
                                e.replica,
                                new Replicas.Replica(e.replica, e.incarnation, e.state, List.of("tcp://h:1"))));
                ReplicaSet found = registry.lookup(service);
                assertThat(found.replicas()).as(what).containsExactlyElementsOf(expected.values());
                assertThat(registry.view(service) != null).as(what).isEqualTo(!expected.isEmpty());
            }
            for (FakeParty party : parties) {
                checkTold(party, what);
                assertThat(registry.offers(party))
                        .as(what)
                        .isEqualTo(model.stream().anyMatch(e -> e.party == party));
            }
        }

        /** Versions only grow, and what a watcher was told last, since it began to watch, is how the service is. */
        private void checkTold(FakeParty party, String what) {
            watched.getOrDefault(party, Map.of()).forEach((service, since) -> {
                ReplicaSet last = null;
                for (ReplicaSet told : party.told) {
                    if (told.service().equals(service)) {
                        assertThat(last == null || told.version() > last.version())
                                .as(what)
                                .isTrue();
                        last = told;
                    }
                }
                ReplicaSet now = registry.lookup(service);
                if (now.version() > since) {
                    assertThat(last).as(what).isEqualTo(now);
                }
            });
        }
    }
}
