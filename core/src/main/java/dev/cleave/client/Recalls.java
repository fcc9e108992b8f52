package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Link;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.wire.ConnectionName;
import dev.cleave.wire.Recall;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the server of a call whose connection has broken what has become of the call, over another connection: if it lives it
 * remembers. One that may not overtake others asks when the one before it has ended.
 */
final class Recalls {

    /** How often it is asked for one call: the next connection may break, too. */
    private static final int MOST = 16;

    /** How often it is tried again where no connection can be made; whoever is gone for good is soon unknown. */
    private static final int MOST_MISSED = 5;

    private static final Duration PAUSE = Duration.ofMillis(150);

    private final ResentCall call;
    private final ConnectionName connection;
    private final long number;
    private int asked; // one connection breaks after the other
    private int missed; // by one thread at a time

    /**
     * Creates one that has not asked.
     *
     * @param broken where the call was sent
     */
    Recalls(ResentCall call, Hop broken) {
        this.call = requireNonNull(call, "call");
        connection = broken.link().number();
        number = call.id();
    }

    /** Whether what is at the end of a way can be asked when the way has broken. */
    static boolean canBeAsked(@Nullable Hop broken) {
        return broken != null
                && broken.peer() == 0
                && !broken.link().number().isNone()
                && !broken.link().isGivenUp();
    }

    /** Asks, soon; false if that is in vain. On an event thread. */
    boolean ask(Hop broken, String why, @Nullable ResentCall before) {
        if (++asked > MOST) {
            return false;
        }
        if (before == null) {
            return submit(broken, why);
        }
        before.onEnd(() -> {
            if (!submit(broken, why)) {
                call.isInDoubt(why);
            }
        });
        return true;
    }

    private boolean submit(Hop broken, String why) {
        try {
            recall(broken, why);
            return true;
        } catch (RejectedExecutionException e) { // the node is closing
            return false;
        }
    }

    private void recall(Hop broken, String why) {
        call.calls().resends().recall(() -> ask(broken, why), broken.replica() == null);
    }

    private void ask(Hop broken, String why) {
        Hop way = null;
        boolean mayComeLater = false;
        try {
            way = call.isDone() ? null : call.route().again(broken, call.remaining());
        } catch (NoHopException e) { // the next connection has broken, too, while it was made
            mayComeLater = true;
        }
        boolean entered = way != null && !way.link().number().isNone() && call.enter(way);
        if (way == null || !entered) {
            if (way != null) {
                mayComeLater = way.link().isClosed();
                way.leave();
            }
            if (!mayComeLater || !askLater(broken, why)) {
                broken.link().connection().wakeWaiting();
                call.isInDoubt(why);
            }
            return;
        }
        broken.link().connection().wakeWaiting(); // who waits there is to wait where the answer comes
        Link link = way.link();
        link.write(new Recall(call.id(), connection, number)
                .write(link.connection().allocator()));
        link.flush();
    }

    private boolean askLater(Hop broken, String why) {
        if (broken.link().isPeerUnreachable()) {
            return false; // another call of the connection has tried as often; in an order they would add up
        }
        if (++missed > MOST_MISSED) {
            broken.link().peerIsUnreachable();
            return false;
        }
        call.calls().resends().later(PAUSE, () -> recall(broken, why), closed -> call.isInDoubt(why));
        return true;
    }
}
