package dev.cleave.node;

import java.util.List;

/** A node for JMX: {@code dev.cleave:type=Node,name="NAME"}, with {@code -Dcleave.jmx=true}. */
public interface NodeMXBean {

    /** Whether it may get calls: connected to its broker, its services registered, and not leaving. */
    boolean isReady();

    /** The services that are bound. */
    List<String> getServices();

    /** Calls that wait for a worker. */
    int getQueuedCalls();

    /** The age of the oldest waiting call, in milliseconds. */
    int getOldestMillis();

    /** Calls that run. */
    int getRunningCalls();

    /** Calls that may run at the same time. */
    int getWorkers();

    /** Calls of this node that have no outcome yet. */
    int getPendingCalls();
}
