package dev.cleave.examples.advice;

import dev.cleave.node.Node;
import java.util.concurrent.TimeUnit;

/** The client: plain loops of calls, and work of its own between them. Prints the results. */
public final class Situation {

    private Situation() {}

    /** Takes the number of short calls, that of long ones, and the microseconds of its own work after each short call. */
    public static void main(String[] args) {
        int small = Integer.parseInt(args[0]);
        int large = Integer.parseInt(args[1]);
        int own = Integer.parseInt(args[2]);
        try (Node node = Node.connect()) {
            Work work = node.lookup("work", Work.class);
            System.out.println(shortCalls(work, small, own) + " " + longCalls(work, large));
        }
    }

    private static long shortCalls(Work work, int calls, int own) {
        long[] results = new long[calls];
        for (int i = 0; i < calls; i++) {
            results[i] = work.small(i);
            own(own);
        }
        return sum(results);
    }

    private static long longCalls(Work work, int calls) {
        long[] results = new long[calls];
        for (int i = 0; i < calls; i++) {
            results[i] = work.large(i);
        }
        return sum(results);
    }

    /** Does the own work of the client; the file says that calls may be sent before it. */
    static void own(int micros) {
        PacedWork.taking(TimeUnit.MICROSECONDS.toNanos(micros), 0);
    }

    private static long sum(long[] all) {
        long sum = 0;
        for (long each : all) {
            sum += each;
        }
        return sum;
    }
}
