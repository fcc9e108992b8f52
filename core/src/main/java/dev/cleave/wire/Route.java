package dev.cleave.wire;

/** How the calls of a service travel. */
public enum Route {
    /** Clients dial the servers; the broker only resolves. */
    DIRECT,
    /** Clients call over their connection to the broker. */
    RELAY;

    static Route of(int number) {
        if (number >= values().length) {
            throw new WireException(ErrorCode.PROTOCOL, "route: " + number + " (expected: 0..1)");
        }
        return values()[number];
    }
}
