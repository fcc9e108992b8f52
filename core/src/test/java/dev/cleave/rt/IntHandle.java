package dev.cleave.rt;

import dev.cleave.call.Handle;

/** An int that is here, or not yet; a negative one fails. */
class IntHandle extends Handle {

    private final int value;
    private final boolean done;
    boolean discarded;

    IntHandle(int value, boolean done) {
        this.value = value;
        this.done = done;
    }

    @Override
    public void origin() {}

    @Override
    public boolean isDone() {
        return done;
    }

    @Override
    public boolean hasAnswer() {
        return true;
    }

    @Override
    public void awaitVoid() {
        awaitInt();
    }

    @Override
    public int awaitInt() {
        if (value < 0) {
            throw new ArithmeticException("negative");
        }
        return value;
    }

    @Override
    public long awaitLong() {
        return awaitInt();
    }

    @Override
    public float awaitFloat() {
        return awaitInt();
    }

    @Override
    public double awaitDouble() {
        return awaitInt();
    }

    @Override
    public Object await() {
        return awaitInt();
    }

    @Override
    public void discard() {
        discarded = true;
    }
}
