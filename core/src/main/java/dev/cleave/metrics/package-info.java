/** What is known of a running node from outside. */
@NullMarked
package dev.cleave.metrics;

import org.jspecify.annotations.NullMarked;
