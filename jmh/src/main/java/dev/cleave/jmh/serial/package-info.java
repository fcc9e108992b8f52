/** What values cost: writing and reading, without a network. */
@NullMarked
package dev.cleave.jmh.serial;

import org.jspecify.annotations.NullMarked;
