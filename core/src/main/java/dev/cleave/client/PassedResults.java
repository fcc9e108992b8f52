package dev.cleave.client;

import dev.cleave.Later;
import dev.cleave.Ref;
import dev.cleave.call.Chain;
import dev.cleave.call.ChainLane;
import dev.cleave.call.ParameterPlan;
import dev.cleave.call.Primitives;
import dev.cleave.ref.References;
import dev.cleave.serial.Codec;
import dev.cleave.serial.ValueKind;
import dev.cleave.serial.ValueWriter;
import dev.cleave.stream.Block;
import dev.cleave.wire.PendingArgument;
import dev.cleave.wire.SharedLane;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a call that are results of earlier calls of its chain. The server inserts them; if it could not and
 * the call is made again, they are written here, since they have arrived meanwhile.
 */
final class PassedResults {

    /** The arguments of a call to which no result is passed. */
    static final PassedResults NONE = new PassedResults(List.of(), null);

    private final List<Passed> passed;
    private final @Nullable Guard guard;

    /** A call that gives or takes results. */
    interface Source {

        /** Its result, once there is one. */
        @Nullable
        Object value() throws Throwable;

        /** Where its result goes on to. */
        OnwardResult onward();

        /** Whether it is certain that its server has no result of it, and will have none. */
        boolean hasCertainlyFailed();

        /** Whether it has been sent in a chain, which has not been renewed since. */
        boolean isIn(Chain chain);

        /** Whether it may yet need the results that were passed to it. */
        boolean mayNeedResults();

        /** Runs a task when it has ended, at once if it has. */
        void onEnd(Runnable task);
    }

    /**
     * An argument.
     *
     * @param source the call whose result it is
     * @param lane in which the source was sent
     * @param number its number in the lane
     * @param plan the parameter
     * @param at how many bytes of the other arguments stand before it
     */
    record Passed(Source source, ChainLane lane, int number, ParameterPlan plan, int at) {}

    /**
     * A call that must have ended with a result before the call of these arguments is executed, though that is given no result.
     *
     * @param source the call
     * @param lane in which it was sent
     * @param number its number in the lane
     */
    record Guard(Source source, ChainLane lane, int number) {}

    PassedResults(List<Passed> passed, @Nullable Guard guard) {
        this.passed = List.copyOf(passed);
        this.guard = guard;
    }

    /** Whether the server needs nothing of calls in other lanes, nor of earlier ones. */
    boolean areNone() {
        return passed.isEmpty() && guard == null;
    }

    /** Whether a lane, in which the calls run in order, has not the call that must go before. */
    boolean isGuardedIn(ChainLane lane) {
        return guard != null && guard.lane() != lane;
    }

    /**
     * Whether the server of a lane waits in vain for word of a call of another lane, and has not begun the call: it may have to
     * wait until it has tried to reach that server.
     */
    boolean areInVain(ChainLane lane) {
        return guard != null && guard.lane() != lane && guard.source().hasCertainlyFailed()
                || passed.stream()
                        .anyMatch(each -> each.lane() != lane && each.source().hasCertainlyFailed());
    }

    /** The lanes of the calls that go before: of those whose results they are, and of the guard. */
    List<ChainLane> lanes() {
        Stream<ChainLane> guarding = Stream.ofNullable(guard).map(Guard::lane);
        return Stream.concat(guarding, passed.stream().map(Passed::lane))
                .distinct()
                .toList();
    }

    /** Returns a list as long as the longest that {@link #pending} may return, to reserve room for it. */
    List<PendingArgument> most() {
        List<PendingArgument> most = new ArrayList<>(pending(List.of()));
        if (guard != null) {
            most.add(0, PendingArgument.guard(guard.number(), 0));
        }
        return most;
    }

    /**
     * Lists the results that the server of a request inserts, behind the guard if that is in another lane.
     *
     * @param fetched the lanes of other servers, in the order in which the request names them
     */
    List<PendingArgument> pending(List<ChainLane> fetched) {
        List<PendingArgument> pending = new ArrayList<>(passed.size() + 1);
        int guarding = guard == null ? 0 : fetched.indexOf(guard.lane()) + 1;
        if (guard != null && guarding > 0) {
            pending.add(PendingArgument.guard(guard.number(), guarding));
        }
        for (Passed each : passed) {
            int lane = fetched.indexOf(each.lane()) + 1;
            pending.add(
                    new PendingArgument(each.number(), each.at(), each.plan().place(), lane));
        }
        return pending;
    }

    /**
     * Names lanes of other servers, and lets the server of the request fetch from them while the call is under way.
     *
     * @param endpoints where their servers are dialled
     * @param by the call whose arguments they are
     * @param taker the lane of that call
     */
    static List<SharedLane> shared(List<ChainLane> lanes, List<String> endpoints, Source by, ChainLane taker) {
        List<SharedLane> shared = new ArrayList<>();
        for (int i = 0; i < lanes.size(); i++) {
            shared.add(lanes.get(i).shared(endpoints.get(i), taker));
            lanes.get(i).hold();
            by.onEnd(lanes.get(i)::release);
        }
        return shared;
    }

    /** Tells the calls whose results they are that a call is sent with them. */
    void takenBy(Source call, References references) {
        passed.forEach(each -> each.source().onward().add(call::mayNeedResults));
        for (Passed each : passed) {
            if (each.plan().type() == Ref.class) { // another server may have only begun to hold it when the call ends
                call.onEnd(() -> references.keepPassed(each.source()));
            }
        }
    }

    /**
     * Arguments that have been written.
     *
     * @param blocks the large arrays that follow
     * @param highestType the highest number of a type among them, or -1
     */
    record Written(List<Block> blocks, int highestType) {}

    /**
     * Writes all arguments; waits for results that have not come.
     *
     * @param others the bytes of the arguments that are not passed
     * @throws Throwable the failure of a call whose result is needed, or of writing the value
     */
    Written write(byte[] others, ByteBuf frame, Codec codec) throws Throwable {
        List<Block> streamed = new ArrayList<>();
        ValueWriter direct = codec.blockWriter(frame);
        int highest = -1;
        int taken = 0;
        for (Passed each : passed) {
            frame.writeBytes(others, taken, each.at() - taken);
            taken = each.at();
            Object result = each.source().value();
            Class<?> type = each.plan().type();
            Object value = Primitives.passed(type, result);
            if (value == null && (result != null || type.isPrimitive())) {
                throw new ClassCastException(each.plan().name() + ": a result that it does not take");
            }
            if (each.plan().kind() == ValueKind.OBJECT) {
                ValueWriter alone = codec.blockWriter(frame);
                if (value instanceof Later.Value<?> later) {
                    alone.putWholeAlone(later, streamed.size());
                } else {
                    alone.putAlone(value, streamed.size());
                }
                highest = Math.max(highest, alone.finish(i -> each.plan().name()));
                streamed.addAll(alone.blocks());
            } else {
                direct.put(each.plan().kind(), value);
            }
        }
        frame.writeBytes(others, taken, others.length - taken);
        int unused = direct.finish(i -> "");
        List<Block> blocks = new ArrayList<>(direct.blocks());
        blocks.addAll(streamed);
        return new Written(blocks, highest);
    }
}
