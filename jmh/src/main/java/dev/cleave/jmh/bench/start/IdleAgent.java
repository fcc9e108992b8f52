package dev.cleave.jmh.bench.start;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;

/** An agent that looks at every class and does nothing. */
public final class IdleAgent {

    private IdleAgent() {}

    /** Listens, as every agent does that rewrites classes. */
    public static void premain(String arguments, Instrumentation instrumentation) {
        instrumentation.addTransformer(new ClassFileTransformer() {}, true);
    }
}
