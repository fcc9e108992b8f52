/**
 * Which replica a call goes to, and where it goes next when that one fails. Pure decisions, without connections, clocks
 * or threads, for clients and the broker alike.
 */
@NullMarked
package dev.cleave.replica;

import org.jspecify.annotations.NullMarked;
