package dev.cleave.rmi;

import dev.cleave.serial.Reference;
import java.io.Serializable;

/** A remote object among the values of a call, as it is serialized: the parts of its {@link Reference}. */
record RemoteForm(
        byte kind,
        String type,
        String node,
        long incarnation,
        String endpoint,
        long high,
        long low,
        long sentHigh,
        long sentLow)
        implements Serializable {

    static RemoteForm of(Reference reference) {
        return new RemoteForm(
                (byte) reference.kind().ordinal(),
                reference.type(),
                reference.owner().node(),
                reference.owner().incarnation(),
                reference.owner().endpoint(),
                reference.object().high(),
                reference.object().low(),
                reference.sent().high(),
                reference.sent().low());
    }

    /**
     * The reference.
     *
     * @param service the service name under which the methods of its type are called
     */
    Reference reference(String service) {
        Reference.Kind[] kinds = Reference.Kind.values();
        if (kind < 0 || kind >= kinds.length || kinds[kind] == Reference.Kind.SERVICE) {
            throw new IllegalArgumentException("kind of a reference: " + kind);
        }
        return new Reference(
                kinds[kind],
                type,
                service,
                new Reference.Owner(node, incarnation, endpoint),
                new Reference.Number(high, low),
                new Reference.Number(sentHigh, sentLow));
    }
}
