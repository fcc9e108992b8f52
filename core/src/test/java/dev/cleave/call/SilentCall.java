package dev.cleave.call;

import dev.cleave.CallException.CallSite;
import dev.cleave.config.Style;
import dev.cleave.replica.FailureClass;
import dev.cleave.serial.Codec;
import dev.cleave.serial.Numbers;
import dev.cleave.serial.TypePolicy;
import java.time.Duration;
import java.util.List;

/** A call that goes nowhere. */
final class SilentCall extends LinkCall {

    SilentCall() throws NoSuchMethodException {
        super(new RemoteMethod(
                0,
                Runnable.class.getMethod("run"),
                "Runnable.run",
                "run()V",
                new RemoteMethod.Conduct(Style.SYNC, 1, false, Duration.ofSeconds(1))));
    }

    @Override
    protected void moved(String replica) {}

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
