/** Starts JVMs on this machine, reads what they say, and leaves none behind. */
@NullMarked
package dev.cleave.broker.process;

import org.jspecify.annotations.NullMarked;
