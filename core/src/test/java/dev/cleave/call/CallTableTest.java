package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.CallException.CallSite;
import dev.cleave.config.Style;
import dev.cleave.replica.FailureClass;
import dev.cleave.serial.Codec;
import dev.cleave.serial.Numbers;
import dev.cleave.serial.TypePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallTableTest {

    private final CallTable table = new CallTable();

    @Test
    void findsEachCallOnceAlsoAfterGrowing() throws Exception {
        List<LinkCall> calls = new ArrayList<>();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            LinkCall call = new SilentCall();
            calls.add(call);
            ids.add(table.add(call));
        }

        assertThat(table.size()).isEqualTo(3000);
        for (int i = 2999; i >= 0; i--) {
            assertThat(table.remove(ids.get(i))).isSameAs(calls.get(i));
            assertThat(table.remove(ids.get(i))).isNull();
        }
        assertThat(table.size()).isZero();
    }

    @Test
    void oneOldCallDoesNotStandInTheWayOfManyNewOnes() throws Exception {
        long old = table.add(new SilentCall());
        for (int i = 0; i < 100_000; i++) {
            table.remove(table.add(new SilentCall()));
        }

        assertThat(table.remove(old)).isNotNull();
    }

    @Test
    void letsNoneInAfterTheEnd() throws Exception {
        LinkCall call = new SilentCall();
        table.add(call);

        assertThat(table.close()).containsExactly(call);
        assertThat(table.add(new SilentCall())).isEqualTo(-1);
        assertThat(table.size()).isZero();
    }

    /** A call that goes nowhere. */
    private static final class SilentCall extends LinkCall {

        @Override
        protected void moved(String replica) {}

        SilentCall() throws NoSuchMethodException {
            super(new RemoteMethod(
                    0,
                    Runnable.class.getMethod("run"),
                    "Runnable.run",
                    "run()V",
                    new RemoteMethod.Conduct(Style.SYNC, 1, false, Duration.ofSeconds(1))));
        }

        @Override
        protected Codec codec() {
            return new Codec(TypePolicy.of(List.of(), List.of()), new Numbers());
        }

        @Override
        protected void lost(Throwable cause) {}

        @Override
        protected boolean sendAgain(FailureClass failure, String why) {
            return false;
        }

        @Override
        protected void waiting() {}

        @Override
        protected void withdraw() {}

        @Override
        protected CallSite site() {
            return method().site("s", null);
        }

        @Override
        protected void ended() {}
    }
}
