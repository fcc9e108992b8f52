package dev.cleave.jmh.call;

import dev.cleave.CallException.CallSite;
import dev.cleave.call.LinkCall;
import dev.cleave.call.RemoteMethod;
import dev.cleave.replica.FailureClass;
import dev.cleave.serial.Codec;
import org.jspecify.annotations.Nullable;

/** A call that goes nowhere. */
final class ScratchCall extends LinkCall {

    ScratchCall(RemoteMethod method) {
        super(method);
    }

    @Override
    protected Codec codec() {
        throw new IllegalStateException("no value travels");
    }

    @Override
    protected void moved(String replica) {}

    @Override
    protected void lost(@Nullable Throwable cause) {}

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
        return method().site("scratch", null);
    }

    @Override
    protected void ended() {}
}
