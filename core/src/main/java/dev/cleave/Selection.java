package dev.cleave;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A balance policy of the application: {@code balance: class(com.example.NearestFirst)} in the application file. The class is
 * public, with a public constructor without parameters, and on the class path of whoever spreads the calls: the caller on route
 * direct, the broker on route relay. One object serves one service.
 *
 * <p>It is asked in front of each call, by one thread at a time, on threads that others wait for: it may compute for some
 * microseconds, and neither wait nor call anything remote. Where it throws, or names what is not a candidate, the call goes
 * where the fewest calls are; that is logged once.
 */
@FunctionalInterface
public interface Selection {

    /**
     * The name of the replica for a call, or null if it is to wait. A call that waits is asked for again when another one has
     * begun or ended somewhere; one that would wait while no replica has any call goes to the first of them.
     *
     * @param candidates the replicas that it may go to, in the order of their names; at least one
     * @param key what the expression behind the class name says of the arguments, as in {@code class(com.example.NearestFirst,
     *     part.name())}; on route relay a {@link Long} that is equal for equal keys; null if there is none
     */
    @Nullable
    String select(List<Candidate> candidates, @Nullable Object key);

    /**
     * A replica that may be selected.
     *
     * @param name its name
     * @param outstanding how many calls sent to it from here have not ended
     * @param waiting how many of those it has not begun
     */
    record Candidate(String name, int outstanding, int waiting) {}
}
