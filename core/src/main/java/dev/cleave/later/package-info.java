/** What programs and rewritten code name of streamed values: their names never change. */
@NullMarked
package dev.cleave.later;

import org.jspecify.annotations.NullMarked;
