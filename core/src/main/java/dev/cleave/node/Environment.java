package dev.cleave.node;

import dev.cleave.concurrent.Timer;
import dev.cleave.config.Bindings;
import dev.cleave.config.FollowedFile;
import dev.cleave.config.KeyFiles;
import dev.cleave.transport.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Finds the broker and the application file of a process in its options, properties and variables. */
final class Environment {

    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private Environment() {}

    /** The brokers that options, a property, a variable or the application file name; none if none does. */
    static List<Endpoint> brokers(NodeOptions options) {
        if (!options.brokers().isEmpty()) {
            return options.brokers();
        }
        return Optional.ofNullable(System.getProperty(Node.BROKER_PROPERTY))
                .or(() -> Optional.ofNullable(System.getenv(Node.BROKER_VARIABLE)))
                .or(() -> Optional.ofNullable(options.bindings().broker()))
                .map(Endpoint::parseAll)
                .orElse(List.of());
    }

    /** The key files that options, properties, variables or the application file name; null if none does. */
    static @Nullable KeyFiles keys(NodeOptions options) {
        return options.keys() != null
                ? options.keys()
                : options.bindings().security().keyFiles("client");
    }

    /** The path of the application file, if one is named. */
    static Optional<Path> file() {
        return Optional.ofNullable(System.getProperty(Node.FILE_PROPERTY))
                .or(() -> Optional.ofNullable(System.getenv(Node.FILE_VARIABLE)))
                .map(Path::of);
    }

    /** Reads the application file. */
    static Bindings bindings() {
        return file().map(Bindings::load).orElse(Bindings.NONE);
    }

    /** Polls a file once a second as long as a condition holds. */
    static void follow(FollowedFile file, Timer timer, BooleanSupplier goesOn) {
        Timer.Timeout unused = timer.schedule(LOOK_EVERY, () -> {
            if (goesOn.getAsBoolean()) {
                try {
                    file.poll();
                } finally { // also after an Error
                    follow(file, timer, goesOn);
                }
            }
        });
    }
}
