package dev.cleave.server;

import dev.cleave.call.ParameterPlan;
import dev.cleave.call.ParameterPlan.Travel;
import dev.cleave.call.Primitives;
import dev.cleave.call.RemoteMethod;
import dev.cleave.serial.Codec;
import dev.cleave.serial.TimeLimit;
import dev.cleave.serial.ValueKind;
import dev.cleave.serial.WrittenValue;
import dev.cleave.stream.Block;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.PendingArgument;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Results of earlier calls, put among the arguments of a call. A result becomes what its caller would have made of it
 * on the way: the same value, its box, the value in its box, or a wider primitive.
 *
 * @param frame all arguments but objects that were passed
 * @param objects objects that were passed, by place among the objects
 * @param arrays large arrays that were passed, behind those of the request
 */
record PassedArguments(ByteBuf frame, Map<Integer, @Nullable Object> objects, List<Block> arrays) {

    /** The arguments of a call to which no result is passed are in its frame. */
    static PassedArguments of(ByteBuf frame) {
        return new PassedArguments(frame, Map.of(), List.of());
    }

    /**
     * A call that lacks arguments.
     *
     * @param method whose arguments they are
     * @param codec reads them
     * @param arrays how many large arrays its request has
     * @param limit its deadline
     */
    record Lacking(RemoteMethod method, Codec codec, int arrays, TimeLimit limit) {}

    /**
     * Puts results among arguments.
     *
     * @param rest the other arguments; taken over if this succeeds
     * @return null if a result is not of a type that its parameter takes, or the arguments get too long
     * @throws dev.cleave.serial.SerialException if a result cannot be read
     */
    static @Nullable PassedArguments put(
            ByteBuf rest, List<PendingArgument> lacking, List<WrittenValue> results, Lacking of) {
        Map<Integer, @Nullable Object> objects = new HashMap<>();
        List<Block> arrays = new ArrayList<>();
        List<ByteBuf> direct = new ArrayList<>();
        long bytes = RequestHead.PLAIN_LENGTH + rest.readableBytes();
        for (int i = 0; i < lacking.size(); i++) {
            List<ParameterPlan> parameters = of.method().plan().parameters();
            int parameter = lacking.get(i).parameter();
            ParameterPlan plan = parameter < parameters.size() ? parameters.get(parameter) : null;
            if (lacking.get(i).isGuard()) {
                direct.add(Unpooled.EMPTY_BUFFER); // its result is here, so the call may run
                continue;
            }
            ByteBuf value = plan == null || plan.travel() == Travel.INPUT
                    ? null
                    : plan.kind() == ValueKind.OBJECT
                            ? object(plan, results.get(i), of, objects)
                            : direct(plan, results.get(i), of, arrays);
            if (value == null) {
                return null;
            }
            direct.add(value);
            bytes += value.readableBytes();
        }
        if (bytes > FrameKind.REQUEST.maxLength()) {
            return null;
        }
        ByteBuf whole = rest.alloc().buffer((int) bytes);
        int taken = 0;
        for (int i = 0; i < direct.size(); i++) {
            int at = lacking.get(i).at();
            whole.writeBytes(rest, at - taken).writeBytes(direct.get(i));
            taken = at;
        }
        whole.writeBytes(rest);
        rest.release();
        return new PassedArguments(whole, objects, arrays);
    }

    private static @Nullable ByteBuf object(
            ParameterPlan plan, WrittenValue result, Lacking of, Map<Integer, @Nullable Object> objects) {
        Object value = plan.travel() == Travel.LATER
                ? result.readLater(of.codec(), plan.declared(), of.limit())
                : result.read(of.codec(), plan.declared(), of.limit());
        if (value != null && !plan.type().isInstance(value)) {
            return null;
        }
        int place = 0;
        for (ParameterPlan each : of.method().plan().written()) {
            if (each.place() == plan.place()) {
                objects.put(place, value);
                return Unpooled.EMPTY_BUFFER;
            }
            place += each.kind() == ValueKind.OBJECT ? 1 : 0;
        }
        return null;
    }

    private static @Nullable ByteBuf direct(ParameterPlan plan, WrittenValue result, Lacking of, List<Block> arrays) {
        if (result.kind() != plan.kind()) {
            Object value = result.read(of.codec(), plan.declared(), of.limit());
            Object taken = Primitives.passed(plan.type(), value);
            if (taken == null) {
                return null;
            }
            ByteBuf written = Unpooled.buffer(Long.BYTES);
            of.codec().writer(written).put(plan.kind(), taken);
            return written;
        }
        if (!result.hasBlocks()) {
            return Unpooled.wrappedBuffer(result.bytes());
        }
        // The first large array of its own message becomes one of the call's.
        int coded = Unpooled.wrappedBuffer(result.bytes()).getInt(0);
        int number = of.arrays() + arrays.size();
        arrays.addAll(result.blocks());
        return Unpooled.buffer(Integer.BYTES)
                .writeInt(plan.kind() == ValueKind.STRING ? coded - (number << 1) : coded - number);
    }
}
