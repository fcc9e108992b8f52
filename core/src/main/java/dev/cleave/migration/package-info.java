/**
 * Moves calls that wait from one replica's queue to another's. Pure: who uses it brings clock and messages. Each class has one owner,
 * and is guarded by it.
 */
@NullMarked
package dev.cleave.migration;

import org.jspecify.annotations.NullMarked;
