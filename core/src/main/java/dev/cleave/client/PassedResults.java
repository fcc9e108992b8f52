package dev.cleave.client;

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
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a call that are results of earlier calls of its chain. The server inserts them; if it could not and
 * the call is made again, they are written here, since they have arrived meanwhile.
 */
final class PassedResults {

    /** The arguments of a call to which no result is passed. */
    static final PassedResults NONE = new PassedResults(List.of());

    private final List<Passed> passed;

    /** A call that gives or takes results. */
    interface Source {

        /** Its result, once there is one. */
        @Nullable
        Object value() throws Throwable;

        /** Where its result goes on to. */
        OnwardResult onward();

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

    PassedResults(List<Passed> passed) {
        this.passed = List.copyOf(passed);
    }

    /** Whether there are none. */
    boolean isEmpty() {
        return passed.isEmpty();
    }

    /** The lanes of the calls whose results they are. */
    List<ChainLane> lanes() {
        return passed.stream().map(Passed::lane).distinct().toList();
    }

    /**
     * Lists the results that the server of a request inserts.
     *
     * @param fetched the lanes of other servers, in the order in which the request names them
     */
    List<PendingArgument> pending(List<ChainLane> fetched) {
        List<PendingArgument> pending = new ArrayList<>(passed.size());
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
                alone.putAlone(value, streamed.size());
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
