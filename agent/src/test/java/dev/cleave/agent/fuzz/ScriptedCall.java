package dev.cleave.agent.fuzz;

import dev.cleave.call.Handle;

/** A sent call of the {@link ScriptedServer}. */
final class ScriptedCall extends Handle {

    private final ScriptedServer server;
    private final String method;
    private final Object[] arguments;
    private boolean executed;
    private Object result;
    private Exception failure;
    private boolean origin;

    ScriptedCall(ScriptedServer server, String method, Object[] arguments) {
        this.server = server;
        this.method = method;
        this.arguments = arguments;
    }

    void execute() {
        if (!executed) {
            executed = true;
            try {
                result = server.call(method, arguments);
            } catch (Exception e) {
                failure = e;
            }
        }
    }

    private int end() throws Exception {
        if (!origin) {
            throw new AssertionError("awaited before its origin: " + this);
        }
        execute();
        server.ended(this);
        if (failure != null) {
            failure.setStackTrace(new Throwable().getStackTrace());
            throw failure;
        }
        return (Integer) result;
    }

    @Override
    public void origin() {
        origin = true;
    }

    @Override
    public boolean isDone() {
        return executed;
    }

    @Override
    public void awaitVoid() throws Throwable {
        end();
    }

    @Override
    public int awaitInt() throws Throwable {
        return method.equals("flag") || method.equals("perhaps") ? end() & 1 : end();
    }

    @Override
    public long awaitLong() throws Throwable {
        return end();
    }

    @Override
    public float awaitFloat() throws Throwable {
        return end();
    }

    @Override
    public double awaitDouble() throws Throwable {
        return end();
    }

    @Override
    public Object await() throws Throwable {
        int value = end();
        return method.equals("name") ? "n" + value : new int[] {value, value + 1, value + 2};
    }

    @Override
    public void discard() {
        server.ended(this);
    }

    @Override
    public String toString() {
        return method + java.util.Arrays.deepToString(arguments);
    }
}
