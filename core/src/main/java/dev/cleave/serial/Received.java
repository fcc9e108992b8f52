package dev.cleave.serial;

import org.jspecify.annotations.Nullable;

/**
 * A class that a peer has announced.
 *
 * @param type the class here
 * @param other how the peer writes its objects; null if as this node does
 */
record Received(Class<?> type, @Nullable Layout other) {}
