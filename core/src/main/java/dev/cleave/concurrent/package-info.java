/**
 * Time and order: a timer that is also the clock, deadlines, tasks one after the other. Time is always passed in, so
 * that tests own it. Thread-safe; every package may use it.
 */
@NullMarked
package dev.cleave.concurrent;

import org.jspecify.annotations.NullMarked;
