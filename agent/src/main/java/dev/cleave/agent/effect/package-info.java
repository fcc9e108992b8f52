/**
 * What an op reads, writes and throws beyond its registers, and what it stands in the way of. Knows the JDK by a table,
 * the program's own methods by reading them; everything else is a barrier.
 */
@NullMarked
package dev.cleave.agent.effect;

import org.jspecify.annotations.NullMarked;
