package dev.cleave.broker.cli;

import static java.util.Objects.requireNonNull;

import dev.cleave.node.Node;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The agent's jars, which the launcher names.
 *
 * @param jar the jar that is attached to programs
 */
public record Agent(Path jar) {

    private static final String JAR = "cleave.agent";
    private static final String TOOLS = "cleave.agent.tools";

    /** Checks its component. */
    public Agent {
        requireNonNull(jar, "jar");
    }

    /** Returns the agent, if the launcher has named a jar that exists. */
    public static Optional<Agent> find() {
        return file(JAR).map(Agent::new);
    }

    private static Optional<Path> file(String property) {
        return Optional.ofNullable(System.getProperty(property)).map(Path::of).filter(Files::isRegularFile);
    }

    /** Returns the agent.
     *
     * @throws CommandException if there is none
     */
    public static Agent required() {
        return find().orElseThrow(() -> missing(JAR));
    }

    /**
     * The jar with the agent's commands and all its classes.
     *
     * @throws CommandException if there is none
     */
    static Path tools() {
        return file(TOOLS).orElseThrow(() -> missing(TOOLS));
    }

    private static CommandException missing(String property) {
        return new CommandException("no agent: " + System.getProperty(property, "not named")
                + " (expected: the jar that bin/cleave builds; start with bin/cleave)");
    }

    /** The option that attaches the agent to a client of an application, with its report in a file. */
    public String option(@Nullable Path application, Path report) {
        return "-javaagent:" + jar + "=report=" + report + (application == null ? "" : ",config=" + application);
    }

    /** The options by which a client finds its application file and its broker. */
    public static List<String> clientOptions(Path application, String broker) {
        return List.of("-D" + Node.FILE_PROPERTY + "=" + application, "-D" + Node.BROKER_PROPERTY + "=" + broker);
    }
}
