package dev.cleave.broker.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.replica.ReplicaSet;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
final class PartTest {

    private static Replicas.Replica replica(int number, ReplicaState state) {
        return new Replicas.Replica("r-" + number, 1, state, List.of("tcp://r-" + number + ":1"));
    }

    private static ReplicaSet set(List<Replicas.Replica> replicas) {
        return new ReplicaSet("who", 1, Route.DIRECT, replicas);
    }

    private static ReplicaSet up(int count) {
        return set(IntStream.range(0, count)
                .mapToObj(i -> replica(i, ReplicaState.UP))
                .toList());
    }

    private static List<String> names(Part part) {
        return part.told().replicas().stream().map(Replicas.Replica::name).toList();
    }

    @Test
    void aServiceOfTwentyIsToldWhole() {
        assertThat(Part.of(up(Part.MOST), "c").told()).isEqualTo(up(Part.MOST));
        assertThat(Part.of(up(Part.MOST + 1), "c").told().replicas()).hasSize(Part.MOST);
    }

    @Test
    void manyClientsUseAllReplicasAboutEquallyOften() {
        Map<String, Integer> users = new TreeMap<>();
        ReplicaSet all = up(100);

        for (int client = 0; client < 1_000; client++) {
            names(Part.of(all, "client-" + client)).forEach(name -> users.merge(name, 1, Integer::sum));
        }

        assertThat(users).hasSize(100);
        assertThat(users.values()).allMatch(count -> count > 140 && count < 260, "about 200");
    }

    @Test
    void aReplicaThatLeavesChangesTheClientsAloneThatKnewIt() {
        ReplicaSet all = up(100);
        ReplicaSet without = set(all.replicas().stream()
                .filter(replica -> !replica.name().equals("r-7"))
                .toList());

        for (int client = 0; client < 200; client++) {
            Part before = Part.of(all, "client-" + client);
            Part after = before.of(without);
            boolean knewIt = names(before).contains("r-7");
            assertThat(after.isSameAs(before)).isEqualTo(!knewIt);
            if (knewIt) {
                assertThat(before.mayChangeWith("r-7")).isTrue();
                assertThat(names(after))
                        .containsAll(names(before).stream()
                                .filter(name -> !name.equals("r-7"))
                                .toList());
            }
        }
    }

    @Test
    void whatMayNotChangeAPartDoesNot() {
        ReplicaSet all = up(60);
        ReplicaSet more = up(61);
        int skipped = 0;

        for (int client = 0; client < 200; client++) {
            Part before = Part.of(all, "client-" + client);
            Part after = before.of(more);
            if (!before.mayChangeWith("r-60")) {
                assertThat(after.isSameAs(before)).isTrue();
                skipped++;
            }
        }

        assertThat(skipped).as("clients that need not be looked at").isGreaterThan(80);
    }

    @Test
    void tenOfAPartGetNewCallsIfSoManyDo() {
        List<Replicas.Replica> replicas = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            replicas.add(replica(i, i < 12 ? ReplicaState.UP : ReplicaState.SUSPECT));
        }

        Part part = Part.of(set(replicas), "c");

        assertThat(part.told().replicas()).hasSize(Part.MOST);
        assertThat(part.told().live()).hasSize(Part.LEAST_LIVE);
        assertThat(part.mayChangeWith("r-any")).as("it looks for better ones").isTrue();
    }

    @Test
    void watchersAreToldOfTheirOwnPartAndOnlyOfChangesInIt() {
        Watchers watchers = new Watchers();
        FakeParty all = new FakeParty("all");
        FakeParty some = new FakeParty("some");
        ReplicaSet before = up(100);
        watchers.add(all, null, before);
        List<String> told = watchers.add(some, "some/1", before).replicas().stream()
                .map(Replicas.Replica::name)
                .toList();
        assertThat(told).hasSize(Part.MOST);

        for (int i = 0; i < 100; i++) {
            int gone = i;
            watchers.changed(
                    set(before.replicas().stream()
                            .filter(replica -> !replica.name().equals("r-" + gone))
                            .toList()),
                    "r-" + gone);
            watchers.changed(before, "r-" + gone);
        }

        assertThat(all.told).hasSize(200);
        assertThat(some.told).as("twice for each of its own").hasSize(2 * Part.MOST);
        assertThat(watchers.of(some, before).replicas().stream()
                        .map(Replicas.Replica::name)
                        .collect(Collectors.toList()))
                .isEqualTo(told);
        assertThat(watchers.of(all, before)).isEqualTo(before);
    }
}
