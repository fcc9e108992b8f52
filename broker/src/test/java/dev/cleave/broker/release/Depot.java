package dev.cleave.broker.release;

import dev.cleave.Async;
import dev.cleave.Idempotent;
import dev.cleave.Later;
import dev.cleave.OneWay;
import dev.cleave.Remote;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The service of the contract between releases: a method for each thing that frames carry. */
@Remote
public interface Depot {

    /** A value with values inside. */
    record Crate(String label, List<Integer> numbers, Map<String, Crate> inside) {}

    /** An object of the caller. */
    @Remote
    interface Watcher {

        int seen(int value);
    }

    int add(int one, int other);

    @Async
    String echo(String text);

    Crate pack(Crate crate);

    double[] scaled(double[] values, double factor);

    long sum(@Later byte[] values);

    void fail(String why);

    @OneWay
    void note(int value);

    int noted();

    int watch(Watcher watcher);

    @Idempotent
    CompletableFuture<String> soon(String text);

    String attached(String key);

    int slow();
}
