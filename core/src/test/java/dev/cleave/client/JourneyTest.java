package dev.cleave.client;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Idempotent;
import dev.cleave.Remote;
import dev.cleave.call.Link;
import dev.cleave.client.ScriptedPeers.Peer;
import dev.cleave.client.ScriptedPeers.Ways;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
@Tag("one-jdk")
class JourneyTest {

    private static final int ENTERED = 100_000;

    private final ScriptedPeers net = new ScriptedPeers();
    private final Peer one = net.dial("one");
    private final Peer two = net.dial("two");
    private final Journey journey = new Journey();
    private final ClientCall call = new ClientCall(
            net.service(Desk.class, new Ways()),
            ScriptedPeers.contract(Desk.class, "application: test").methods().get(0));

    @Remote
    interface Desk {

        @Idempotent
        int again(int value);
    }

    @AfterEach
    void close() {
        net.close();
    }

    private long enter(Peer peer) {
        long number = journey.enter(call, peer.hop());
        boolean unused = peer.link().forget(number);
        return number;
    }

    @Test
    void hasNoPlaceBeforeItIsOnAWay() {
        assertThat(journey.place()).isNull();
        journey.withdraw(false);
        assertThat(one.frames(FrameKind.CANCEL)).isEmpty();
    }

    @Test
    void hasNoPlaceWhereALinkIsGone() {
        one.cut();

        assertThat(journey.enter(call, one.hop())).isNotPositive();
        assertThat(journey.place()).isNull();
        assertThat(journey.enter(call, two.hop())).isPositive();
        assertThat(journey.place().link()).isSameAs(two.link());
        two.cut();
    }

    @Test
    void whatEndsMeanwhileIsTakenOutAndCancelledWhereItIs() {
        long number = journey.enter(call, one.hop());

        journey.withdraw(true);

        assertThat(one.link().pendingCalls()).isZero();
        assertThat(Header.id(one.only(FrameKind.CANCEL))).isEqualTo(number);
    }

    @Test
    void wayAndNumberAreOfOneLinkWhateverOtherThreadsDo() throws Exception {
        for (int i = 0; i <= ENTERED; i++) {
            long unused = enter(two); // its numbers, the last one too, are greater than those of the first link
        }
        AtomicBoolean over = new AtomicBoolean();
        Link first = one.link();
        CompletableFuture<Long> seen = CompletableFuture.supplyAsync(() -> {
            long mixed = 0;
            while (!over.get()) {
                Journey.Place place = journey.place();
                if (place != null && (place.link() == first) != place.number() <= ENTERED) {
                    mixed++;
                }
            }
            return mixed;
        });

        for (int i = 0; i < ENTERED; i++) {
            long unused = enter(one) + enter(two);
        }
        over.set(true);

        assertThat(seen.get(30, SECONDS)).isZero();
    }
}
