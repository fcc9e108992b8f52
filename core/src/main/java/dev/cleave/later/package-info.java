/** The classes of streamed values that programs and rewritten code name: their names never change. */
@NullMarked
package dev.cleave.later;

import org.jspecify.annotations.NullMarked;
