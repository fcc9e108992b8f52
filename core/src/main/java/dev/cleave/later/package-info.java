/** Arguments and results that arrive while they are used. */
@NullMarked
package dev.cleave.later;

import org.jspecify.annotations.NullMarked;
