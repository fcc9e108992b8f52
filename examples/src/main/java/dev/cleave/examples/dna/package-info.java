/**
 * The DNA search of the CORD paper's introduction: newly discovered sequences are compared with known ones by local
 * alignment, in a master and replicated workers. The programs here are what a user writes; they import the vocabulary
 * and {@code Node} alone.
 */
@NullMarked
package dev.cleave.examples.dna;

import org.jspecify.annotations.NullMarked;
