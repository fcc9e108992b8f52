package dev.cleave.jmh.bench.peer;

import java.util.concurrent.CompletableFuture;

/** The service that is called over Dubbo, which makes a class for it: hence public. */
public interface DubboEcho {

    /** Does nothing. */
    void nothing();

    /** Returns its argument. */
    long echo(long value);

    /** Returns its argument. */
    byte[] bytes(byte[] value);

    /** Returns its argument, later. */
    CompletableFuture<Long> echoLater(long value);

    /** Returns its argument, later. */
    CompletableFuture<byte[]> bytesLater(byte[] value);

    /** Returns the sum of the first and the last. */
    double ends(double[] values);

    /** Returns an array of {@code count} doubles. */
    double[] doubles(int count);
}
