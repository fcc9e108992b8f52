/** Measures how calls are spread over replicas. */
@NullMarked
package dev.cleave.jmh.replica;

import org.jspecify.annotations.NullMarked;
