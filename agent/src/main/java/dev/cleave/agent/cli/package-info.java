/** The agent's decisions without running the program: {@code explain} and {@code weave}. */
@NullMarked
package dev.cleave.agent.cli;

import org.jspecify.annotations.NullMarked;
