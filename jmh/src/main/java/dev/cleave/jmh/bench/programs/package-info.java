/** Ordinary programs with remote calls: as people write them, by hand in stages, and with a virtual thread for each call. */
@NullMarked
package dev.cleave.jmh.bench.programs;

import org.jspecify.annotations.NullMarked;
