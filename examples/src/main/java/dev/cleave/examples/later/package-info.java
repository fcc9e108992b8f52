/**
 * The measurement of the C++// paper's overlapping of communication and computation: a method of two matrices that begins when
 * the first one is there, and callers that use a result, or pass it on, before it is.
 */
@NullMarked
package dev.cleave.examples.later;

import org.jspecify.annotations.NullMarked;
