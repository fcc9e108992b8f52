package dev.cleave.broker.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** The command line in the agent's jar, which is on no class path of ours. */
final class AgentTool {

    private static final String MAIN = "dev.cleave.agent.cli.Main";

    private AgentTool() {}

    /** Runs a command of the agent and returns its exit code. It tells of its failures itself. */
    static int run(CommandSpec command, List<String> words) throws IOException {
        PrintWriter out = command.commandLine().getOut();
        PrintWriter err = command.commandLine().getErr();
        List<String> all = new ArrayList<>(words);
        if (Boolean.TRUE.equals(command.root().findOption("--verbose").getValue())) {
            all.add("--verbose");
        }
        Agent agent = Agent.required();
        URL[] jar = {agent.jar().toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader("cleave-agent", jar, AgentTool.class.getClassLoader())) {
            Object exitCode = Class.forName(MAIN, true, loader)
                    .getMethod("run", PrintWriter.class, PrintWriter.class, String[].class)
                    .invoke(null, out, err, all.toArray(String[]::new));
            return (Integer) exitCode;
        } catch (InvocationTargetException e) {
            throw new CommandException("the agent failed: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new CommandException(
                    agent.jar() + ": not the agent's jar (expected: the one that bin/cleave builds)", e);
        }
    }
}
