package dev.cleave.call;

import dev.cleave.concurrent.SafeLog;
import dev.cleave.serial.Numbers;
import dev.cleave.serial.TypePolicy;
import dev.cleave.wire.Names;
import java.lang.ref.WeakReference;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Finds versions of classes that do not fit before a call needs them. A server announces the classes of a service when a client first names a
 * method of it over a connection; the client compares them with its own, and logs each difference once. Thread-safe.
 */
public final class TypeVersions {

    /** The most names that a server announces so: they go to each client. */
    static final int MOST_NAMES = 64;

    /** The most characters of the names that it announces for one service. */
    static final int MOST_CHARS = 16 << 10;

    /** The most differences that are logged. */
    static final int MOST_SAID = 100;

    private static final System.Logger LOG = SafeLog.of(TypeVersions.class);

    private final Map<Class<?>, WeakReference<TypePolicy>> used = new WeakHashMap<>(); // guarded by this; by interface
    private final Set<String> said = new HashSet<>(); // guarded by this

    /** This node calls a service through an interface. */
    public synchronized void uses(RemoteInterface contract) {
        used.put(contract.type(), new WeakReference<>(contract.policy()));
    }

    /**
     * Numbers the classes of a service that this node serves.
     *
     * @return the highest number; -1 if there are none, or too many to tell each client
     */
    public static int numbered(RemoteInterface contract, Numbers types) {
        List<String> names;
        try {
            names = contract.policy().layouts();
        } catch (LinkageError e) { // a class cannot be initialized: calls that need it say so
            return -1;
        }
        if (types.size() + names.size() > MOST_NAMES
                || names.stream().mapToInt(String::length).sum() > MOST_CHARS) {
            return -1;
        }
        return names.stream().mapToInt(types::numberOf).max().orElse(-1);
    }

    /** A server that this node has dialled has announced classes. */
    void announced(String node, List<String> names) {
        for (TypePolicy policy : policies()) {
            for (String name : names) {
                TypePolicy.Difference difference = policy.difference(name);
                if (difference != null && isNew(difference.text())) {
                    say(node, difference);
                }
            }
        }
    }

    private static void say(String node, TypePolicy.Difference difference) {
        boolean both = difference.comes() && difference.goes();
        LOG.log(
                both ? System.Logger.Level.WARNING : System.Logger.Level.INFO,
                "server {0}: {1}; calls with such {2} will be refused",
                Names.escaped(node),
                Names.escaped(difference.text()),
                both ? "an argument or result" : difference.comes() ? "a result" : "an argument");
    }

    private synchronized List<TypePolicy> policies() {
        return used.values().stream()
                .map(WeakReference::get)
                .filter(Objects::nonNull)
                .toList();
    }

    private synchronized boolean isNew(String difference) {
        return said.size() < MOST_SAID && said.add(difference);
    }
}
