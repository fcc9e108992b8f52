package dev.cleave.call;

import dev.cleave.CallException.CallSite;
import dev.cleave.config.Style;
import dev.cleave.replica.FailureClass;
import dev.cleave.serial.Codec;
import dev.cleave.serial.Numbers;
import dev.cleave.serial.TypePolicy;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/** A call that goes nowhere. */
final class SilentCall extends PendingCall implements LinkCall {

    private final LongSupplier clock;

    SilentCall() throws NoSuchMethodException {
        this(System::nanoTime);
    }

    /** Creates a call of one second by a clock. */
    SilentCall(LongSupplier clock) throws NoSuchMethodException {
        super(new RemoteMethod(
                0,
                Runnable.class.getMethod("run"),
                "Runnable.run",
                "run()V",
                new RemoteMethod.Conduct(Style.SYNC, 1, false, Duration.ofSeconds(1))));
        this.clock = clock;
    }

    @Override
    protected long nanos() {
        return clock.getAsLong();
    }

    @Override
    public void moved(String replica) {}

    @Override
    public Codec codec() {
        return new Codec(TypePolicy.of(List.of(), List.of()), new Numbers());
    }

    @Override
    public void lost(Throwable cause) {}

    @Override
    public boolean sendAgain(FailureClass failure, String why) {
        return false;
    }

    @Override
    public void waiting() {}

    @Override
    public void withdraw() {}

    @Override
    public CallSite site() {
        return method().site("s", null);
    }

    @Override
    protected void ended() {}
}
