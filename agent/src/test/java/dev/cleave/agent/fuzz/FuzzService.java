package dev.cleave.agent.fuzz;

import dev.cleave.Async;
import dev.cleave.Chained;
import dev.cleave.OneWay;
import dev.cleave.Pure;
import dev.cleave.ReadOnly;
import dev.cleave.Remote;
import dev.cleave.Sync;

/** The remote interface that generated programs call: every method's result is a function of its arguments. */
@Remote
public interface FuzzService {

    @Async(window = 4)
    int get(int key);

    @Async(window = 7)
    long num(long key);

    @Pure
    String name(int key);

    @Async(window = 3)
    void put(int key, int value);

    @Async(window = 5)
    int checked(int key) throws FuzzFailure;

    @Async(window = 4)
    int sum(int[] values);

    @Async(window = 4)
    int[] row(int key);

    @Async(window = 4)
    Crate crate(int key);

    @Async(window = 4)
    boolean flag(int key);

    @Pure
    int calc(int key);

    @Pure
    int calcSum(int[] values);

    @ReadOnly
    int look(int key);

    @ReadOnly(maxAge = "1h")
    int peek(int key);

    @Async(window = 4)
    int set(int key, int value);

    @Sync
    int store(int key, int value);

    @Sync
    int barrier(int key);

    @Chained(window = 5)
    void push(int key, int value);

    @Chained(window = 4)
    int pull(int key);

    @Chained(window = 3)
    String label(int key);

    @Async(window = 4, speculative = true)
    int spec(int key);

    @Async(window = 4, speculative = true)
    boolean perhaps(int key);

    @Async(window = 4, group = "kept")
    void note(int key);

    @Async(window = 3, group = "kept")
    int tick(int key);

    @Async
    int tell(FuzzHearer hearer, int key);

    @OneWay
    void tip(int key);
}
