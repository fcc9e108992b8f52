package dev.cleave.broker.registry;

import dev.cleave.config.MemoryBounds;
import dev.cleave.metrics.Meter;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.RegisterReplica;
import java.util.HashMap;
import java.util.Map;

/**
 * Bounds the memory of names that parties register and watch: all together have a bound, of which each party takes at
 * most half of what the others leave. The first {@link #FREE} bytes of each party are not counted. Registry's thread
 * only.
 */
final class Shares {

    /** The bytes of a party that are not counted. */
    static final long FREE = 64L << 10;

    private static final int PER_ENTRY = 256; // the approximate bytes of an entry in addition to its characters

    private static final Meter REGISTRY = Meter.of("broker.registry.bytes", MemoryBounds::names);

    private final long bound;
    private final Map<Party, Long> taken = new HashMap<>();
    private long counted;

    /** Creates shares of a bound in bytes. */
    Shares(long bound) {
        this.bound = bound;
    }

    /** The bytes of a registration. */
    static long of(RegisterReplica said) {
        long chars = said.service().length()
                + said.replica().length()
                + said.interfaceName().length();
        for (String endpoint : said.endpoints()) {
            chars += endpoint.length();
        }
        return PER_ENTRY + 2 * chars;
    }

    /** The bytes of a watched name. */
    static long of(String service) {
        return PER_ENTRY + 2L * service.length();
    }

    /**
     * Takes bytes for a party.
     *
     * @throws RefusedException if that would exceed the party's share; nothing is taken then
     */
    void take(Party party, long bytes) {
        long before = taken.getOrDefault(party, 0L);
        long own = Math.max(0, before - FREE);
        long more = Math.max(0, before + bytes - FREE) - own;
        if (more > 0 && !MemoryBounds.isShare(bound, counted, own, more)) {
            REGISTRY.refused();
            throw new RefusedException(
                    ErrorCode.OVERLOAD,
                    "names over this connection: " + (before + bytes) + " bytes (expected: at most " + FREE
                            + " bytes and half of what others leave of " + bound + ")");
        }
        count(more);
        taken.put(party, before + bytes);
    }

    /** Gives bytes of a party back. */
    void giveBack(Party party, long bytes) {
        long before = taken.getOrDefault(party, 0L);
        long after = Math.max(0, before - bytes);
        count(Math.max(0, after - FREE) - Math.max(0, before - FREE));
        if (after == 0) {
            taken.remove(party);
        } else {
            taken.put(party, after);
        }
    }

    boolean isEmpty() {
        return taken.isEmpty();
    }

    private void count(long more) {
        counted += more;
        REGISTRY.add(more);
    }
}
