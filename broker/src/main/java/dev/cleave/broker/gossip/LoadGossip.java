package dev.cleave.broker.gossip;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.registry.Party;
import dev.cleave.broker.registry.ServiceView;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Timer;
import dev.cleave.metrics.Refusals;
import dev.cleave.wire.Frame;
import dev.cleave.wire.LoadAsk;
import dev.cleave.wire.Loads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tells other brokers of the cluster the loads of the replicas that are connected here, if they ask, and asks them for those of
 * services for which calls find no room here ({@link FarLoads}). A broker that is not asked tells nothing.
 *
 * <p>Another broker is told of changes once each {@link #EVERY} at most, and of {@value #MOST_TOLD} replicas at most; other changes
 * follow the next time. A broker that does not read is told nothing meanwhile. It may ask for {@value #MOST_ASKED} services.
 * A load that was told is a hint: it places calls that would wait, and decides nothing else.
 *
 * <p>Registry's thread only, except where methods say otherwise.
 */
public final class LoadGossip {

    /** How often a broker that has asked is told of changes, at most. */
    public static final Duration EVERY = Duration.ofMillis(100);

    static final int MOST_TOLD = 256;
    private static final int MOST_IN_FRAME = 64; // the longest names fit
    static final int MOST_ASKED = 4_096;

    private static final System.Logger LOG = SafeLog.of(LoadGossip.class);

    private final Function<String, @Nullable ServiceView> views;
    private final FarLoads far;
    private final Timer timer;
    private final Executor thread;
    private final Map<Asker, Map<String, LoadTold>> askers = new LinkedHashMap<>(); // by service
    private final Map<String, Set<String>> asked = new HashMap<>(); // services, by the endpoint of the broker
    private Predicate<String> holds = service -> false;
    private Consumer<String> whenRoom = service -> {};
    private @Nullable OtherBrokers others;
    private Timer.@Nullable Timeout timeout;
    private volatile long told; // written by the registry's thread

    /** The ways to other brokers. Registry's thread only. */
    public interface OtherBrokers {

        /** Whether frames can be sent to the broker at an endpoint now. */
        boolean reaches(String home);

        /** Sends a question to the broker at an endpoint. */
        void ask(String home, LoadAsk said);

        /** The epoch of this broker; 0 while it is no member. */
        long fence();

        /** The epoch of each member, by its endpoint. */
        Map<String, Long> fences();
    }

    /** Another broker that asks. Compared by identity. */
    public interface Asker {

        /** Whether it reads the frames that it is told. */
        boolean isWritable();

        /** Sends it a frame. */
        void tell(Frame frame);
    }

    /**
     * Creates the gossip of a broker that knows no other.
     *
     * @param views the replicas of a service, null if there are none
     * @param far keeps the loads that other brokers tell
     * @param thread the registry's thread
     */
    public LoadGossip(Function<String, @Nullable ServiceView> views, FarLoads far, Timer timer, Executor thread) {
        this.views = requireNonNull(views, "views");
        this.far = requireNonNull(far, "far");
        this.timer = requireNonNull(timer, "timer");
        this.thread = requireNonNull(thread, "thread");
    }

    /**
     * Joins a cluster.
     *
     * @param held whether calls of a service wait here: then there is no room for those of others
     * @param room receives the names of services for which another broker has told of room
     */
    public void join(OtherBrokers joined, Predicate<String> held, Consumer<String> room) {
        others = requireNonNull(joined, "joined");
        holds = requireNonNull(held, "held");
        whenRoom = requireNonNull(room, "room");
        far.onWanted(() -> execute(this::look));
    }

    /** Takes the question of another broker. */
    public void asked(Asker asker, LoadAsk said) {
        Map<String, LoadTold> services = askers.computeIfAbsent(asker, a -> new LinkedHashMap<>());
        if (!said.isWanted()) {
            services.remove(said.service());
        } else if (services.size() < MOST_ASKED || services.containsKey(said.service())) {
            services.put(said.service(), new LoadTold());
        } else {
            Refusals.count("gossip.asked");
        }
        if (services.isEmpty()) {
            askers.remove(asker);
        }
        schedule(Duration.ZERO);
    }

    /** Forgets a broker whose connection has ended. */
    public void lost(Asker asker) {
        askers.remove(asker);
    }

    /** Takes the loads that the broker at an endpoint tells of its replicas; those of replicas of other brokers are ignored. */
    public void told(String home, Loads said) {
        OtherBrokers joined = others;
        ServiceView view = views.apply(said.service());
        Long fence = joined == null ? null : joined.fences().get(home);
        if (view == null
                || fence == null
                || said.fence() < fence
                || !asked.getOrDefault(home, Set.of()).contains(said.service())) {
            return;
        }
        far.heard(home);
        boolean isRoom = false;
        for (Loads.Replica replica : said.replicas()) {
            Party party = view.parties().get(replica.name());
            if (party != null && home.equals(party.home())) {
                far.told(home, said.service(), said.fence(), replica);
                isRoom |= replica.room() > 0;
            }
        }
        if (isRoom) {
            whenRoom.accept(said.service());
        }
    }

    /** Forgets the loads that the broker at an endpoint has told: the connection to it has ended. */
    public void lost(String home) {
        asked.remove(home);
        far.lost(home);
    }

    /** Handles that brokers have come, gone, or begun a new epoch. */
    public void membersChanged() {
        OtherBrokers joined = others;
        if (joined != null) {
            Map<String, Long> fences = joined.fences();
            far.keep(fences);
            asked.keySet().retainAll(fences.keySet());
            look();
        }
    }

    /** Asks for the loads of wanted services, and no longer for those of others. To be called about once a second. */
    public void look() {
        OtherBrokers joined = others;
        if (joined == null) {
            return;
        }
        Set<String> wanted = far.wanted(holds);
        Map<String, Set<String>> next = new HashMap<>();
        for (String service : wanted) {
            ServiceView view = views.apply(service);
            if (view != null) {
                view.parties().values().stream()
                        .map(Party::home)
                        .filter(home -> home != null && !home.isEmpty())
                        .distinct()
                        .filter(joined::reaches)
                        .forEach(home ->
                                next.computeIfAbsent(home, h -> new HashSet<>()).add(service));
            }
        }
        Map<String, Set<String>> before = new HashMap<>(asked);
        asked.clear();
        asked.putAll(next); // in front of the questions: a link that breaks at one removes its broker
        next.forEach((home, services) -> services.stream()
                .filter(service -> !before.getOrDefault(home, Set.of()).contains(service))
                .forEach(service -> joined.ask(home, new LoadAsk(service, true))));
        before.forEach((home, services) -> services.stream()
                .filter(service -> !next.getOrDefault(home, Set.of()).contains(service))
                .forEach(service -> {
                    if (!wanted.contains(service)) {
                        far.forget(service);
                    }
                    if (joined.reaches(home)) {
                        joined.ask(home, new LoadAsk(service, false));
                    }
                }));
    }

    /** How many services other brokers ask for, each counted for each of them. */
    public int asked() {
        return askers.values().stream().mapToInt(Map::size).sum();
    }

    /** How many loads of replicas other brokers were told. On any thread. */
    public long told() {
        return told;
    }

    /** Whether no other broker asks. */
    public boolean isEmpty() {
        return askers.isEmpty();
    }

    private void due() {
        timeout = null;
        OtherBrokers joined = others;
        long fence = joined == null ? 0 : joined.fence();
        if (fence > 0) { // else its word does not count
            List.copyOf(askers.keySet()).stream().filter(Asker::isWritable).forEach(asker -> tell(asker, fence));
        }
        if (!askers.isEmpty()) {
            schedule(EVERY);
        }
    }

    private void tell(Asker asker, long fence) {
        Map<String, LoadTold> services = askers.getOrDefault(asker, Map.of());
        int left = MOST_TOLD;
        List<String> unfinished = new ArrayList<>();
        for (Map.Entry<String, LoadTold> entry : services.entrySet()) {
            String service = entry.getKey();
            ServiceView view = views.apply(service);
            if (view == null || left <= 0) {
                continue;
            }
            int share = (int) askers.values().stream()
                    .filter(each -> each.containsKey(service))
                    .count();
            List<Loads.Replica> due =
                    entry.getValue().due(view, Math.max(1, share), !holds.test(service), timer.nanos(), left);
            left -= due.size();
            if (!due.isEmpty()) {
                told += due.size();
                for (int i = 0; i < due.size(); i += MOST_IN_FRAME) {
                    asker.tell(new Loads(service, fence, due.subList(i, Math.min(due.size(), i + MOST_IN_FRAME))));
                }
            }
            if (left <= 0) {
                unfinished.add(service);
            }
        }
        // Services that did not get their turn come first the next time.
        unfinished.forEach(service -> rotate(services, service));
    }

    /** Puts the services up to one behind the others. */
    private static void rotate(Map<String, LoadTold> services, String last) {
        for (String service : List.copyOf(services.keySet())) {
            services.put(service, requireNonNull(services.remove(service)));
            if (service.equals(last)) {
                return;
            }
        }
    }

    private void schedule(Duration time) {
        if (timeout == null && !askers.isEmpty()) {
            timeout = timer.schedule(time, () -> execute(this::due));
        }
    }

    private void execute(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) { // the broker is closing
            LOG.log(System.Logger.Level.DEBUG, "after the end", e);
        }
    }
}
