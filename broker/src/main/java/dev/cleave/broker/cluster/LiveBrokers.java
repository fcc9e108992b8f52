package dev.cleave.broker.cluster;

import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.Key;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The live brokers of which the store has told. The registry's thread writes, any thread reads. */
final class LiveBrokers {

    private volatile Map<String, BrokerMember> live = Map.of();

    /** Whether a key is that of a broker. */
    static boolean isBroker(Key key) {
        return key.parts().size() == 2 && key.parts().get(0).equals(Publisher.BROKERS);
    }

    /** The id of the broker of a key. */
    static String id(Key key) {
        return key.parts().get(1);
    }

    /**
     * Takes the entry of a broker; returns whether it is news.
     *
     * @throws RecordException if it is no record
     */
    boolean put(Entry entry) throws RecordException {
        BrokerRecord record = BrokerRecord.read(entry.value());
        String broker = id(entry.key());
        BrokerMember now = new BrokerMember(broker, record.endpoint(), entry.version(), record.startedMillis());
        Map<String, BrokerMember> next = new TreeMap<>(live);
        boolean isNews = !now.equals(next.put(broker, now));
        live = Map.copyOf(next);
        return isNews;
    }

    /** Removes a broker that was removed from the store as of a version; returns whether it was a member. */
    boolean remove(Key key, long version) {
        BrokerMember gone = live.get(id(key));
        if (gone == null || gone.fence() > version) {
            return false;
        }
        Map<String, BrokerMember> next = new TreeMap<>(live);
        next.remove(gone.id());
        live = Map.copyOf(next);
        return true;
    }

    /** The member of an id; null if there is none. */
    @Nullable
    BrokerMember get(String broker) {
        return live.get(broker);
    }

    /** All members, by id. */
    Map<String, BrokerMember> all() {
        return live;
    }

    /** The keys of all members in the store. */
    Set<Key> keys() {
        return live.keySet().stream()
                .map(broker -> Key.of(Publisher.BROKERS, broker))
                .collect(Collectors.toSet());
    }
}
