/** The programs whose start is measured. */
@NullMarked
package dev.cleave.jmh.bench.start;

import org.jspecify.annotations.NullMarked;
