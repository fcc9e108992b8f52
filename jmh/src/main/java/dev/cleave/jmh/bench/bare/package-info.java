/** The contenders without a middleware: blocking sockets, which are the floor, and Netty alone. */
@NullMarked
package dev.cleave.jmh.bench.bare;

import org.jspecify.annotations.NullMarked;
