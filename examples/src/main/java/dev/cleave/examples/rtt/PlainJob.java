package dev.cleave.examples.rtt;

/** Does nothing, on a worker of the server. */
public final class PlainJob implements Job {

    @Override
    public void run() {}

    @Override
    public long get() {
        return 7;
    }
}
