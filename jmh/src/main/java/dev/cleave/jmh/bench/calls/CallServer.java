package dev.cleave.jmh.bench.calls;

import dev.cleave.broker.process.Leash;
import dev.cleave.jmh.bench.contender.Contender;
import java.util.concurrent.CountDownLatch;

/** A contender's server: {@code CallServer MIDDLEWARE BROKER}. */
public final class CallServer {

    private CallServer() {}

    /** Says where it is reached, and serves until its parent is gone. */
    public static void main(String[] args) throws Exception {
        Leash.attach();
        Contender contender = Middleware.valueOf(args[0]).contender();
        System.out.println("ready " + contender.serve(args[1]));
        new CountDownLatch(1).await();
    }
}
