package dev.cleave.server;

/** The super class of all generated skeletons: calls the methods of one remote interface by their index. */
public abstract class Skeleton {

    /**
     * Reads the arguments, calls the method, writes the result.
     *
     * @param index of the method in its interface
     * @param target the served object
     * @param invocation the source of the arguments and the target of the result
     * @throws Throwable what the method threw, or a failure to read or write values
     */
    protected abstract void invoke(int index, Object target, Invocation invocation) throws Throwable;
}
