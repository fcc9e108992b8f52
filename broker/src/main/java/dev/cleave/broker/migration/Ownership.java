package dev.cleave.broker.migration;

import dev.cleave.wire.Forward;

/**
 * Says which broker of a cluster moves the waiting calls of a service, and is the way to replicas at other brokers. Registry's
 * thread only.
 */
public interface Ownership {

    /** The token of a broker that is alone: replicas need not compare it. */
    long ALONE = 0;

    /** The ownership of a broker without a cluster. */
    Ownership OF_ONE = new Ownership() {

        @Override
        public long token(String service) {
            return ALONE;
        }

        @Override
        public boolean hasGiven(String service, long token) {
            return false;
        }

        @Override
        public boolean reaches(String home) {
            return false;
        }

        @Override
        public void tell(String home, Forward said) {
            throw new IllegalStateException("no other broker");
        }
    };

    /** The token with which this broker moves calls of a service; negative if it does not. */
    long token(String service);

    /** Whether a token was given to a broker, or a greater one, as far as this broker knows. */
    boolean hasGiven(String service, long token);

    /** Whether frames can be sent to the broker at an endpoint now. */
    boolean reaches(String home);

    /** Sends a frame to a replica that is connected to another broker. */
    void tell(String home, Forward said);
}
