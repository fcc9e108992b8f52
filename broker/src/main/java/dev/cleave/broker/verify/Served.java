package dev.cleave.broker.verify;

import dev.cleave.call.RemoteMethod;

/**
 * A call that reached a service.
 *
 * @param service the name of the service
 * @param method the method
 * @param arguments its arguments, as a digest of their encoding
 */
record Served(String service, RemoteMethod method, String arguments) {

    /** The key that calls with the same outcome share. */
    Key key() {
        return new Key(service, method.key(), arguments);
    }

    /** The call as text, for messages. */
    String text() {
        return service + ": " + method.label() + "(" + Digests.shown(arguments) + ")";
    }

    /** The service, the method's name and descriptor, the arguments. */
    record Key(String service, String method, String arguments) {}
}
