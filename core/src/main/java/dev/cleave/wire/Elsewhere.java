package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import java.util.OptionalLong;

/**
 * Says that a call is to go to another replica than an earlier one of the same client, which takes long: the number of that call.
 *
 * <p>It travels from a client to its broker as bit 29 of the method of a REQUEST and eight bytes at the very end; the
 * broker takes it off. Only to peers with the feature {@link Hello#HEDGES}:
 *
 * <pre>
 *   header (kind 2, flags) | u32 method, bit 29 set | u64 deadline | all that a REQUEST may have | u64 call
 * </pre>
 */
public final class Elsewhere {

    private static final TakenOff NUMBER = new TakenOff(29, "that goes elsewhere");

    private Elsewhere() {}

    /** Puts it on a REQUEST that is complete but for it, its reader index at the header, and completes it. */
    public static void put(long call, ByteBuf frame) {
        NUMBER.put(call, frame);
    }

    /** Takes it off a complete REQUEST, its reader index at the header; empty if there is none. */
    public static OptionalLong take(ByteBuf frame) {
        return NUMBER.take(frame);
    }
}
