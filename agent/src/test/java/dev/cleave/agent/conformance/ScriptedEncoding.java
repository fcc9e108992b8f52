package dev.cleave.agent.conformance;

import dev.cleave.call.Encoded;
import dev.cleave.call.Handle;
import java.util.Arrays;
import java.util.Objects;

/** Arguments as they were when this was made. */
final class ScriptedEncoding extends Encoded {

    private final ScriptedStub stub;
    private final String method;
    private final Object[] arguments;
    private final String user = ProbeUser.USER.get();

    ScriptedEncoding(ScriptedStub stub, String method, Object... arguments) {
        this.stub = stub;
        this.method = method;
        this.arguments = arguments;
    }

    @Override
    public Handle send() {
        return stub.sendFor(user, method, arguments);
    }

    @Override
    public boolean isSameCall(Encoded other) {
        return other instanceof ScriptedEncoding call
                && call.stub == stub
                && call.method.equals(method)
                && Objects.equals(call.user, user)
                && Arrays.deepEquals(call.arguments, arguments);
    }

    @Override
    public String group() {
        return ScriptedService.groupOf(method);
    }

    @Override
    public int size() {
        return 8;
    }
}
