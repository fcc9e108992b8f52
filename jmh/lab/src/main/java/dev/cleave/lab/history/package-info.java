/**
 * What was promised to calls, held against what became of them: one checker for all that breaks things on purpose. Pure; anybody
 * may use it.
 */
@NullMarked
package dev.cleave.lab.history;

import org.jspecify.annotations.NullMarked;
