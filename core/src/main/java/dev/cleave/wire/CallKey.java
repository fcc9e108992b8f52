package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import java.util.OptionalLong;

/**
 * What a call has in common with those that belong to it, for a broker to find a replica by: a number, equal for equal keys.
 *
 * <p>It travels from a client to its broker as the highest bit of the method of a REQUEST and eight bytes at the very end; the
 * broker takes it off. Only to peers with the feature {@link Hello#KEYS}:
 *
 * <pre>
 *   header (kind 2, flags) | u32 method, bit 31 set | u64 deadline | all that a REQUEST may have | u64 key
 * </pre>
 */
public final class CallKey {

    private static final TakenOff NUMBER = new TakenOff(31, "with a key");

    private CallKey() {}

    /** Puts a key on a REQUEST that is complete but for it, its reader index at the header, and completes it. */
    public static void put(long key, ByteBuf frame) {
        NUMBER.put(key, frame);
    }

    /** Takes the key off a complete REQUEST, its reader index at the header; empty if it has none. */
    public static OptionalLong take(ByteBuf frame) {
        return NUMBER.take(frame);
    }
}
