package dev.cleave.replica;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * Rendezvous hashing: every process that knows the same members puts them into the same order for a key, and a member
 * that leaves changes the order of no others.
 */
public final class Rendezvous {

    private Rendezvous() {}

    /**
     * Returns members in the order in which a key prefers them.
     *
     * @param name the name of a member, unique among them
     */
    public static <T> List<T> rank(String key, Collection<T> members, Function<T, String> name) {
        if (members.size() < 2) {
            return List.copyOf(members);
        }
        return members.stream()
                .sorted(Comparator.comparingLong((T member) -> weight(key, name.apply(member)))
                        .reversed()
                        .thenComparing(name))
                .toList();
    }

    /**
     * Returns by how much a key prefers a member. FNV-1a of both names with the finalizer of MurmurHash3.
     *
     * @param member its name
     */
    public static long weight(String key, String member) {
        long hash = 0xcbf29ce484222325L;
        for (byte each : (key + '\n' + member).getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ each) * 0x100000001b3L;
        }
        hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
        return hash ^ hash >>> 33;
    }
}
