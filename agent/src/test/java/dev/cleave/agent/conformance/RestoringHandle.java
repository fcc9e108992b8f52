package dev.cleave.agent.conformance;

import dev.cleave.call.Handle;
import dev.cleave.transport.WaitCondition;

/** A call in flight that changes an argument of its caller when it is awaited, unless it fails. */
final class RestoringHandle extends Handle {

    private final Handle call;
    private final Runnable restore;

    RestoringHandle(Handle call, Runnable restore) {
        this.call = call;
        this.restore = restore;
    }

    @Override
    public void origin() {
        call.origin();
    }

    @Override
    public void awaitVoid() throws Throwable {
        call.awaitVoid();
        restore.run();
    }

    @Override
    public int awaitInt() throws Throwable {
        int result = call.awaitInt();
        restore.run();
        return result;
    }

    @Override
    public long awaitLong() throws Throwable {
        throw new UnsupportedOperationException();
    }

    @Override
    public float awaitFloat() throws Throwable {
        throw new UnsupportedOperationException();
    }

    @Override
    public double awaitDouble() throws Throwable {
        throw new UnsupportedOperationException();
    }

    @Override
    public Object await() throws Throwable {
        Object result = call.await();
        restore.run();
        return result;
    }

    @Override
    public boolean isDone() {
        return call.isDone();
    }

    @Override
    public boolean hasAnswer() {
        return call.hasAnswer();
    }

    @Override
    public void linger(WaitCondition other, long atNanos) {
        call.linger(other, atNanos);
    }

    @Override
    public void discard() {
        call.discard();
    }
}
