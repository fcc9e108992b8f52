/**
 * The shape of a method body: blocks and their edges, dominators, loops. No class here changes a body;
 * every analysis holds for the body as it was when it was made. Confined to one thread.
 */
@NullMarked
package dev.cleave.agent.flow;

import org.jspecify.annotations.NullMarked;
