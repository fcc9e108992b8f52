package dev.cleave.node;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Link;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Steps;
import dev.cleave.concurrent.Timer;
import dev.cleave.config.Pings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Pings the peers of all links of a node once in each interval: few peers at once, many peers in parts spread over the
 * interval, so that calls do not wait on the event threads for thousands of pings. Runs on the timer's thread.
 */
final class Beats {

    /** The number of peers that are pinged together. */
    static final int TOGETHER = 32;

    /** The shortest time between two parts. */
    static final Duration SHORTEST = Duration.ofMillis(2);

    private static final System.Logger LOG = SafeLog.of(Beats.class);

    private final Collection<Link> links;
    private final Timer timer;
    private final Pings pings;

    private Beats(Collection<Link> links, Timer timer, Pings pings) {
        this.links = requireNonNull(links, "links");
        this.timer = requireNonNull(timer, "timer");
        this.pings = requireNonNull(pings, "pings");
    }

    /** Pings the links that a collection holds at the time of each ping, until the timer is closed. */
    static void start(Collection<Link> links, Timer timer, Pings pings) {
        Beats beats = new Beats(links, timer, pings);
        Timer.Timeout unused = timer.schedule(pings.every(), beats::interval);
    }

    /** The number of parts into which an interval is divided for a number of links. */
    static int parts(int links, Duration every) {
        long most = Math.max(1, every.dividedBy(SHORTEST));
        return (int) Math.max(1, Math.min(most, links / TOGETHER));
    }

    private void interval() {
        List<Link> now = new ArrayList<>(links);
        part(now, 0, parts(now.size(), pings.every()));
    }

    private void part(List<Link> now, int part, int parts) {
        int end = (int) ((long) now.size() * (part + 1) / parts);
        int begin = (int) ((long) now.size() * part / parts);
        Steps.forEach(LOG, "ping", now.subList(begin, end), link -> link.beat(pings));
        Runnable next = part + 1 == parts ? this::interval : () -> part(now, part + 1, parts);
        Timer.Timeout unused =
                timer.schedule(pings.every().dividedBy(parts), next); // a late round does not shorten the next interval
    }
}
