package dev.cleave.jmh.call;

import dev.cleave.CallException.CallSite;
import dev.cleave.call.LinkCall;
import dev.cleave.call.PendingCall;
import dev.cleave.call.RemoteMethod;
import dev.cleave.replica.FailureClass;
import dev.cleave.serial.Codec;
import org.jspecify.annotations.Nullable;

/** A call that goes nowhere. */
final class ScratchCall extends PendingCall implements LinkCall {

    ScratchCall(RemoteMethod method) {
        super(method);
    }

    @Override
    public Codec codec() {
        throw new IllegalStateException("no value travels");
    }

    @Override
    public void moved(String replica) {}

    @Override
    public void lost(@Nullable Throwable cause) {}

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
        return method().site("scratch", null);
    }

    @Override
    protected void ended() {}
}
