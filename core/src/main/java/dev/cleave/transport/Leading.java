package dev.cleave.transport;

/**
 * Lets a worker deliver the frames of connections between the calls that it runs, in place of their event thread: a
 * leader among followers. So a short call changes threads neither before nor after its method.
 *
 * <p>A leader does one of two things: it delivers frames, or it runs a call, and while it runs one no thread delivers
 * frames. The event thread takes over once that has lasted about {@value #MOST_NANOS} nanoseconds; a leader that is going to
 * wait, or to run what may take longer, {@linkplain #handBack hands the connections back} at once.
 */
public interface Leading {

    /** The time for which a leader may deliver no frames before another thread does. */
    long MOST_NANOS = 100_000;

    /** The time after which a leader that has more calls to run {@linkplain #lead looks} for frames in between. */
    long LOOK_NANOS = 50_000;

    /**
     * Delivers frames on the current thread: those that have come, and then those that come until a condition holds, or
     * another thread needs the connections or {@linkplain #recall recalls} this one. May return early. Only on a
     * thread that holds no lock of the program and may run its code.
     *
     * @return whether the current thread leads from now on: it soon calls this method again, or {@link #handBack}
     */
    boolean lead(WaitCondition work);

    /** Leads no longer; does nothing if the current thread does not lead. */
    void handBack();

    /** Makes {@link #lead}, on another thread, check its condition. Any thread. */
    void recall();
}
