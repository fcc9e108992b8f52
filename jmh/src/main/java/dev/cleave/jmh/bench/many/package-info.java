/** One server with many connections, many calls that wait, many services: what each costs, and what it costs the others. */
@NullMarked
package dev.cleave.jmh.bench.many;

import org.jspecify.annotations.NullMarked;
