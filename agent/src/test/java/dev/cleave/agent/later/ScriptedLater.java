package dev.cleave.agent.later;

import dev.cleave.later.LaterArguments;
import java.lang.reflect.Array;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Arguments that arrive as slowly as can be: an element is there once somebody has waited for it, with some more behind it. What is
 * not there yet is rubbish. Of the thread that waits, or of one beside it.
 */
final class ScriptedLater extends LaterArguments {

    /** What is thrown by waits for what never arrives. */
    static final class Lost extends RuntimeException {
        private static final long serialVersionUID = 1;

        Lost() {
            super("lost");
        }
    }

    private final String method;
    private final Object[] whole;
    private final Set<Integer> later;
    private final Object[] begun;
    private final int[] received;
    private final boolean[] asked; // whether the method has begun to wait for a parameter
    private final Random random;
    private final int step;
    private final int lostAt;
    private int waits;
    private PipeScript next; // what takes it while it arrives

    /**
     * Makes arguments that are on their way.
     *
     * @param arguments what they are; arrays are given piece by piece, in copies if nothing else of them is shared
     * @param later which of them are on their way
     * @param step at most so many more elements arrive with one
     * @param lostAt from this element on nothing arrives, nor does anything whole; negative if all does
     */
    ScriptedLater(String method, Object[] arguments, Set<Integer> later, Random random, int step, int lostAt) {
        this.method = method;
        this.whole = arguments.clone();
        this.later = new TreeSet<>(later);
        this.begun = new Object[arguments.length];
        this.received = new int[arguments.length];
        this.asked = new boolean[arguments.length];
        this.random = random;
        this.step = step;
        this.lostAt = lostAt;
        for (int i : later) {
            if (isArray(i)) {
                begun[i] = rubbish(whole[i]);
            } else {
                begun[i] = whole[i];
            }
        }
    }

    private boolean isArray(int parameter) {
        return whole[parameter] != null && whole[parameter].getClass().isArray();
    }

    /** What the method is called with: nothing for what is on its way. */
    Object[] given() {
        Object[] given = whole.clone();
        for (int i : later) {
            given[i] = null;
        }
        return given;
    }

    /** The arguments after the call, once the rest of them has arrived too. */
    Object[] after() {
        Object[] after = whole.clone();
        for (int i : later) {
            if (isArray(i)) {
                arrive(i, Array.getLength(whole[i]));
                after[i] = begun[i];
            }
        }
        return after;
    }

    /** How often something was waited for that was not there. */
    int waits() {
        return waits;
    }

    /** How many elements of a parameter were there when the method had ended. */
    int arrived(int parameter) {
        return received[parameter];
    }

    boolean wasAsked(int parameter) {
        return asked[parameter];
    }

    @Override
    protected boolean isOf(String other) {
        return method.equals(other);
    }

    @Override
    public boolean isLater(int parameter) {
        return later.contains(parameter);
    }

    @Override
    public Object whole(int parameter) {
        asked(parameter);
        if (isArray(parameter)) {
            await(parameter, Array.getLength(whole[parameter]) - 1);
            return begun[parameter];
        }
        waits++;
        if (lostAt >= 0) {
            throw new Lost();
        }
        return whole[parameter];
    }

    @Override
    public Object begun(int parameter) {
        asked(parameter);
        return begun[parameter];
    }

    @Override
    public int received(int parameter) {
        asked(parameter);
        return received[parameter];
    }

    @Override
    public int await(int parameter, int index) {
        asked(parameter);
        int length = Array.getLength(whole[parameter]);
        if (index >= received[parameter] && index < length) {
            waits++;
            if (lostAt >= 0 && index >= lostAt) {
                throw new Lost();
            }
            int most = lostAt >= 0 ? Math.min(length, lostAt) : length;
            arrive(parameter, Math.min(most, index + 1 + random.nextInt(step)));
        }
        return received[parameter];
    }

    void isPassedTo(PipeScript script) {
        next = script;
    }

    @Override
    public void passOn(int parameter) {
        if (next == null) {
            super.passOn(parameter);
        } else {
            next.passedOn(this);
        }
    }

    private void asked(int parameter) {
        if (!later.contains(parameter)) {
            throw new AssertionError("parameter " + parameter + " is not later");
        }
        asked[parameter] = true;
    }

    private void arrive(int parameter, int until) {
        for (int i = received[parameter]; i < until; i++) {
            Array.set(begun[parameter], i, Array.get(whole[parameter], i));
        }
        received[parameter] = Math.max(received[parameter], until);
    }

    private static Object rubbish(Object array) {
        Class<?> type = array.getClass().getComponentType();
        int length = Array.getLength(array);
        Object rubbish = Array.newInstance(type, length);
        for (int i = 0; i < length; i++) {
            if (type == double.class) {
                Array.setDouble(rubbish, i, -777.25);
            } else if (type == float.class) {
                Array.setFloat(rubbish, i, -777.25f);
            } else if (type == boolean.class) {
                Array.setBoolean(rubbish, i, !Array.getBoolean(array, i));
            } else if (type == char.class) {
                Array.setChar(rubbish, i, '?');
            } else if (type.isPrimitive()) {
                Array.setByte(rubbish, i, (byte) -77);
            }
        }
        return rubbish;
    }
}
