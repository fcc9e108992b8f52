/** Plans the calls of loops (Group E): a copy of the slice runs ahead of the iterations. */
@NullMarked
package dev.cleave.agent.plan.loop;

import org.jspecify.annotations.NullMarked;
