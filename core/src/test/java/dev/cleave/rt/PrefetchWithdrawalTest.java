package dev.cleave.rt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.call.Encoded;
import dev.cleave.call.Handle;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What was sent on a guess and is given up: in which order the servers are told. */
class PrefetchWithdrawalTest {

    private final List<String> ends = new ArrayList<>();

    private final class Call extends Encoded {

        private final int argument;

        Call(int argument) {
            this.argument = argument;
        }

        @Override
        public Handle send() {
            return new IntHandle(argument, false) {
                @Override
                public void withdrawn() {
                    ends.add("withdraw " + argument);
                }

                @Override
                public void discard() {
                    ends.add("discard " + argument);
                }
            };
        }

        @Override
        public boolean isSameCall(Encoded other) {
            return other instanceof Call call && call.argument == argument;
        }

        @Override
        public String group() {
            return "";
        }

        @Override
        public int size() {
            return 4;
        }
    }

    private static PrefetchSite site() {
        return new PrefetchSite(new Site("PrefetchWithdrawalTest", 1, "Svc.get"), PrefetchSite.Kind.PURE, 0);
    }

    private static PrefetchQueue queue(PrefetchSite... sites) {
        return new PrefetchQueue(new PrefetchPlace(64, 0, List.of(sites)), () -> 1);
    }

    @Test
    void whatIsGivenUpIsWithdrawnFromTheLastCallOnBeforeAnyIsDiscarded() {
        PrefetchSite site = site();
        PrefetchQueue queue = queue(site, site, site);
        for (int pass = 0; pass < 2; pass++) {
            queue.begin();
            assertThat(queue.hasRoom()).isTrue();
            for (int position = 0; position < 3; position++) {
                assertThat(queue.send(position, new Call(10 * pass + position))).isTrue();
            }
            queue.ahead();
            if (pass == 0) {
                assertThat(queue.claim(1, new Call(1))).isNotNull();
            }
        }
        assertThat(ends).as("passed by").containsExactly("withdraw 2", "withdraw 0", "discard 0", "discard 2");

        ends.clear();
        queue.close();
        assertThat(ends)
                .containsExactly("withdraw 12", "withdraw 11", "withdraw 10", "discard 10", "discard 11", "discard 12");
    }

    @Test
    void whatAClaimPassesByIsWithdrawnFromTheLastCallOn() {
        PrefetchQueue queue = queue(site());
        PrefetchQueue other = queue(site());
        for (PrefetchQueue open : List.of(queue, other)) {
            open.begin();
            assertThat(open.hasRoom()).isTrue();
            for (int i = 0; i < 3; i++) {
                assertThat(open.send(0, new Call(i))).isTrue();
            }
            open.ahead();
        }

        assertThat(queue.claim(0, new Call(2))).isNotNull();
        assertThat(ends)
                .as("another one is claimed")
                .containsExactly("withdraw 1", "withdraw 0", "discard 0", "discard 1");

        ends.clear();
        assertThat(other.claim(0, new Call(7))).isNull();
        assertThat(ends)
                .as("none is claimed")
                .containsExactly("withdraw 2", "withdraw 1", "withdraw 0", "discard 0", "discard 1", "discard 2");
    }
}
