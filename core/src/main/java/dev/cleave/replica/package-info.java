/**
 * Chooses the replica of a call, and the next one when that fails. Pure decisions, without connections, clocks
 * or threads, for clients and the broker alike.
 */
@NullMarked
package dev.cleave.replica;

import org.jspecify.annotations.NullMarked;
