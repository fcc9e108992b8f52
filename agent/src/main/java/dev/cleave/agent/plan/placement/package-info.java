/**
 * The decisions of planners: where calls are sent and where their results are taken. Each kind of placement is a
 * record; a planner makes it in a room of its own and a writer of {@code transform} carries it out.
 */
@NullMarked
package dev.cleave.agent.plan.placement;

import org.jspecify.annotations.NullMarked;
