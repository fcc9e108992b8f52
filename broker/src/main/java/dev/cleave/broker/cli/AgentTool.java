package dev.cleave.broker.cli;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Calls methods in the agent's jars, which are on no class path of ours. */
public final class AgentTool {

    private static final String COMMANDS = "dev.cleave.agent.cli.AgentCommands";

    private AgentTool() {}

    /**
     * Calls a command of the agent.
     *
     * @param name the name of a static method of {@code AgentCommands}
     * @param arguments its arguments
     * @return what it returns
     * @throws CommandException if there is no agent, or it is not of this version
     */
    static @Nullable Object call(String name, @Nullable Object... arguments) throws IOException {
        Path tools = Agent.tools();
        return call(tools, new URL[] {tools.toUri().toURL()}, COMMANDS, name, arguments);
    }

    /**
     * Runs a tool of the agent's laboratory, whose jars the build copies to {@code agent/target/lab}.
     *
     * @param tool the binary name of a class with one static method {@code run}, which returns whether all was as it should be
     * @param arguments the arguments of that method
     * @return what that method returns
     * @throws CommandException if the jars are missing, or the tool fails
     */
    public static boolean runLaboratory(String tool, @Nullable Object... arguments) throws IOException {
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
        return Boolean.TRUE.equals(call(target, path.toArray(URL[]::new), tool, "run", arguments));
    }

    private static @Nullable Object call(Path place, URL[] path, String type, String name, @Nullable Object[] arguments)
            throws IOException {
        try (URLClassLoader loader = new URLClassLoader("cleave-agent", path, AgentTool.class.getClassLoader())) {
            for (Method method : Class.forName(type, true, loader).getMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == arguments.length) {
                    return method.invoke(null, arguments);
                }
            }
            throw new NoSuchMethodException(type + "." + name);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new CommandException("the agent failed: " + e.getCause(), e);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw new CommandException(place + ": not the agent's (expected: what bin/cleave builds)", e);
        }
    }
}
