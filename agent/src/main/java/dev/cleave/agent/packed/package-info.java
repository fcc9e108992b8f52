/** The agent's jar at half its size: all class files in two compressed archives, with each string once. */
@NullMarked
package dev.cleave.agent.packed;

import org.jspecify.annotations.NullMarked;
