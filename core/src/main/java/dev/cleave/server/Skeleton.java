package dev.cleave.server;

/** What every generated skeleton extends: calls the methods of one remote interface by their index. */
public abstract class Skeleton {

    /**
     * Reads the arguments, calls the method, writes the result.
     *
     * @param index of the method in its interface
     * @param target the served object
     * @param invocation where arguments come from and the result goes
     * @throws Throwable what the method threw, or a failure to read or write values
     */
    protected abstract void invoke(int index, Object target, Invocation invocation) throws Throwable;
}
