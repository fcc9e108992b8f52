/** The interface of the bench to a kind of middleware: a server, a client, and seven calls. */
@NullMarked
package dev.cleave.jmh.bench.contender;

import org.jspecify.annotations.NullMarked;
