package dev.cleave.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Idempotent;
import dev.cleave.Remote;
import dev.cleave.client.ScriptedPeers.Peer;
import dev.cleave.client.ScriptedPeers.Ways;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.RequestHead;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the request of a call says that is sent again. */
@Tag("one-jdk")
class SentAgainTest {

    /** Is called. */
    @Remote
    interface Desk {

        @Idempotent
        int again(int value);
    }

    @Test
    void aCallThatIsSentAgainHasNoMoreThanWhatIsLeftOfItsTime() throws Throwable {
        ScriptedPeers net = new ScriptedPeers();
        Ways ways = new Ways();
        Peer one = net.dial("one");
        Peer two = net.dial("two");
        try {
            ways.first.add(one.hop());
            Outgoing call = net.calls(Desk.class, ways).begin(0);
            call.values().putInt(42);
            ClientCall sent = (ClientCall) call.start();
            net.settle();
            net.pass(Duration.ofSeconds(27));
            ways.next.add(two.hop());

            one.cut();
            net.settle();

            RequestHead again = RequestHead.read(two.only(FrameKind.REQUEST).duplicate());
            assertThat(Duration.ofNanos(again.deadlineMicros() * 1_000))
                    .isPositive()
                    .isLessThanOrEqualTo(Duration.ofSeconds(3));
            two.answer(two.request(), 7);
            assertThat(sent.awaitInt()).isEqualTo(7);
        } finally {
            net.close();
        }
    }
}
