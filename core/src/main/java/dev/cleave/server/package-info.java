/**
 * The serving side: which objects are served, how requests become method calls, and what happens when there are too
 * many. Never imports the client.
 */
@NullMarked
package dev.cleave.server;

import org.jspecify.annotations.NullMarked;
