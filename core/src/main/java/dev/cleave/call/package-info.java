/**
 * Calls under way: links, pending calls, stubs, and the one place where error codes meet exceptions.
 *
 * <p>Each await throws the exception of a remote method as an object of its own: the stack of the thread that awaits
 * on top, then a frame of the class {@link dev.cleave.call.Failures#MARKER}, then the stack of the server.
 */
@NullMarked
package dev.cleave.call;

import org.jspecify.annotations.NullMarked;
