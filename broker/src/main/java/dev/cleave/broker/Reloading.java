package dev.cleave.broker;

import dev.cleave.broker.registry.RefusedException;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Timer;
import dev.cleave.config.ApplicationFile;
import dev.cleave.config.Bindings;
import dev.cleave.config.ConfigException;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Names;
import dev.cleave.wire.Reload;
import dev.cleave.wire.Reloaded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes application files on to the nodes of this broker, and gathers what they have done. Used by the thread of the registry alone.
 */
final class Reloading {

    /** The longest wait for the nodes; they are asked again by the next file. */
    static final Duration MOST = Duration.ofSeconds(4);

    private static final System.Logger LOG = SafeLog.of(Reloading.class);
    private static final int MOST_AT_ONCE = 16;
    private static final String APPLIED = "applied";

    private final Bindings first;
    private final Consumer<Bindings> change;
    private final Set<Session> sessions;
    private final Timer timer;
    private final Executor thread;
    private final Map<Long, Gathering> open = new HashMap<>();
    private long next = 1;
    private boolean hasFirstAlone = true; // no other file has been applied
    private @Nullable BiConsumer<String, Consumer<String>> share;

    /** The answer of the other brokers of the cluster; null if nothing is known yet. */
    private static final class Sharing {

        private @Nullable String outcome;
    }

    /**
     * A file under way: who asked, under which number, and what each node has answered; null if nothing yet.
     *
     * @param asker null if another broker was asked
     * @param sharing null if no broker is to be told
     */
    private record Gathering(
            @Nullable Session asker,
            long id,
            String own,
            @Nullable Sharing sharing,
            Map<Session, @Nullable String> outcomes) {

        boolean isComplete() {
            return !outcomes.containsValue(null) && (sharing == null || sharing.outcome != null);
        }

        Reloaded answer() {
            List<String> lines = new ArrayList<>();
            lines.add("broker: " + own);
            if (sharing != null) {
                lines.add("cluster: " + (sharing.outcome == null ? "no answer yet" : sharing.outcome));
            }
            outcomes.forEach((session, outcome) ->
                    lines.add(Names.shown(session.name()) + ": " + (outcome == null ? "no answer yet" : outcome)));
            return new Reloaded(id, lines);
        }
    }

    /**
     * Creates the reloading of a broker.
     *
     * @param first the file that the broker was started with
     * @param change applies a file to the broker
     * @param sessions the connected nodes
     */
    Reloading(Bindings first, Consumer<Bindings> change, Set<Session> sessions, Timer timer, Executor thread) {
        this.first = first;
        this.change = change;
        this.sessions = sessions;
        this.timer = timer;
        this.thread = thread;
    }

    /**
     * Applies a file, and asks all nodes to do so; the asker gets one answer when they have, or after {@link #MOST}.
     *
     * @throws RefusedException if there is a mistake in the file, or too many are under way
     */
    void begin(Session asker, Reload said) {
        if (open.size() >= MOST_AT_ONCE) {
            throw new RefusedException(ErrorCode.OVERLOAD, open.size() + " files are being reloaded");
        }
        String own = own(said.text());
        BiConsumer<String, Consumer<String>> told = own.equals(APPLIED) ? share : null;
        Gathering gathering =
                new Gathering(asker, said.id(), own, told == null ? null : new Sharing(), new LinkedHashMap<>());
        long number = passOn(gathering, said.text());
        Sharing sharing = gathering.sharing();
        if (told != null && sharing != null) {
            told.accept(said.text(), outcome -> {
                sharing.outcome = outcome;
                ended(number);
            });
        }
    }

    /** Shares files with the other brokers of a cluster from now on; the second argument receives the outcome in words. */
    void join(BiConsumer<String, Consumer<String>> sharing) {
        share = sharing;
    }

    /** Applies a file that another broker of the cluster was given, and asks all nodes of this broker to do so. */
    void shared(String text) {
        try {
            boolean isFirst = hasFirstAlone;
            String own = own(text);
            List<String> differences = isFirst && own.equals(APPLIED) ? differences(text) : List.of();
            if (differences.isEmpty()) {
                LOG.log(System.Logger.Level.INFO, "the application file of the cluster: {0}", own);
            } else {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "the application file that was last reloaded in the cluster holds, not that of this broker,"
                                + " which differs in {0}; to make this one hold everywhere: bin/cleave reload FILE",
                        String.join(", ", differences));
            }
            long unused = passOn(new Gathering(null, 0, own, null, new LinkedHashMap<>()), text);
        } catch (RefusedException e) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "the application file of the cluster: {0}; nothing has changed",
                    e.getMessage());
        }
    }

    /** Returns the parts in which the file of the cluster differs from that of this broker, as far as brokers apply them. */
    private List<String> differences(String text) {
        Bindings other = ApplicationFile.received(text);
        List<String> found = new ArrayList<>();
        Set<String> services = new TreeSet<>(first.services().keySet());
        services.addAll(other.services().keySet());
        for (String service : services) {
            if (!first.service(service).equals(other.service(service))) {
                found.add("services." + service);
            }
        }
        String rights = first.security().grants().toString(); // patterns are compared by their text
        if (!rights.equals(other.security().grants().toString())) {
            found.add("security.rights");
        }
        return found;
    }

    private long passOn(Gathering gathering, String text) {
        long number = next++;
        for (Session session : sessions) {
            if (session != gathering.asker() && session.reloads()) {
                gathering.outcomes().put(session, null);
                session.tell(new Reload(number, text));
            }
        }
        open.put(number, gathering);
        if (!ended(number)) {
            Timer.Timeout unused = timer.schedule(MOST, () -> later(() -> end(number)));
        }
        return number;
    }

    private String own(String text) {
        try {
            Bindings changed = ApplicationFile.received(text);
            if (!first.isOfApplication(changed)) {
                return "untouched: it was started without this application's file";
            }
            change.accept(changed);
            hasFirstAlone = false;
            return APPLIED;
        } catch (ConfigException | IllegalArgumentException e) {
            throw new RefusedException(ErrorCode.PROTOCOL, String.valueOf(e.getMessage()));
        }
    }

    /** Takes the answer of a node. */
    void answered(Session session, Reloaded said) {
        Gathering gathering = open.get(said.id());
        if (gathering != null && gathering.outcomes().containsKey(session)) {
            String outcome = said.outcomes().isEmpty() ? "" : said.outcomes().get(0);
            gathering.outcomes().put(session, Names.shown(outcome));
            ended(said.id());
        }
    }

    /** Waits no longer for a node that is gone. */
    void gone(Session session) {
        for (Map.Entry<Long, Gathering> each : List.copyOf(open.entrySet())) {
            if (each.getValue().outcomes().containsKey(session)) {
                each.getValue().outcomes().remove(session);
                ended(each.getKey());
            }
        }
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    private boolean ended(long number) {
        Gathering gathering = open.get(number);
        if (gathering == null || !gathering.isComplete()) {
            return gathering == null;
        }
        end(number);
        return true;
    }

    private void end(long number) {
        Gathering gathering = open.remove(number);
        if (gathering == null) {
            return;
        }
        Session asker = gathering.asker();
        if (asker != null) {
            asker.tell(gathering.answer());
        } else {
            gathering.answer().outcomes().stream()
                    .filter(line -> line.contains(": refused: "))
                    .forEach(line -> LOG.log(System.Logger.Level.WARNING, line));
        }
    }

    private void later(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "after the end of the broker", e);
        }
    }
}
