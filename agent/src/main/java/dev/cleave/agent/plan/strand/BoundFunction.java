package dev.cleave.agent.plan.strand;

import dev.cleave.agent.plan.method.FunctionCall;

/**
 * A function that the code is given which is being written.
 *
 * @param step how many calls of its path lie behind
 * @param captured the first of the locals that hold the values with which it was made
 * @param source the code that made it
 */
record BoundFunction(FunctionCall.Given given, int step, int captured, FlatSource source) {

    FunctionCall.Step next() {
        return given.path().get(step);
    }

    BoundFunction handedOn() {
        return new BoundFunction(given, step + 1, captured, source);
    }
}
