package dev.cleave;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A balance policy of the application: {@code balance: class(com.example.NearestFirst)} in the application file. The class is
 * public, with a public constructor without parameters, and on the class path of the process that spreads the calls:
 * the caller on route direct, the broker on route relay. One object serves one service.
 *
 * <p>{@link #select} runs before each call, in one thread at a time, and other calls wait for that thread: it may
 * compute for some microseconds, and neither wait nor make remote calls. If it throws, or names no candidate, the call
 * goes to the replica with the fewest calls, which is logged once.
 */
@FunctionalInterface
public interface Selection {

    /**
     * Selects the replica of a call. For a call that waits, this method is called again when another call has begun or
     * ended at some replica. A call that would wait while no replica has any call goes to the first of them.
     *
     * @param candidates the replicas that the call may go to, in the order of their names; at least one
     * @param key the value of the expression after the class name for the arguments, as in
     * {@code class(com.example.NearestFirst,     part.name())}; on route relay a {@link Long} that is equal for equal
     * keys; null if there is none
     */
    @Nullable
    String select(List<Candidate> candidates, @Nullable Object key);

    /**
     * A replica that may be selected.
     *
     * @param name its name
     * @param outstanding the number of calls that this process sent to it and that have not ended
     * @param waiting the number of those calls that it has not begun
     */
    record Candidate(String name, int outstanding, int waiting) {}
}
