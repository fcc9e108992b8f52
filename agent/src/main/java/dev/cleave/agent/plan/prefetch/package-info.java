/** Plans calls that only read (Group H): they are sent on a guess, and claimed if the guess was right. */
@NullMarked
package dev.cleave.agent.plan.prefetch;

import org.jspecify.annotations.NullMarked;
