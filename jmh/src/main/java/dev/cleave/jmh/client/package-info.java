/** Measures the cost of stubs, without a network and with memory in its place. */
@NullMarked
package dev.cleave.jmh.client;

import org.jspecify.annotations.NullMarked;
