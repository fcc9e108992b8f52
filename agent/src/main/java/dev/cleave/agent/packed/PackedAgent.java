package dev.cleave.agent.packed;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/** Where the JVM enters the packed agent: starts the agent out of its archives. */
public final class PackedAgent {

    private static final String AGENT = PackedClasses.OWN + "premain.CleaveAgent";

    private PackedAgent() {}

    /** Called by the JVM before the program's main method. */
    public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
        try {
            new PackedClasses(PackedAgent.class)
                    .loadClass(AGENT)
                    .getMethod("premain", String.class, Instrumentation.class)
                    .invoke(null, arguments, instrumentation);
        } catch (InvocationTargetException e) {
            System.err.println("cleave agent: " + e.getCause() + "; calls run as written");
        } catch (IOException | ReflectiveOperationException | LinkageError e) {
            System.err.println("cleave agent: " + e + "; calls run as written");
        }
    }
}
