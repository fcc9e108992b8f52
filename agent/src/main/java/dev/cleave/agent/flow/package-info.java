/**
 * Graphs of a method in register form: control flow, dominators, control dependence, loops.
 *
 * <p>All graphs hold for the body as it was when they were made. They never change it.
 */
@NullMarked
package dev.cleave.agent.flow;

import org.jspecify.annotations.NullMarked;
