/** What stubs cost, without a network and with memory in its place. */
@NullMarked
package dev.cleave.jmh.client;

import org.jspecify.annotations.NullMarked;
