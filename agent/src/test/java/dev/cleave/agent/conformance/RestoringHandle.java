package dev.cleave.agent.conformance;

import dev.cleave.call.Handle;
import dev.cleave.transport.WaitCondition;
import java.util.function.Consumer;

/** A call in flight that changes an argument of its caller when it is awaited, unless it fails. */
final class RestoringHandle extends Handle {

    private final Handle call;
    private final Consumer<Object> restore;
    private Object array;

    /**
     * Wraps a call.
     *
     * @param restore gives an array the elements that the call has made
     * @param array the one that the call was sent with
     */
    RestoringHandle(Handle call, Consumer<Object> restore, Object array) {
        this.call = call;
        this.restore = restore;
        this.array = array;
    }

    @Override
    public void restoresInto(int number, Object other) {
        array = other;
    }

    @Override
    public void origin() {
        call.origin();
    }

    @Override
    public void awaitVoid() throws Throwable {
        call.awaitVoid();
        restore.accept(array);
    }

    @Override
    public int awaitInt() throws Throwable {
        int result = call.awaitInt();
        restore.accept(array);
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
        restore.accept(array);
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
