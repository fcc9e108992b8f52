/**
 * Forwards calls between clients and servers without decoding them, on the event threads of the connections; state
 * that several of them share is locked.
 */
@NullMarked
package dev.cleave.broker.relay;

import org.jspecify.annotations.NullMarked;
