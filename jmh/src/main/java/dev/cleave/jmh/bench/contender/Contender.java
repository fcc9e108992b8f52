package dev.cleave.jmh.bench.contender;

/** One kind of middleware, its server and its client. */
public interface Contender {

    /**
     * Serves until this JVM ends.
     *
     * @param broker Cleave's broker, for those that need it
     * @return what {@link #connect} needs to find the server, one word
     */
    String serve(String broker) throws Exception;

    /** Connects a client. */
    Connected connect(String where) throws Exception;

    /** A client that has been connected. */
    @FunctionalInterface
    interface Connected {

        /** Creates the caller of a new thread. */
        Caller caller() throws Exception;
    }

    /** Makes calls. Of one thread. */
    interface Caller {

        /** A call without argument and result. */
        void nothing() throws Exception;

        /** A call of eight bytes that returns them. */
        long echo(long value) throws Exception;

        /** A call of some bytes that returns them. */
        byte[] echo(byte[] value) throws Exception;

        /**
         * Makes {@code count} echoes, of 0, 1, 2 and so on, with up to {@code window} in flight.
         *
         * @return the sum of the answers
         */
        long echoes(int count, int window) throws Exception;

        /**
         * Makes {@code count} echoes of the same bytes, with up to {@code window} in flight.
         *
         * @return the number of bytes that came back
         */
        long echoes(byte[] value, int count, int window) throws Exception;

        /** A call with an array, which returns the sum of the first and the last. */
        double ends(double[] values) throws Exception;

        /** Makes a call that returns an array of {@code count} doubles; the first is 1, the last 2. */
        double[] doubles(int count) throws Exception;
    }
}
