/** Starts JVMs on this machine, reads their output, and ends them all. */
@NullMarked
package dev.cleave.broker.process;

import org.jspecify.annotations.NullMarked;
