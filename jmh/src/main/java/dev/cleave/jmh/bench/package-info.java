/** {@code bin/cleave bench}: contenders in JVMs of their own, measured in shuffled, interleaved rounds. */
@NullMarked
package dev.cleave.jmh.bench;

import org.jspecify.annotations.NullMarked;
