/**
 * Streamed values, from sender to receiver: blocks of bytes that follow a message in chunks, as far as the receiver
 * grants credit, and the values that a program uses while they arrive. Knows no calls and no serializer.
 */
@NullMarked
package dev.cleave.stream;

import org.jspecify.annotations.NullMarked;
