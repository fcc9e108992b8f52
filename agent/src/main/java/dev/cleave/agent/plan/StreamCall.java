package dev.cleave.agent.plan;

import dev.cleave.agent.scan.CallSetting;
import org.jspecify.annotations.Nullable;

/**
 * A function of a stream that calls.
 *
 * @param made the op that makes it
 * @param helper the function, if it is one of the class; null if it is a reference to the remote method
 * @param setting how its call is to be placed
 */
record StreamCall(
        Pipeline.Stage stage,
        int made,
        Function function,
        @Nullable Helper helper,
        CallSetting setting) {}
