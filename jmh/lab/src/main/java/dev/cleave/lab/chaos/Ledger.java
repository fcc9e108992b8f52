package dev.cleave.lab.chaos;

import dev.cleave.Chained;
import dev.cleave.Idempotent;
import dev.cleave.OneWay;
import dev.cleave.Remote;

/** The service that is called while links break. Public for generated stubs alone. */
@Remote
public interface Ledger {

    /** Hears of a call. */
    @Remote
    interface Ear {

        /** A call has run. */
        void told(long call);
    }

    /** Does what the model of a key does; executed at most once. */
    long apply(long call);

    /** The same; calls of one caller keep their order. */
    long inOrder(long call);

    /** The same; calls of one caller are a chain. */
    @Chained
    long chained(long call);

    /** May be executed again. */
    @Idempotent
    long again(long call);

    /** May be executed again, and is when it takes long. */
    @Idempotent(hedge = "5ms")
    long hedged(long call);

    /** Takes something large; returns its {@link Sink#sum}. */
    long large(long call, byte[] bytes);

    /** Returns something large: the bytes of a call, which no server remembers. */
    byte[] fill(long call, int length);

    /** Calls back once; says whether that succeeded. */
    boolean back(long call, Ear ear);

    /** Keeps a reference for later. */
    void keep(Ear ear);

    /** Calls another server. */
    long through(long call);

    /** Returns nothing. */
    @OneWay
    void note(long call);
}
