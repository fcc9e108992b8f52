package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Link;
import dev.cleave.concurrent.Timer;
import dev.cleave.migration.Grants;
import dev.cleave.migration.LoadBand;
import dev.cleave.wire.CallClaim;
import dev.cleave.wire.CallGrant;
import dev.cleave.wire.LoadWatch;
import dev.cleave.wire.Loaded;
import dev.cleave.wire.Moved;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One service whose waiting calls may move: tells the broker how much there is to do, as far as that matters and at
 * most once in {@value #LEAST_MICROS} us, and gives calls away. Thread-safe.
 */
final class LoadTeller {

    static final int LEAST_MICROS = 300;

    private static final long LEAST_NANOS = LEAST_MICROS * 1_000L;

    /** How long a broker that does not read is told nothing. */
    private static final Duration UNREAD = Duration.ofMillis(10);

    private final Link broker;
    private final String service;
    private final Dispatcher dispatcher;
    private final Timer timer;
    private final LoadBand band;
    private final Grants grants = new Grants(); // event thread of the broker's link only
    private final AtomicLong arrived;
    private final AtomicBoolean telling = new AtomicBoolean();
    private final Runnable onLoad = this::check;
    private long toldAt; // only for the thread that has set telling
    private volatile boolean ended;

    /**
     * Creates a teller that has told nothing yet.
     *
     * @param arrived counts calls that have come here and waited elsewhere before
     */
    LoadTeller(Link broker, LoadWatch watch, Dispatcher dispatcher, AtomicLong arrived, Timer timer) {
        this.broker = requireNonNull(broker, "broker");
        this.service = watch.service();
        this.dispatcher = requireNonNull(dispatcher, "dispatcher");
        this.arrived = requireNonNull(arrived, "arrived");
        this.timer = requireNonNull(timer, "timer");
        band = new LoadBand(watch.edges());
        toldAt = timer.nanos() - LEAST_NANOS;
    }

    void start() {
        dispatcher.onLoad(onLoad);
        check();
    }

    void end() {
        ended = true;
        dispatcher.offLoad(onLoad);
    }

    boolean tells(Link link) {
        return broker == link;
    }

    /** Gives away claimed calls, if they may move and have not begun. */
    void give(CallClaim claim) {
        int most = grants.most(claim, dispatcher.waiting(), dispatcher.executing());
        Set<Link> callers = new LinkedHashSet<>();
        int given = most == 0
                ? 0
                : dispatcher.give(
                        most,
                        call -> call.turn().mayMove() && call.service().equals(service),
                        call -> callers.add(move(call, claim.receiver())));
        callers.forEach(Link::flush);
        int waiting = dispatcher.waiting();
        int running = dispatcher.executing();
        broker.answer(new CallGrant(claim.epoch(), service, claim.receiver(), given, waiting, running));
        broker.flush();
        band.told(load(waiting, running));
        check();
    }

    private static Link move(Invocation call, String receiver) {
        Link caller = call.link();
        caller.write(new Moved(call.key().peer(), call.key().id(), receiver)
                .write(caller.connection().allocator()));
        call.drop();
        return caller;
    }

    private void check() {
        if (!ended
                && band.leaves(load(dispatcher.waiting(), dispatcher.executing()))
                && telling.compareAndSet(false, true)) {
            long since = timer.nanos() - toldAt;
            if (since >= LEAST_NANOS) {
                tell();
            } else {
                timer.schedule(Duration.ofNanos(LEAST_NANOS - since), this::tell);
            }
        }
    }

    private void tell() {
        if (!ended && !broker.isWritable()) { // when the broker reads again it is told how it is then
            timer.schedule(UNREAD, this::tell);
            return;
        }
        try {
            tellNow();
        } finally { // after an Error, too
            telling.set(false);
        }
        check(); // a change meanwhile found this thread still telling
    }

    private void tellNow() {
        toldAt = timer.nanos();
        int waiting = dispatcher.waiting();
        int running = dispatcher.executing();
        band.told(load(waiting, running));
        if (!ended) {
            broker.write(new Loaded(service, waiting, running, arrived.get())
                    .write(broker.connection().allocator()));
            broker.flush();
        }
    }

    private static int load(int waiting, int running) {
        return waiting + running;
    }
}
