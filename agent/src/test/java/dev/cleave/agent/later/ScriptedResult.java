package dev.cleave.agent.later;

import dev.cleave.later.LaterArguments;
import java.lang.reflect.Array;
import java.util.Random;

/** A result that arrives as slowly as can be, like {@link ScriptedLater}; what is not there yet is rubbish. */
final class ScriptedResult extends LaterArguments {

    private final String name;
    private final Object whole;
    private final Object begun;
    private final int length;
    private final int lostAt;
    private final int step;
    private final Random random;
    private final PipeScript script;
    private int received;
    private int waits;

    ScriptedResult(PipeScript script, String name, Object whole, int lostAt, int step, Random random) {
        this.script = script;
        this.name = name;
        this.whole = whole;
        this.length = whole == null ? 0 : Array.getLength(whole);
        this.lostAt = lostAt;
        this.step = step;
        this.random = random;
        this.begun = whole == null ? null : rubbish(whole);
        this.received = 0;
    }

    int waits() {
        return waits;
    }

    boolean isWhole() {
        return received == length;
    }

    Object array() {
        return begun;
    }

    @Override
    protected boolean isOf(String other) {
        return false;
    }

    @Override
    public boolean isLater(int parameter) {
        return received < length;
    }

    @Override
    public Object whole(int parameter) {
        await(0, length - 1);
        return begun;
    }

    @Override
    public Object begun(int parameter) {
        return begun;
    }

    @Override
    public int received(int parameter) {
        return isLater(0) ? received : Integer.MAX_VALUE;
    }

    @Override
    public int await(int parameter, int index) {
        if (index >= received && index < length) {
            waits++;
            if (lostAt >= 0 && index >= lostAt) {
                throw new PipeScript.Lost(name);
            }
            int most = lostAt >= 0 ? Math.min(length, lostAt) : length;
            int until = Math.min(most, index + 1 + random.nextInt(step));
            for (; received < until; received++) {
                Array.set(begun, received, Array.get(whole, received));
            }
        }
        return received(0);
    }

    @Override
    public void passOn(int parameter) {
        script.passedOn(this);
    }

    private static Object rubbish(Object array) {
        Class<?> type = array.getClass().getComponentType();
        Object rubbish = Array.newInstance(type, Array.getLength(array));
        for (int i = 0; i < Array.getLength(array) && type.isPrimitive() && type != boolean.class; i++) {
            if (type == char.class) {
                Array.setChar(rubbish, i, '?');
            } else {
                Array.setByte(rubbish, i, (byte) -77);
            }
        }
        return rubbish;
    }
}
