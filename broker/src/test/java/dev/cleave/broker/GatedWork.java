package dev.cleave.broker;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

/** A replica whose calls end when a test lets them: each takes a permit of the gate. */
class GatedWork implements Work {

    final Semaphore gate = new Semaphore(0);
    final List<Integer> begun = new CopyOnWriteArrayList<>();

    @Override
    public int run(int job) {
        begun.add(job);
        gate.acquireUninterruptibly();
        return job * 10;
    }
}
