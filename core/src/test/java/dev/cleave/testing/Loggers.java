package dev.cleave.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Finds classes that log in another way than by {@link dev.cleave.concurrent.SafeLog}. */
public final class Loggers {

    private static final Set<String> OF_SAFE_LOG =
            Set.of("dev/cleave/concurrent/SafeLog", "dev/cleave/concurrent/SafeLog$Safe");

    private Loggers() {}

    /** Those below a folder of classes, each with what it refers to. */
    public static List<String> unsafe(Path classes) throws IOException {
        return ClassReferences.read(classes).entrySet().stream()
                .filter(entry -> !OF_SAFE_LOG.contains(entry.getKey()))
                .flatMap(entry ->
                        entry.getValue().stream().filter(Loggers::logs).map(used -> entry.getKey() + " -> " + used))
                .toList();
    }

    private static boolean logs(String used) {
        return used.equals("java/lang/System.getLogger")
                || used.startsWith("java/util/logging/")
                || used.startsWith("java/lang/System$LoggerFinder")
                || used.startsWith("org/slf4j/")
                || used.startsWith("io/netty/util/internal/logging/");
    }
}
