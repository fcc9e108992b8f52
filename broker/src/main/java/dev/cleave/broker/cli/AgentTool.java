package dev.cleave.broker.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** Runs the commands in the agent's jars, which are not on the class path. */
public final class AgentTool {

    private static final String MAIN = "dev.cleave.agent.cli.Main";

    private AgentTool() {}

    /** Runs a command of the agent and returns its exit code. The command reports its failures itself. */
    static int run(CommandSpec command, List<String> words) throws IOException {
        PrintWriter out = command.commandLine().getOut();
        PrintWriter err = command.commandLine().getErr();
        List<String> all = new ArrayList<>(words);
        if (Boolean.TRUE.equals(command.root().findOption("--verbose").getValue())) {
            all.add("--verbose");
        }
        Path tools = Agent.tools();
        return run(out, err, MAIN, tools.toString(), new URL[] {tools.toUri().toURL()}, all);
    }

    /**
     * Runs a tool of the agent's laboratory, whose jars the build copies to {@code agent/target/lab}.
     *
     * @param tool the binary name of a class with a static method {@code run(PrintWriter, PrintWriter, String...)}
     * @return the tool's exit code
     * @throws CommandException if the jars are missing, or the tool fails
     */
    public static int runLaboratory(CommandSpec command, String tool, List<String> words) throws IOException {
        String home = System.getProperty("cleave.home");
        Path target = Path.of(home == null ? "." : home, "agent", "target", "lab");
        if (home == null || !Files.isDirectory(target)) {
            throw new CommandException("no jars in " + target.toAbsolutePath()
                    + " (expected: a clone of the sources, built; start with bin/cleave)");
        }
        List<URL> path = new ArrayList<>();
        try (Stream<Path> jars = Files.list(target)) {
            for (Path jar : jars.toList()) {
                path.add(jar.toUri().toURL());
            }
        }
        PrintWriter out = command.commandLine().getOut();
        PrintWriter err = command.commandLine().getErr();
        return run(out, err, tool, target.toString(), path.toArray(URL[]::new), words);
    }

    private static int run(PrintWriter out, PrintWriter err, String main, String place, URL[] path, List<String> words)
            throws IOException {
        try (URLClassLoader loader = new URLClassLoader("cleave-agent", path, AgentTool.class.getClassLoader())) {
            Object exitCode = Class.forName(main, true, loader)
                    .getMethod("run", PrintWriter.class, PrintWriter.class, String[].class)
                    .invoke(null, out, err, words.toArray(String[]::new));
            return (Integer) exitCode;
        } catch (InvocationTargetException e) {
            throw new CommandException("the agent failed: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new CommandException(place + ": not the agent's (expected: what bin/cleave builds)", e);
        }
    }
}
