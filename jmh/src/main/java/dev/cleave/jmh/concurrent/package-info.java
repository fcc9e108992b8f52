/** Benchmarks of {@code dev.cleave.concurrent}. */
@NullMarked
package dev.cleave.jmh.concurrent;

import org.jspecify.annotations.NullMarked;
