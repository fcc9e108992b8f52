package dev.cleave.broker.cluster;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.cluster.StoredReplicas.Stored;
import dev.cleave.broker.registry.Party;
import dev.cleave.broker.registry.RefusedException;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.Key;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.RegisterReplica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The registrations of the servers that are connected to this broker. Writes them into the store until it has them, and
 * yields where the store tells that a server has moved to another broker, or that a later process has its name.
 *
 * <p>While the store does not answer, a registration is <em>provisional</em>: this broker's nodes alone see it.
 *
 * <p>Registry's thread only, except where methods say otherwise.
 */
final class Offers {

    /** How long a server waits for the store at most when it registers; then it is registered provisionally. */
    static final Duration MOST_WAIT = Duration.ofSeconds(2);

    private static final System.Logger LOG = SafeLog.of(Offers.class);

    private final StoredReplicas stored;
    private final Publisher publisher;
    private final ClusterThreads threads;
    private final LongSupplier nanos;
    private final Map<Key, Offer> offers = new LinkedHashMap<>();
    private volatile int provisional;

    /** The registration of one replica. */
    private static final class Offer {

        private final Party party;
        private final RegisterReplica said;
        private @Nullable Offer replaced; // by this one, if the store accepts it
        private boolean isPending = true; // a write is under way
        private boolean isProvisional;
        private long version; // of the entry in the store
        private final long askedAt;
        private @Nullable Consumer<@Nullable RefusedException> asker; // who has no answer yet

        private Offer(Party party, RegisterReplica said, @Nullable Offer replaced, long askedAt) {
            this.party = party;
            this.said = said;
            this.replaced = replaced;
            this.askedAt = askedAt;
        }

        private void answer(@Nullable RefusedException refusal) {
            Consumer<@Nullable RefusedException> waiting = asker;
            asker = null;
            if (waiting != null) {
                waiting.accept(refusal);
            }
        }

        private ReplicaRecord record() {
            return new ReplicaRecord(
                    said.incarnation(), "", 0, said.interfaceName(), party.identity(), said.endpoints());
        }
    }

    Offers(StoredReplicas stored, Publisher publisher, ClusterThreads threads, LongSupplier nanos) {
        this.stored = requireNonNull(stored, "stored");
        this.publisher = requireNonNull(publisher, "publisher");
        this.threads = requireNonNull(threads, "threads");
        this.nanos = requireNonNull(nanos, "nanos");
    }

    /** The number of registrations that only this broker knows. On any thread. */
    int provisional() {
        return provisional;
    }

    /** Whether a server offers a replica here. */
    boolean has(Key key) {
        return offers.containsKey(key);
    }

    /**
     * Adds a registration, and writes it.
     *
     * @param isConnected whether the store answers
     * @param done receives null when the store has it, or does not answer within {@link #MOST_WAIT}; else the refusal
     */
    void publish(Party party, RegisterReplica said, boolean isConnected, Consumer<@Nullable RefusedException> done) {
        Key key = StoredReplicas.key(said.service(), said.replica());
        Offer offer = new Offer(party, said, offers.get(key), nanos.getAsLong());
        offer.asker = done;
        offers.put(key, offer);
        if (isConnected) {
            write(key, offer, true);
        } else {
            written(key, offer, new Publisher.Unknown("the store does not answer"));
        }
    }

    /** Takes a registration back, unless a later one has replaced it. */
    void withdraw(Party party, RegisterReplica said) {
        Key key = StoredReplicas.key(said.service(), said.replica());
        Offer offer = offers.get(key);
        if (offer != null && offer.replaced != null && offer.replaced.party == party) {
            offer.replaced = null;
        }
        if (offer == null || offer.party != party) {
            return;
        }
        offers.remove(key);
        count();
        threads.onStore(key, "withdraw", () -> publisher.withdraw(key, offer.said.incarnation()));
        stored.show(key); // it may be at another broker meanwhile, or have left that one
    }

    /** Writes again what is provisional, and answers servers that have waited for long. About once a second. */
    void onInterval() {
        new ArrayList<>(offers.keySet()).forEach(key -> {
            Offer offer = offers.get(key);
            if (offer != null && offer.isProvisional && !offer.isPending) {
                write(key, offer);
            } else if (offer != null
                    && offer.asker != null
                    && nanos.getAsLong() - offer.askedAt >= MOST_WAIT.toNanos()) {
                isProvisionalNow(key, offer, "the store has not answered yet");
                offer.answer(null);
            }
        });
    }

