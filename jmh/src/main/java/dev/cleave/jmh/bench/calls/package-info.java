/** Single calls, windows of calls and bulk values, over several kinds of middleware; runs in JVMs that the bench starts. */
@NullMarked
package dev.cleave.jmh.bench.calls;

import org.jspecify.annotations.NullMarked;
