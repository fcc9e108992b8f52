/**
 * Passes calls on between clients and servers without looking into them. Works on the event threads of the connections;
 * what several of them share is locked.
 */
@NullMarked
package dev.cleave.broker.relay;

import org.jspecify.annotations.NullMarked;