    /** Handles that the store has a new entry of a replica. */
    void onPut(Key key, Stored now) {
        Offer own = offers.get(key);
        if (own == null) {
            stored.show(key);
        } else if (!own.isPending && own.isProvisional) {
            write(key, own);
        } else if (!own.isPending && own.version < now.entry().version()) {
            compare(key, own, now);
        }
    }

    /** Handles that the store has no entry of a replica any more; returns whether none is offered here. */
    boolean onRemoved(Key key, long version) {
        Offer own = offers.get(key);
        if (own != null && !own.isPending && own.version < version) {
            write(key, own); // no other broker may remove it
        }
        return own == null;
    }

    /**
     * Handles that all entries of the store are known: what is missing is written, and what an old snapshot has brought back
     * is written or removed.
     *
     * @param all the entries of replicas
     * @param except the keys of those that may have changed since
     */
    void onAll(Map<Key, Entry> all, Set<Key> except, long fence) {
        all.keySet().stream()
                .filter(key -> !except.contains(key))
                .forEach(key -> mend(key, requireNonNull(all.get(key)), fence));
        List.copyOf(offers.keySet()).forEach(key -> {
            Offer offer = offers.get(key);
            if (offer != null && !offer.isPending && !all.containsKey(key) && !except.contains(key)) {
                write(key, offer);
            }
        });
    }

    private void mend(Key key, Entry entry, long fence) {
        Offer own = offers.get(key);
        Stored now = stored.get(key);
        if (now == null) {
            return;
        }
        boolean isOurs = stored.isOurs(now);
        if (own == null && isOurs) {
            threads.onStore(key, "remove", () -> publisher.remove(entry)); // its server has left meanwhile
        } else if (own != null
                && !own.isPending
                && (!isOurs || now.record().epoch() != fence || now.record().incarnation() != own.said.incarnation())) {
            write(key, own);
        }
    }

    /** Writes an offer again; one that the store has never had is as new as when its server asked for it. */
    private void write(Key key, Offer offer) {
        write(key, offer, offer.version == 0);
    }

    private void write(Key key, Offer offer, boolean isFresh) {
        offer.isPending = true;
        boolean isTaken = threads.onStore(key, "publish", () -> {
            Publisher.Outcome outcome = publisher.publish(key, offer.record(), isFresh);
            threads.onRegistry(() -> written(key, offer, outcome));
        });
        if (!isTaken) {
            written(key, offer, new Publisher.Unknown("this broker is closed"));
        }
    }

    private void isProvisionalNow(Key key, Offer offer, String why) {
        if (!offer.isProvisional) {
            LOG.log(System.Logger.Level.WARNING, "{0} is registered at this broker alone: {1}", key, why);
        }
        offer.isProvisional = true;
        count();
    }

    private void written(Key key, Offer offer, Publisher.Outcome outcome) {
        offer.isPending = false;
        boolean isCurrent = offers.get(key) == offer;
        RefusedException refusal = null;
        if (outcome instanceof Publisher.Written written) {
            offer.isProvisional = false;
            offer.version = written.entry().version();
        } else if (outcome instanceof Publisher.Unknown unknown) {
            isProvisionalNow(key, offer, unknown.why());
        } else if (isCurrent) {
            String why = outcome instanceof Publisher.Refused refused ? refused.why() : "registered at another broker";
            refusal = new RefusedException(
                    ErrorCode.ALREADY_BOUND,
                    "replica " + key.parts().get(2) + " of " + key.parts().get(1) + ": " + why);
            if (offer.replaced != null) {
                offers.put(key, offer.replaced);
            } else {
                offers.remove(key);
            }
        }
        offer.replaced = null;
        count();
        offer.answer(refusal);
        if (isCurrent && refusal == null) {
            look(key, offer);
        } else if (refusal != null && !offers.containsKey(key)) {
            stored.show(key);
        }
    }

    /** Compares a written offer with what the store has told meanwhile. */
    private void look(Key key, Offer offer) {
        Stored now = stored.get(key);
        if (now != null && now.entry().version() > offer.version && !offer.isProvisional) {
            compare(key, offer, now);
        }
    }

    private void compare(Key key, Offer offer, Stored now) {
        if (stored.isOurs(now)) {
            if (now.record().incarnation() != offer.said.incarnation()) { // of an old snapshot
                write(key, offer);
            }
        } else if (now.record().incarnation() >= offer.said.incarnation()) {
            offers.remove(key); // it has moved to another broker, or a later process has its name
            count();
            stored.show(key);
        } else {
            write(key, offer);
        }
    }

    private void count() {
        provisional = (int)
                offers.values().stream().filter(offer -> offer.isProvisional).count();
    }
}
