package dev.cleave.agent.conformance;

import dev.cleave.call.Handle;

/** A call whose awaits, of whatever type, all end in one place. */
abstract class ScriptedAwaits extends Handle {

    /** Waits; the result, or what was thrown. */
    abstract Object finish();

    @Override
    public final void origin() {}

    @Override
    public final void awaitVoid() {
        finish();
    }

    @Override
    public final int awaitInt() {
        Object value = finish();
        return value instanceof Boolean flag ? (flag ? 1 : 0) : (int) value;
    }

    @Override
    public final long awaitLong() {
        return (long) finish();
    }

    @Override
    public final float awaitFloat() {
        return (float) finish();
    }

    @Override
    public final double awaitDouble() {
        return (double) finish();
    }

    @Override
    public final Object await() {
        return finish();
    }
}
