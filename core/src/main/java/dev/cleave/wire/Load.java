package dev.cleave.wire;

/**
 * How busy a server is.
 *
 * <pre>
 *   u32 queue length | u32 age of the oldest queued call in ms | u32 running | u32 capacity
 * </pre>
 *
 * @param queued calls that wait
 * @param oldestMillis how long the oldest of them has waited
 * @param running calls that run
 * @param capacity calls that can run at the same time
 */
public record Load(int queued, int oldestMillis, int running, int capacity) {

    /** The load of a server that has not reported yet. */
    public static final Load NONE = new Load(0, 0, 0, 0);

    static final int BYTES = 4 * Integer.BYTES;

    /** Checks its components. */
    public Load {
        if (queued < 0 || oldestMillis < 0 || running < 0 || capacity < 0) {
            throw new IllegalArgumentException("load: " + queued + " queued, " + oldestMillis + " ms, " + running
                    + " running, capacity " + capacity + " (expected: not negative)");
        }
    }

    static Load read(FrameReader in) {
        return new Load(in.u32(), in.u32(), in.u32(), in.u32());
    }

    void write(FrameWriter out) {
        out.u32(queued).u32(oldestMillis).u32(running).u32(capacity);
    }
}
