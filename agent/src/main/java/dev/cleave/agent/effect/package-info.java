/**
 * The effects of ops beyond their registers: what they read, write and throw, and which calls may not cross them. Knows
 * the JDK by a table, the program's own methods by reading them; all other code is a barrier.
 */
@NullMarked
package dev.cleave.agent.effect;

import org.jspecify.annotations.NullMarked;
