package dev.cleave.agent.plan.stream;

import dev.cleave.agent.plan.method.CrossClassGuard;
import dev.cleave.agent.plan.method.Function;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.PrefetchHelper;
import dev.cleave.agent.plan.method.ReadCall;
import dev.cleave.agent.plan.placement.StreamPlan;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.Reading;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A function of a stream that calls.
 *
 * @param stage the stage that it is given to, nowhere if that is not known yet
 * @param caller internal name of the class that makes the stream
 * @param made the op that makes it
 * @param helper the function, if its call may be split
 * @param ahead the function, if its calls may be prefetched
 * @param setting how its call is to be placed, one that may not move if it may not be split
 * @param reads the calls in it that may be prefetched
 */
record StreamCall(
        Pipeline.Stage stage,
        String caller,
        int made,
        Function function,
        @Nullable Helper helper,
        @Nullable PrefetchHelper ahead,
        CallSetting setting,
        List<ReadCall> reads) {

    StreamCall {
        reads = List.copyOf(reads);
    }

    /** Returns the call that a function makes, which an op makes; its stage is not known yet. */
    static StreamCall of(Method method, int made, Function function) {
        Helper helper = method.helper(function.target());
        PrefetchHelper ahead = method.prefetchHelper(function.target());
        CallSetting remote = method.effects().settingOf(function.target());
        CallSetting setting = helper != null ? helper.setting() : remote != null ? remote : CallSetting.SYNC;
        List<ReadCall> reads =
                ahead != null ? ahead.calls() : remote != null ? readOf(method, made, function, remote) : List.of();
        String caller = method.graph().body().owner();
        return new StreamCall(Pipeline.Stage.NOWHERE, caller, made, function, helper, ahead, setting, reads);
    }

    /** The call of a reference as one that may be prefetched, none if it may change something. */
    private static List<ReadCall> readOf(Method method, int made, Function function, CallSetting setting) {
        boolean mayPrefetch = setting.reading().kind() != Reading.Kind.NONE
                && (setting.style() == CallSetting.Style.ASYNC || setting.style() == CallSetting.Style.SYNC);
        if (!mayPrefetch) {
            return List.of();
        }
        String place = method.graph().body().owner().replace('/', '.') + "."
                + method.graph().body().original().name;
        int window = setting.style() == CallSetting.Style.ASYNC ? setting.guessedWindow() : 0;
        return List.of(
                new ReadCall(place, method.line(made), Method.nameOf(function.target()), setting.reading(), window));
    }

    /** Returns the same call with its stage. */
    StreamCall at(Pipeline.Stage stage) {
        return new StreamCall(stage, caller, made, function, helper, ahead, setting, reads);
    }

    /** Whether its call may start early though it may change something. */
    boolean maySplit() {
        return setting.style() == CallSetting.Style.ASYNC;
    }

    /** Whether it makes calls that may be made on a guess. */
    boolean mayPrefetch() {
        return !reads.isEmpty();
    }

    /** Whether results must not be older than the calls. */
    boolean ages() {
        return reads.stream().anyMatch(ReadCall::ages);
    }

    /** Whether it is a reference to the remote method. */
    boolean isReference() {
        return helper == null && ahead == null;
    }

    /** The remote call in the words of the source. */
    String name() {
        return reads.isEmpty() ? Method.nameOf(function.target()) : reads.get(0).method();
    }

    /** Returns the callee of a split stream. */
    StreamPlan.Callee split() {
        List<CrossClassGuard> doors = helper == null ? List.of() : helper.doorsFrom(caller, function.target());
        return new StreamPlan.Callee(made, helper, null, List.of(), doors);
    }

    /** Returns the callee of a prefetched stream. */
    StreamPlan.Callee prefetched() {
        List<CrossClassGuard> doors = ahead == null ? List.of() : ahead.doorsFrom(caller, function.target());
        return new StreamPlan.Callee(made, null, ahead, reads, doors);
    }
}
