/**
 * The calling side: stubs, the way of a call to a replica, and what happens when that replica dies. Never imports the
 * server.
 */
@NullMarked
package dev.cleave.client;

import org.jspecify.annotations.NullMarked;
