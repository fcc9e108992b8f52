/** Cleave behind the contender interface, through the API that every program has. */
@NullMarked
package dev.cleave.jmh.bench.cleave;

import org.jspecify.annotations.NullMarked;
