package dev.cleave.agent.plan.order;

import dev.cleave.agent.ir.Register;
import org.jspecify.annotations.Nullable;

/**
 * An argument of a call of a loop that is the result of a call sent before it, in the same pass or an earlier one
 * (R50).
 *
 * @param source index of the call whose result it is
 * @param initially holds the argument as long as that call has not been sent; null if it has been by then
 */
public record PipelinedResult(int source, @Nullable Register initially) {}
