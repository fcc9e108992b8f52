/** Finds out from servers' records of large arguments whether {@code @Later} pays. */
@NullMarked
package dev.cleave.broker.measure;

import org.jspecify.annotations.NullMarked;
