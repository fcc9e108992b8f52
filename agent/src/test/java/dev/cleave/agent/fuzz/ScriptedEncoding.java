package dev.cleave.agent.fuzz;

import dev.cleave.call.Encoded;
import dev.cleave.call.Handle;
import java.util.Arrays;

/** Arguments as they were when this was made. */
final class ScriptedEncoding extends Encoded {

    private final ScriptedServer server;
    private final String method;
    private final Object[] arguments;

    ScriptedEncoding(ScriptedServer server, String method, Object[] arguments) {
        this.server = server;
        this.method = method;
        this.arguments = arguments;
    }

    @Override
    public Handle send() {
        return server.sendAlways(method, arguments);
    }

    @Override
    public boolean isSameCall(Encoded other) {
        return other instanceof ScriptedEncoding call
                && call.method.equals(method)
                && Arrays.deepEquals(call.arguments, arguments);
    }

    @Override
    public String group() {
        return "";
    }

    @Override
    public int size() {
        return 8;
    }
}
