package dev.cleave.broker.relay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.transport.Peer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The identities to which the names of processes belong: each process gives its name itself, and the first identity that has come with a
 * name has it, also when its connection has ended. Processes that were not asked for an identity own nothing. Thread-safe.
 */
final class ProcessNames {

    /** The most names of one identity; its oldest one is forgotten then. */
    static final int MOST = 4096;

    @GuardedBy("this")
    private final Map<Name, String> owners = new HashMap<>();

    @GuardedBy("this")
    private final Map<String, Set<Name>> byOwner = new HashMap<>(); // the oldest first

    private record Name(String node, long incarnation) {

        static Name of(Peer peer) {
            return new Name(peer.node(), peer.incarnation());
        }
    }

    /** A process has connected. */
    synchronized void enter(Peer process) {
        String identity = process.identity();
        Name name = Name.of(process);
        if (identity == null) {
            return;
        }
        String owner = owners.putIfAbsent(name, identity);
        if (owner != null && !owner.equals(identity)) {
            return;
        }
        Set<Name> own = byOwner.computeIfAbsent(identity, i -> new LinkedHashSet<>());
        own.remove(name);
        own.add(name);
        if (own.size() > MOST) {
            Iterator<Name> oldest = own.iterator();
            owners.remove(oldest.next());
            oldest.remove();
        }
    }

    /** Whether no other identity has the name of a process that has connected. */
    synchronized boolean belong(Peer process) {
        String identity = process.identity();
        return identity == null || identity.equals(owners.getOrDefault(Name.of(process), identity));
    }

    /** How many names are known. */
    synchronized int size() {
        return owners.size();
    }
}
