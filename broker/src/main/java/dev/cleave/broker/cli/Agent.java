package dev.cleave.broker.cli;

import static java.util.Objects.requireNonNull;

import dev.cleave.node.Node;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The agent's jars, of which the launcher names one.
 *
 * @param jar the jar that is attached to programs
 */
public record Agent(Path jar) {

    private static final String JAR = "cleave.agent";
    private static final String ATTACHED = "-packed.jar";

    /** Checks its component. */
    public Agent {
        requireNonNull(jar, "jar");
    }

    /** Returns the agent, if the launcher has named a jar that exists. */
    public static Optional<Agent> find() {
        return Optional.ofNullable(System.getProperty(JAR))
                .map(Path::of)
                .filter(Files::isRegularFile)
                .map(Agent::new);
    }

    /** Returns the agent.
     *
     * @throws CommandException if there is none
     */
    public static Agent required() {
        return find().orElseThrow(() -> missing(System.getProperty(JAR, "not named")));
    }

    /**
     * The jar with the agent's commands, which the build puts beside the one that is attached.
     *
     * @throws CommandException if there is none
     */
    Path tools() {
        Path tools = Path.of(jar.toString().replace(ATTACHED, ".jar"));
        if (!Files.isRegularFile(tools)) {
            throw missing(tools.toString());
        }
        return tools;
    }

    private static CommandException missing(String found) {
        return new CommandException(
                "no agent: " + found + " (expected: the jar that bin/cleave builds; start with bin/cleave)");
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
