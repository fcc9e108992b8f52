/** The values of a node as meters of Micrometer. */
@NullMarked
package dev.cleave.micrometer;

import org.jspecify.annotations.NullMarked;
