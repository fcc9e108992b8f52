package dev.cleave.broker.registry;

import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Names;
import dev.cleave.wire.RegisterReplica;

/** The limits of a registry, so that no peer can fill it. */
final class Limits {

    static final int SERVICES = 10_000;
    static final int REPLICAS_PER_SERVICE = 1_000;
    static final int REGISTRATIONS_PER_PARTY = 1_000;
    static final int WATCHES_PER_PARTY = 10_000;
    static final int ENDPOINTS = 8;
    static final int NAME_LENGTH = Names.MOST;

    private Limits() {}

    /** Checks a registration by itself. */
    static void check(RegisterReplica register) {
        name("service", register.service());
        name("replica", register.replica());
        name("interface", register.interfaceName());
        most("endpoints", register.endpoints().size(), ENDPOINTS);
        register.endpoints().forEach(endpoint -> name("endpoint", endpoint));
    }

    /** Checks a name. */
    static void name(String what, String name) {
        if (name.isEmpty() || name.length() > NAME_LENGTH) {
            throw new RefusedException(
                    ErrorCode.TOO_LARGE,
                    what + ": " + name.length() + " characters (expected: 1.." + NAME_LENGTH + ")");
        }
        if (!Names.isPlain(name)) {
            throw new RefusedException(
                    ErrorCode.PROTOCOL, what + ": " + Names.shown(name) + " (expected: no control characters)");
        }
    }

    /** Checks a number of things. */
    static void most(String what, int count, int most) {
        if (count > most) {
            throw new RefusedException(ErrorCode.OVERLOAD, what + ": " + count + " (expected: at most " + most + ")");
        }
    }
}
