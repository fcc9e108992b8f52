/**
 * Checks the guarantees of calls against their outcomes: one checker for all tests that inject faults. Pure; every
 * package may use it.
 */
@NullMarked
package dev.cleave.lab.history;

import org.jspecify.annotations.NullMarked;
