/** Plans the waits of methods whose arguments arrive while they run. */
@NullMarked
package dev.cleave.agent.plan.later;

import org.jspecify.annotations.NullMarked;
