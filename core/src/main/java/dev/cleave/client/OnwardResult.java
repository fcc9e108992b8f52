package dev.cleave.client;

import dev.cleave.CallException;
import dev.cleave.CallException.CallSite;
import dev.cleave.CallException.Execution;
import dev.cleave.call.ChainLane;
import dev.cleave.call.Failures;
import dev.cleave.call.ParameterPlan;
import dev.cleave.serial.Codec;
import dev.cleave.serial.TimeLimit;
import dev.cleave.serial.WrittenValue;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.SharedLane;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The result of a call that the program uses for nothing but arguments of later calls, and that may stay at its server
 * (R50). Used by the thread of the program, but for {@link #letGo}.
 */
final class OnwardResult {

    /** Most results: they come to the program. */
    static final OnwardResult NONE = new OnwardResult(0);

    /** The endpoint in the name of a lane from which only its own caller fetches. */
    private static final String HERE = "here";

    private final int arguments;
    private final List<BooleanSupplier> takers = new ArrayList<>(0);
    private final AtomicReference<@Nullable ChainLane> held = new AtomicReference<>();

    private OnwardResult(int arguments) {
        this.arguments = arguments;
    }

    /** One for a number of arguments; {@link #NONE} for 0. */
    static OnwardResult forArguments(int number) {
        return number == 0 ? NONE : new OnwardResult(number);
    }

    /** For how many arguments it is; 0 if it comes to the program. */
    int arguments() {
        return arguments;
    }

    /** Adds a call that is sent with it: waits for the end of that call, and says whether it may need the result again. */
    void add(BooleanSupplier mayNeedIt) {
        if (arguments > 0) {
            takers.add(mayNeedIt);
        }
    }

    /** Keeps it in a lane of its server until {@link #letGo}. */
    void keepIn(ChainLane lane) {
        lane.hold();
        held.set(lane);
    }

    /** Lets its server drop it. From any thread; does nothing the second time. */
    void letGo() {
        ChainLane lane = held.getAndSet(null);
        if (lane != null) {
            lane.release();
        }
    }

    /**
     * Whether all calls that it is for have it and need it no more. Waits for them: the program goes on behind its call only
     * when nothing can need it any more, or it is here.
     */
    boolean isUsedUp() {
        if (takers.size() != arguments) {
            return false;
        }
        for (BooleanSupplier mayNeedIt : takers) {
            if (mayNeedIt.getAsBoolean()) {
                return false;
            }
        }
        letGo();
        return true;
    }

    /**
     * Fetches it.
     *
     * @param call the number of its call in the lane
     * @param plan what the method returns
     * @throws dev.cleave.CallException if it is lost
     */
    @Nullable
    Object fetch(
            ResultSource results,
            ChainLane lane,
            int call,
            Codec codec,
            ParameterPlan plan,
            TimeLimit limit,
            CallSite site) {
        try {
            SharedLane shared = lane.sharedWithCaller(lane.isRelayed() ? SharedLane.BROKER : HERE);
            WrittenValue value = results.fetch(lane.link(), shared, call).join();
            return plan.travel() == ParameterPlan.Travel.LATER
                    ? value.readLater(codec, plan.declared(), limit)
                    : value.read(codec, plan.declared(), limit);
        } catch (CompletionException | CallException e) {
            Throwable cause = e instanceof CompletionException ? e.getCause() : e;
            throw Failures.exception(
                    ErrorCode.CONNECTION_LOST,
                    Execution.MAYBE_EXECUTED,
                    "its result stayed at the server, and is lost: " + cause,
                    site,
                    cause);
        } finally {
            letGo();
        }
    }
}
