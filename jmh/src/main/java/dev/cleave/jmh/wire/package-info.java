/** Measures the cost of frames: encoding and decoding, without a network. */
@NullMarked
package dev.cleave.jmh.wire;

import org.jspecify.annotations.NullMarked;
