/** {@code bin/cleave demo}: the DNA search from nothing, in one command. */
@NullMarked
package dev.cleave.examples.demo;

import org.jspecify.annotations.NullMarked;
