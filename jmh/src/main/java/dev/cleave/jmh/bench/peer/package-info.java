/** Other middleware behind the contender interface, one file each. Only the JVMs of the bench have their libraries. */
@NullMarked
package dev.cleave.jmh.bench.peer;

import org.jspecify.annotations.NullMarked;
