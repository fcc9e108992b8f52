package dev.cleave.agent.conformance;

import dev.cleave.call.Encoded;
import dev.cleave.call.Handle;
import java.util.Arrays;

/** Arguments as they were when this was made. */
final class ScriptedEncoding extends Encoded {

    private final ScriptedStub stub;
    private final String method;
    private final Object[] arguments;

    ScriptedEncoding(ScriptedStub stub, String method, Object... arguments) {
        this.stub = stub;
        this.method = method;
        this.arguments = arguments;
    }

    @Override
    public Handle send() {
        return stub.send(method, arguments);
    }

    @Override
    public boolean isSameCall(Encoded other) {
        return other instanceof ScriptedEncoding call
                && call.stub == stub
                && call.method.equals(method)
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
