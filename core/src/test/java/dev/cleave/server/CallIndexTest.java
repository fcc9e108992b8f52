package dev.cleave.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.Seed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class CallIndexTest {

    private final CallIndex<Call> index = new CallIndex<>();

    private record Name(Object link, int peer, long id) {}

    private static final class Call implements CallIndex.Indexed<Call> {

        private final Name name;
        private Call sameSlot;

        private Call(Name name) {
            this.name = name;
        }

        @Override
        public Object link() {
            return name.link();
        }

        @Override
        public int peer() {
            return name.peer();
        }

        @Override
        public long id() {
            return name.id();
        }

        @Override
        public Call sameSlot() {
            return sameSlot;
        }

        @Override
        public void sameSlot(Call next) {
            sameSlot = next;
        }
    }

    private Call get(Name name) {
        return index.get(name.link(), name.peer(), name.id());
    }

    @Test
    void aCallIsFoundByItsCallerAndNumberAlone() {
        Call call = new Call(new Name("link", 1, 7));

        assertThat(index.add(call)).isTrue();

        assertThat(index.get("link", 1, 7)).isSameAs(call);
        assertThat(index.get("other", 1, 7)).isNull();
        assertThat(index.get("link", 2, 7)).isNull();
        assertThat(index.get("link", 1, 8)).isNull();
        assertThat(index.has(call)).isTrue();
    }

    @Test
    void aNumberIsTakenOnce() {
        Call first = new Call(new Name("link", 1, 7));
        Call second = new Call(new Name("link", 1, 7));
        index.add(first);

        assertThat(index.add(second)).isFalse();
        assertThat(index.add(first)).isFalse();
        assertThat(index.has(second)).isFalse();
        assertThat(index.remove(second)).isFalse();
        assertThat(index.remove(first)).isTrue();
        assertThat(index.remove(first)).isFalse();
        assertThat(index.add(second)).isTrue();
        assertThat(index.size()).isEqualTo(1);
    }

    @Test
    void itHoldsWhatAMapWould() {
        long seed = Seed.of(CallIndexTest.class);
        Random random = new Random(seed);
        Object[] links = {"a", "b", "c"};
        Map<Name, Call> expected = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            long id = random.nextInt(4) == 0 ? (long) random.nextInt(400) << 32 : random.nextInt(400);
            Name name = new Name(links[random.nextInt(3)], random.nextInt(3), id);
            Call known = expected.get(name);
            assertThat(get(name)).as("seed %s", seed).isSameAs(known);
            if (known == null) {
                Call call = new Call(name);
                assertThat(index.add(call)).isTrue();
                expected.put(name, call);
            } else {
                assertThat(index.remove(known)).isTrue();
                expected.remove(name);
            }
            assertThat(index.size()).isEqualTo(expected.size());
        }
        List<Call> all = new ArrayList<>(expected.values());
        assertThat(index.all()).containsExactlyInAnyOrderElementsOf(all);
        assertThat(index.stream()).hasSameSizeAs(all);
    }
}
