package dev.cleave.jmh.bench.many;

import java.lang.management.ManagementFactory;

/** The heap of this JVM. */
final class Heap {

    private static final int COLLECTIONS = 3; // what the first frees, a reference handler may still hold

    private Heap() {}

    /** The bytes in use after a collection. */
    static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
