package dev.cleave.lab.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.Random;

/** Time, chance, and the story of what happened. One thread. */
final class World {

    private final Random random;
    private final boolean remembers;
    private final List<String> story = new ArrayList<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long now = 1_000_000_000L;
    private long scheduled;

    private record Event(long at, long order, Runnable task) implements Comparable<Event> {

        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    /**
     * Creates one in which nothing has happened.
     *
     * @param remembers whether the story is kept
     */
    World(long seed, boolean remembers) {
        random = new Random(seed);
        this.remembers = remembers;
    }

    long nanos() {
        return now;
    }

    Random random() {
        return random;
    }

    /** A random time of up to a number of milliseconds, in nanoseconds. */
    long upTo(long millis) {
        return 1 + (long) (random.nextDouble() * millis * 1e6);
    }

    void after(long nanos, Runnable task) {
        events.add(new Event(now + Math.max(0, nanos), scheduled++, task));
    }

    /** Lets time pass. */
    void run(Duration duration) {
        long end = now + duration.toNanos();
        while (!events.isEmpty() && events.peek().at() <= end) {
            Event next = events.remove();
            now = Math.max(now, next.at());
            next.task().run();
        }
        now = end;
    }

    void tell(String format, Object... words) {
        if (remembers) {
            story.add(String.format(Locale.ROOT, "%10.6f ", (now - 1_000_000_000L) / 1e9)
                    + String.format(Locale.ROOT, format, words));
        }
    }

    List<String> story() {
        return story;
    }

    /** A number that differs where anything happened otherwise. */
    long fingerprint() {
        return now ^ scheduled << 20 ^ random.nextLong();
    }
}
