package dev.cleave.agent.fuzz;

import dev.cleave.call.Handle;
import dev.cleave.rt.Strand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A sent call of the {@link ScriptedServer}. */
final class ScriptedCall extends Handle {

    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    private static final int NEAR = 5; // frames from an await to who asks

    private final ScriptedServer server;
    private final String method;
    private final Object[] arguments;
    private boolean executed;
    private Object result;
    private Object value;
    private Exception failure;
    private boolean origin;
    private boolean over;
    private ScriptedLane lane;
    private Map<Integer, Handle> passed = Map.of();
    private final List<ScriptedCall> takers = new ArrayList<>();
    private int uses;
    private final long answeredAt;

    ScriptedCall(ScriptedServer server, String method, Object[] arguments) {
        this.server = server;
        this.method = method;
        this.arguments = arguments;
        this.answeredAt = server.now() + 1;
    }

    String method() {
        return method;
    }

    void enter(ScriptedLane into) {
        lane = into;
    }

    boolean isChained() {
        return method.equals("push") || method.equals("pull") || method.equals("label");
    }

    /** Some arguments are results of calls before it in its lane, by parameter. */
    void isGiven(Map<Integer, Handle> results) {
        passed = results;
        results.values().forEach(source -> ((ScriptedCall) source).takers.add(this));
    }

    /** Its result is for a number of arguments of later calls, and nothing else; 0 if it is for more. */
    void isUsedBy(int arguments) {
        uses = arguments;
    }

    /** Whether the result stays at the server: all calls that it is for have it, and the program gets nothing. */
    private boolean hasStayed() {
        ScriptedLane in = lane;
        if (uses == 0 || takers.size() != uses || in == null) {
            return false;
        }
        takers.forEach(in::execute);
        return takers.stream().allMatch(taker -> taker.executed);
    }

    /** Whether it cannot be executed because a result is not kept, as the dice say. */
    boolean lacksResult(Random dice) {
        return !passed.isEmpty() && dice.nextInt(8) == 0;
    }

    /** Whether it changes nothing. */
    boolean isReading() {
        return ProgramRun.READING.contains(method);
    }

    boolean hasFailed() {
        return failure != null;
    }

    /** Whether it has been awaited or given up. */
    boolean isOver() {
        return over;
    }

    void execute() {
        if (lane == null) {
            executeNow();
        }
    }

    void executeNow() {
        if (!executed) {
            executed = true;
            passed.forEach((parameter, source) -> arguments[1 + parameter] = ((ScriptedCall) source).value());
            server.executeGroupBefore(this, method);
            try {
                result = server.call(method, arguments);
            } catch (Exception e) {
                failure = e;
            }
        }
    }

    private int end() throws Exception {
        if (isLook()) {
            return looked();
        }
        if (!origin) {
            server.violated("awaited before its origin: " + this); // strands swallow errors
            throw new AssertionError("awaited before its origin: " + this);
        }
        if (lane != null) {
            lane.execute(this);
            if (lane.isBroken()) {
                lane.breakOff();
            }
        }
        executeNow(); // if a chain broke before it: made anew
        over = true;
        server.waitUntil(answeredAt);
        server.ended(this);
        if (failure != null) {
            failure.setStackTrace(new Throwable().getStackTrace());
            throw failure;
        }
        return (Integer) result;
    }

    /** Whether a strand asks, which goes on with the result before the program comes to the call, or after that. */
    private static boolean isLook() {
        return WALKER.walk(frames -> frames.limit(NEAR).anyMatch(frame -> frame.getDeclaringClass() == Strand.class));
    }

    private int looked() throws Exception {
        if (!isDone()) {
            server.violated("a strand blocks: " + this); // it would swallow an error
        }
        server.looked();
        if (lane == null) {
            executeNow();
        } else {
            lane.execute(this);
        }
        if (failure != null) {
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
        return server.isDone(executed, answeredAt);
    }

    @Override
    public boolean hasAnswer() {
        if (server.linkFails()) {
            server.ended(this);
            return false;
        }
        execute();
        server.waitUntil(answeredAt);
        return true;
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
        end();
        return hasStayed() ? null : value();
    }

    /** Returns the result as the method returns it; the program and its strands get the same object. */
    private Object value() {
        if (value == null) {
            value = valueOf((Integer) result);
        }
        return value;
    }

    private Object valueOf(int number) {
        return switch (method) {
            case "name", "label" -> method.charAt(0) + "" + number;
            case "row" -> new int[] {number, number + 1, number + 2};
            case "crate" -> Crate.of(number);
            case "flag", "perhaps" -> (number & 1) != 0;
            case "num" -> (long) number;
            default -> number;
        };
    }

    @Override
    public void discard() {
        over = true;
        server.ended(this);
        if (lane != null && !executed) {
            lane.breakOff();
        }
    }

    @Override
    public String toString() {
        return method + java.util.Arrays.deepToString(arguments);
    }
}
