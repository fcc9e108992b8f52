/** Plans calls in a row (Group B): behind the first one the others are sent. */
@NullMarked
package dev.cleave.agent.plan.line;

import org.jspecify.annotations.NullMarked;
