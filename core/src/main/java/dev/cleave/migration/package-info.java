/**
 * Moves waiting calls from one replica's queue to another's. Pure: its users supply the clock and exchange the
 * messages. Each class has one owner, which guards it.
 */
@NullMarked
package dev.cleave.migration;

import org.jspecify.annotations.NullMarked;
