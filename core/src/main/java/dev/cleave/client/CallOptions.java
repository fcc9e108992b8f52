package dev.cleave.client;

import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.replica.Keys;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Lane;
import dev.cleave.wire.RequestFrame;
import dev.cleave.wire.RequestOptions;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the options of the requests of a call. One that the call can do without is left out where the frame would be too long
 * with it.
 */
final class CallOptions {

    private CallOptions() {}

    /** What is said wherever the call is sent: its large arguments, those that are results of earlier calls, and its path. */
    static RequestOptions everywhere(ResentCall call, PassedResults passed, int argumentBytes) {
        RequestOptions needed =
                RequestOptions.NONE.followedBy(call.blocks().announcements()).lacking(passed.pending());
        RequestOptions all = needed.behind(call.path().path());
        return all == needed || all.fit(argumentBytes + RequestFrame.ROOM) ? all : needed;
    }

    /** These, and the key of the call if a broker chooses the replica. */
    static RequestOptions by(Hop way, ResentCall call, RequestOptions options, int argumentBytes) {
        Object key = call.key();
        if (key == null || way.replica() != null || (way.link().peer().features() & Hello.KEYS) == 0) {
            return options;
        }
        RequestOptions keyed = options.keyed(Keys.hash(key));
        return keyed.fit(argumentBytes) ? keyed : options;
    }

    /** These, in the lane of the thread if it has one; a call without lane may move, if it has what it needs for that. */
    static RequestOptions inOrder(@Nullable Lane lane, ResentCall call, RequestOptions options, int argumentBytes) {
        RequestOptions ordered = lane == null ? options : options.in(lane);
        if (lane != null && ordered.fit(argumentBytes)) {
            return ordered;
        }
        return call.hasElsewhereToGo() && call.mayMove() ? options.and(RequestOptions.MOVABLE) : options;
    }
}
