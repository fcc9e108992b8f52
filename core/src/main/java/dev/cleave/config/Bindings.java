package dev.cleave.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An application file: everything that an annotation can express, and the deployment. A setting for a method overrides
 * that for its service, which overrides the annotation.
 *
 * @param application the application's name, or null
 * @param broker the broker's endpoint as written, or null
 * @param allow classes that may be deserialized besides those that the remote interfaces name, and packages of such
 * classes, which end with {@code .*}
 * @param codecs the {@link dev.cleave.ValueCodec}s of all services
 * @param services the services by name, in the order of the file
 * @param client the client program, or null
 * @param trust the methods of the application that it declares benign or pure
 * @param pings how peers watch each other
 * @param operation how each node is watched, and what travels with its calls
 * @param security keys, and rights of identities
 * @param classPath jars and folders with the classes of the application, absolute or relative to the folder of the file; a name
 *     that ends in {@code /*} is all jars of a folder
 */
public record Bindings(
        @Nullable String application,
        @Nullable String broker,
        List<String> allow,
        List<String> codecs,
        Map<String, ServiceBinding> services,
        @Nullable ClientBinding client,
        Trust trust,
        Pings pings,
        Operation operation,
        Security security,
        List<String> classPath) {

    /** The most bytes, and characters, that an application file may have. */
    public static final int MAX_LENGTH = FileForm.MAX_LENGTH;

    /** An empty file. */
    public static final Bindings NONE = new Bindings(
            null,
            null,
            List.of(),
            List.of(),
            Map.of(),
            null,
            Trust.NONE,
            Pings.DEFAULT,
            Operation.NONE,
            Security.NONE,
            List.of());

    /** Copies its components. */
    public Bindings {
        allow = List.copyOf(allow);
        codecs = List.copyOf(codecs);
        services = Copies.inOrder(services);
        requireNonNull(pings, "pings");
        requireNonNull(operation, "operation");
        requireNonNull(security, "security");
        classPath = List.copyOf(classPath);
    }

    /** Returns these bindings with other services. */
    public Bindings withServices(Map<String, ServiceBinding> others) {
        return new Bindings(
                application, broker, allow, codecs, others, client, trust, pings, operation, security, classPath);
    }

    /**
     * Reads a file, with what it includes and the {@link Overrides} of this process over it.
     *
     * @throws ConfigException if it cannot be read, or says something that is not understood
     */
    public static Bindings load(Path file) {
        return ApplicationFile.read(file).bindings();
    }

    /**
     * Reads the text of a file, without {@link Overrides} of this process.
     *
     * @param fileName the file's name, for messages, and for files that the text includes
     * @throws ConfigException if the text says something that is not understood
     */
    public static Bindings parse(String text, String fileName) {
        requireNonNull(text, "text");
        requireNonNull(fileName, "fileName");
        return BindingsReader.read(
                ApplicationFile.root(new SourceFiles().tree(text, fileName), fileName, ReadOutcome.strict()));
    }

    /**
     * Whether another file is of the same application: it has the same name; or neither has one, and they have a service in
     * common.
     */
    public boolean isOfApplication(Bindings other) {
        return application != null || other.application != null
                ? Objects.equals(application, other.application)
                : services.keySet().stream().anyMatch(other.services::containsKey);
    }

    /** Returns the file's entry for a service. */
    public Optional<ServiceBinding> service(String name) {
        return Optional.ofNullable(services.get(name));
    }

    /**
     * Returns the settings for calls of a method when only the interface is known, as at a call site: those of the
     * services with this interface, and if they differ the more careful value of each (sync, smaller window, not
     * idempotent, earlier deadline).
     */
    public CallBinding call(String interfaceName, String method) {
        return services.values().stream()
                .filter(s -> interfaceName.equals(s.contract().interfaceName()))
                .map(s -> s.call(method))
                .reduce(CallBinding::careful)
                .orElse(CallBinding.NONE);
    }
}
