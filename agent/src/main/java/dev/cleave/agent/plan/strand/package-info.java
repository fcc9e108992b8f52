/** Nests of loops whose calls are sent by strands, which wait for results. */
@NullMarked
package dev.cleave.agent.plan.strand;

import org.jspecify.annotations.NullMarked;
