package dev.cleave.ref;

import java.util.function.BiConsumer;

/**
 * How a program lets an object travel as a reference for as long as the object lives.
 *
 * @param type the remote interface through which it is called
 * @param endpoint where its node is dialled for it; empty if it is where the node is dialled for all others
 * @param whenLeft called with the object when no peer holds it any more, and with whether that is because the
 *     connection to the last one has ended; on an event thread, under a lock: may neither block nor call back
 */
public record Offer(Class<?> type, String endpoint, BiConsumer<Object, Boolean> whenLeft) {}
