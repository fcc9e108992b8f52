/** How the bench asks a client in another JVM for one figure: a line there, a line back. */
@NullMarked
package dev.cleave.jmh.bench.talk;

import org.jspecify.annotations.NullMarked;
