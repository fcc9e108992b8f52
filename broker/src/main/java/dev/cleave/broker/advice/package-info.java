/**
 * What a recorded run of an application shows: where its time went, and what a change of its file would bring. Reads flight recordings;
 * starts nothing.
 */
@NullMarked
package dev.cleave.broker.advice;

import org.jspecify.annotations.NullMarked;
