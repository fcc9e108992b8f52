package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.SafeLog;
import dev.cleave.config.Rights;
import dev.cleave.metrics.Denials;
import dev.cleave.wire.Names;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Asks the rights of a node or broker, and counts and logs what is denied. Thread-safe. */
public final class RightsGuard {

    private static final System.Logger LOG = SafeLog.of(RightsGuard.class);
    private static final int MOST_KEPT = 10_000;
    private static final int LONGEST_KEPT = 512; // characters: peers choose the names

    private final Denials denials = new Denials(LOG);
    private volatile Decisions decisions;

    /**
     * Rights, and the calls that they have been found to allow, by identity and by the name of service and method. What they deny is not
     * kept, so that a peer without rights takes no memory.
     */
    private record Decisions(Rights rights, Map<String, Set<String>> calls, AtomicInteger kept) {

        static Decisions of(Rights rights) {
            return new Decisions(requireNonNull(rights, "rights"), new ConcurrentHashMap<>(), new AtomicInteger());
        }

        boolean hasAllowed(String identity, String name) {
            Set<String> known = calls.get(identity);
            return known != null && known.contains(name);
        }

        void keep(String identity, String name) {
            if (identity.length() + name.length() <= LONGEST_KEPT
                    && kept.get() < MOST_KEPT
                    && calls.computeIfAbsent(identity, i -> ConcurrentHashMap.newKeySet())
                            .add(name)) {
                kept.incrementAndGet();
            }
        }
    }

    /** Creates a guard that asks some rights. */
    public RightsGuard(Rights rights) {
        decisions = Decisions.of(rights);
    }

    /** Asks other rights from now on, unless these are open: then peers have no identities. */
    public void change(Rights rights) {
        if (!isOpen()) {
            decisions = Decisions.of(rights);
        }
    }

    /** Whether all peers have all rights. */
    public boolean isOpen() {
        return decisions.rights().isOpen();
    }

    /** Whether an identity may call a method that is named {@code service + '\n' + key}. */
    public boolean mayCall(@Nullable String identity, String name) {
        Decisions now = decisions;
        if (now.rights().isOpen()) {
            return true;
        }
        if (identity == null) {
            return denied("call", null, "a call");
        }
        if (now.hasAllowed(identity, name)) {
            return true;
        }
        int end = name.indexOf('\n');
        String service = name.substring(0, end);
        int begin = name.indexOf('(', end);
        String method = name.substring(end + 1, begin < 0 ? name.length() : begin);
        if (now.rights().mayCall(identity, service, method)) {
            now.keep(identity, name);
            return true;
        }
        return denied("call", identity, "call of " + shown(name));
    }

    /** Returns how many answers are kept. */
    int kept() {
        return decisions.kept().get();
    }

    /** Whether an identity may serve a service. */
    public boolean mayRegister(@Nullable String identity, String service) {
        return decisions.rights().mayRegister(identity, service)
                || denied("register", identity, "registration of " + Names.shown(service));
    }

    /** Whether an identity may know where a service is. */
    public boolean mayFind(@Nullable String identity, String service) {
        return sees(identity, service) || denied("find", identity, "lookup of " + Names.shown(service));
    }

    /** Whether a list of services may show one to an identity. */
    public boolean sees(@Nullable String identity, String service) {
        return decisions.rights().mayFind(identity, service);
    }

    /** Whether an identity may give a command. */
    public boolean mayAdminister(@Nullable String identity, String command) {
        return decisions.rights().mayAdminister(identity, command)
                || denied("administer", identity, "command " + command);
    }

    /** Counts and logs a denial; returns false. */
    public boolean denied(String reason, @Nullable String identity, String what) {
        denials.denied(reason, identity == null ? "a peer without identity" : Names.shown(identity), what);
        return false;
    }

    /** Says, for a peer, that it may not do something. */
    public static String refusal(@Nullable String identity, String what) {
        return (identity == null ? "a peer without identity" : "identity " + identity) + " has no right to "
                + Names.shown(what) + " (expected: a grant in the application file, security: rights)";
    }

    private static String shown(String name) {
        return Names.shown(name.replace('\n', '.'));
    }
}
