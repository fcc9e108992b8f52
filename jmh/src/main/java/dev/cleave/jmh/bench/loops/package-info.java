/** A loop of independent calls, written in several ways; runs in JVMs that the bench starts. */
@NullMarked
package dev.cleave.jmh.bench.loops;

import org.jspecify.annotations.NullMarked;
