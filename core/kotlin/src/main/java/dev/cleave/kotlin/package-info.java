/** Suspend methods of remote interfaces. Found by the core; programs refer to nothing here. */
@NullMarked
package dev.cleave.kotlin;

import org.jspecify.annotations.NullMarked;
