package dev.cleave.migration;

import static java.util.Objects.requireNonNull;

import dev.cleave.config.Linkage;
import dev.cleave.wire.CallClaim;
import dev.cleave.wire.CallGrant;
import dev.cleave.wire.Loaded;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which replica of a service gives waiting calls to which other replica, by the linkages of the application
 * file.
 *
 * <h2>The protocol</h2>
 *
 * Replicas report their load ({@link Loaded}). When a condition of a linkage holds, calls are <em>claimed</em> from the
 * owner for the receiver ({@link CallClaim}, with a new epoch). The owner <em>grants</em> some of the calls that have
 * not begun ({@link CallGrant}); the sender of these calls sends them to the receiver. A call that has begun stays: so
 * each call is at one replica, and none is executed twice whatever message is lost.
 *
 * <h2>Calls on their way</h2>
 *
 * Granted calls count for the receiver until it reports their arrival, or {@value #ARRIVAL_MILLIS} ms have passed; an
 * owner or receiver has one open claim at a time, for {@value #ANSWER_MILLIS} ms at most. A claim that was granted no
 * call, because the waiting calls may not move, is made again after a pause that doubles up to
 * {@value #LONGEST_PAUSE_MILLIS} ms.
 *
 * <p>Used by one thread.
 */
public final class Migration {

    static final long ANSWER_MILLIS = 1_000;
    static final long ARRIVAL_MILLIS = 1_000;
    static final long FIRST_PAUSE_MILLIS = 4;
    static final long LONGEST_PAUSE_MILLIS = 1_024;

    private static final long MILLI = 1_000_000;

    private final String service;
    private final List<Way> ways;
    private final LongSupplier nanos;
    private final Map<String, Post> posts = new HashMap<>();
    private long epoch;
    private int turn; // the index of the linkage that is checked first, so that equal ones take turns

    /** A linkage, and the pause after a claim that was granted no call. */
    private static final class Way {

        private final Linkage linkage;
        private long barredUntil;
        private long pause;
        private boolean barred;

        private Way(Linkage linkage) {
            this.linkage = linkage;
        }
    }

    /** An open claim. */
    private record Open(Way way, long epoch, long until) {}

    /**
     * An order to claim calls.
     *
     * @param owner the replica that has the calls
     * @param claim the message to it
     */
    public record Order(String owner, CallClaim claim) {}

    /** Creates a migration that knows no replica. */
    public Migration(String service, List<Linkage> linkages, LongSupplier nanos) {
        this.service = requireNonNull(service, "service");
        this.nanos = requireNonNull(nanos, "nanos");
        ways = linkages.stream().map(Way::new).toList();
    }

    /** The loads at which a replica must report; empty if no linkage names it. */
    public List<Integer> edges(String replica) {
        Set<Integer> edges = new TreeSet<>();
        for (Way way : ways) {
            Linkage linkage = way.linkage;
            boolean isOwner = linkage.owner().equals(replica);
            boolean isReceiver = linkage.receiver().equals(replica);
            if (isOwner || isReceiver) {
                edges.add(1);
            }
            if (isOwner && linkage.overload() != null) {
                edges.addAll(linkage.overload().edges());
            }
            if (isReceiver && linkage.underload() != null) {
                edges.addAll(linkage.underload().edges());
            }
        }
        return List.copyOf(edges);
    }

    /** Adds a replica whose process is new: forgets what an earlier process of that name has reported. */
    public void joined(String replica) {
        left(replica);
        posts.put(replica, new Post());
    }

    /** Removes a replica that is gone, or gets no new calls; a claim to it ends, so that its receiver may get calls of others. */
    public void left(String replica) {
        Post post = posts.remove(replica);
        if (post != null && post.claimed != null) {
            close(post, post.claimed);
        }
    }

    /** Takes the load that a replica has reported, and returns the claims to be made now. */
    public List<Order> loaded(String replica, Loaded said) {
        Post post = posts.get(replica);
        if (post == null || post.expected.isOld(said.arrived())) {
            return List.of();
        }
        post.loaded(said.waiting(), said.running());
        post.expected.arrived(said.arrived(), inTime());
        return decide();
    }

    /** Takes the answer of a replica to a claim, and returns the claims to be made now. */
    public List<Order> granted(String owner, CallGrant said) {
        Post post = posts.get(owner);
        if (post == null || !post.answers(said.epoch())) {
            return List.of();
        }
        post.loaded(said.waiting(), said.running());
        Post receiver = posts.get(said.receiver());
        if (said.calls() > 0 && receiver != null) {
            receiver.expected.add(said.calls(), inTime());
        }
        Open open = post.claimed;
        if (open != null && open.epoch == said.epoch()) {
            close(post, open);
            bar(open.way, said.calls() == 0);
        }
        return decide();
    }

    /** Returns the claims to be made now because time has passed. */
    public List<Order> due() {
        return decide();
    }

    /** The time at which {@link #due} must be called if no replica reports before; {@link Long#MAX_VALUE} for never. */
    public long dueAt() {
        long now = nanos.getAsLong();
        long at = Long.MAX_VALUE;
        for (Way way : ways) {
            if (way.barred) {
                at = earlier(at, way.barredUntil, now);
            }
        }
        for (Post post : posts.values()) {
            if (post.claimed != null) {
                at = earlier(at, post.claimed.until, now);
            }
            long expires = post.expected.expires();
            at = expires == Long.MAX_VALUE ? at : earlier(at, expires, now);
        }
        return at;
    }

    private long inTime() {
        return nanos.getAsLong() + ARRIVAL_MILLIS * MILLI;
    }

    private static long earlier(long at, long other, long now) {
        return at == Long.MAX_VALUE || other - now < at - now ? other : at;
    }

    private List<Order> decide() {
        long now = nanos.getAsLong();
        forget(now);
        List<Way> eligible = new ArrayList<>();
        for (int i = 0; i < ways.size(); i++) {
            Way way = ways.get((turn + i) % ways.size());
            if (isEligible(way)) {
                eligible.add(way);
            }
        }
        if (eligible.isEmpty()) {
            return List.of();
        }
        turn = (turn + 1) % ways.size();
        eligible.sort(Comparator.comparingInt(this::difference).reversed());
        List<Order> orders = new ArrayList<>();
        for (Way way : eligible) {
            Order order = claim(way, now);
            if (order != null) {
                orders.add(order);
            }
        }
        return orders;
    }

    private @Nullable Order claim(Way way, long now) {
        Linkage linkage = way.linkage;
        Post owner = requireNonNull(posts.get(linkage.owner()));
        Post receiver = requireNonNull(posts.get(linkage.receiver()));
        if (owner.claimed != null || receiver.receives) {
            return null;
        }
        Open open = new Open(way, ++epoch, now + ANSWER_MILLIS * MILLI);
        owner.claimed = open;
        receiver.receives = true;
        return new Order(
                linkage.owner(),
                new CallClaim(
                        open.epoch,
                        service,
                        linkage.receiver(),
                        receiver.load(),
                        linkage.share().numerator(),
                        linkage.share().denominator()));
    }

    private boolean isEligible(Way way) {
        Post owner = posts.get(way.linkage.owner());
        Post receiver = posts.get(way.linkage.receiver());
        return owner != null
                && receiver != null
                && !way.barred
                && owner.isKnown()
                && receiver.isKnown()
                && owner.waiting() > 0
                && difference(way) >= Grants.LEAST_DIFFERENCE
                && way.linkage.calls(owner.load(), receiver.load());
    }

    private int difference(Way way) {
        Post owner = requireNonNull(posts.get(way.linkage.owner()));
        Post receiver = requireNonNull(posts.get(way.linkage.receiver()));
        return owner.load() - receiver.load();
    }

    /** Forgets claims and calls on their way whose time limit has passed. */
    private void forget(long now) {
        for (Post post : posts.values()) {
            Open open = post.claimed;
            if (open != null && open.until - now <= 0) {
                close(post, open);
                bar(open.way, true);
            }
            post.expected.giveUp(now);
        }
        for (Way way : ways) {
            way.barred &= way.barredUntil - now > 0;
        }
    }

    private void close(Post owner, Open open) {
        owner.claimed = null;
        Post receiver = posts.get(open.way.linkage.receiver());
        if (receiver != null) {
            receiver.receives = false;
        }
    }

    private void bar(Way way, boolean gotNothing) {
        way.barred = gotNothing;
        way.pause = gotNothing ? Math.min(LONGEST_PAUSE_MILLIS, Math.max(FIRST_PAUSE_MILLIS, way.pause * 2)) : 0;
        way.barredUntil = nanos.getAsLong() + way.pause * MILLI;
    }

    /** The last known state of one replica. */
    private static final class Post {

        private final Expected expected = new Expected();
        private int waiting = -1;
        private int running;
        private long lastAnswered;
        private @Nullable Open claimed;
        private boolean receives;

        private void loaded(int waits, int runs) {
            waiting = waits;
            running = runs;
        }

        private boolean isKnown() {
            return waiting >= 0;
        }

        private int waiting() {
            return waiting;
        }

        /** The number of calls that wait, run or are on their way. */
        private int load() {
            return (int) Math.min(Integer.MAX_VALUE, (long) waiting + running + expected.calls());
        }

        /** Says whether an answer is newer than those before. */
        private boolean answers(long toEpoch) {
            boolean isNew = toEpoch > lastAnswered;
            lastAnswered = Math.max(lastAnswered, toEpoch);
            return isNew;
        }
    }
}
