package dev.cleave.broker.cli;

import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.broker.process.ScratchFolder;
import dev.cleave.broker.verify.Rehearsal;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.Services;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave verify}: the evidence that the agent changes when, never what, for a program of the user's own. */
@Command(
        name = "verify",
        description = "Rewrite a program and link what was rewritten; with --main also run it as written and with the "
                + "agent, against services that answer alike, and compare.",
        footer = "Exit code 0: no difference; 1: a difference, or a class that links no more. Classes that it needs "
                + "beyond the paths are looked for on CLEAVE_CLASSPATH.",
        mixinStandardHelpOptions = true)
final class VerifyCommand implements Subcommand {

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "A jar or a folder with classes of the program.")
    private List<String> paths = List.of();

    @Option(names = "--config", paramLabel = "FILE", description = "The application file.")
    private @Nullable Path config;

    @Option(names = "--main", paramLabel = "CLASS", description = "Run this class both ways.")
    private @Nullable String main;

    @Option(names = "--arg", paramLabel = "TEXT", description = "An argument of the main class; may be repeated.")
    private List<String> args = List.of();

    @Option(
            names = "--broker",
            paramLabel = "ENDPOINT",
            description = "The real services: the run as written calls them, the other is answered by what they said.")
    private @Nullable String broker;

    @Option(
            names = "--scripted",
            paramLabel = "SEED",
            description = "Make the answers up, for the services that the application file names.")
    private @Nullable Long seed;

    @Option(names = "--failing", paramLabel = "N", description = "With --scripted: one call of N fails.")
    private int failing;

    @Option(names = "--ignore", paramLabel = "REGEX", description = "Do not compare lines of output with this in them.")
    private @Nullable Pattern ignored;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Object links =
                AgentTool.call("verify", spec.commandLine().getOut(), paths, config == null ? null : config.toString());
        String mainClass = main;
        if (mainClass == null || !Boolean.TRUE.equals(links)) {
            return Boolean.TRUE.equals(links) ? 0 : ExitCode.SOFTWARE;
        }
        Bindings bindings = config == null ? Bindings.NONE : Bindings.load(config);
        return ScratchFolder.use("verify", files -> verify(bindings, mainClass, files));
    }

    private int verify(Bindings bindings, String mainClass, ScratchFolder files) throws IOException {
        Path directory = files.path();
        PrintWriter err = spec.commandLine().getErr();
        try (URLClassLoader classes = new URLClassLoader("program", urls(), VerifyCommand.class.getClassLoader());
                Fleet fleet = Fleet.open(directory, line -> Sentences.say(err, line))) {
            Map<String, Class<?>> services = services(bindings, classes);
            try (Rehearsal rehearsal = new Rehearsal(bindings, services, fleet)) {
                return tell(compare(rehearsal, bindings, mainClass, directory), files);
            }
        }
    }

    private URL[] urls() throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String path : paths) {
            urls.add(Path.of(path).toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }

    /** Returns the remote interfaces of the services that the program has, by the names of the services. */
    private Map<String, Class<?>> services(Bindings bindings, ClassLoader classes) {
        Map<String, String> names = new LinkedHashMap<>();
        if (seed != null) {
            bindings.services().forEach((name, service) -> {
                String type = service.contract().interfaceName();
                if (type != null) {
                    names.put(name, type);
                }
            });
        } else {
            try (Node node = Node.connect(NodeOptions.DEFAULT
                    .withBroker(BrokerEndpoint.of(broker, bindings))
                    .withName("cleave-verify"))) {
                for (Services.Service service : node.list()) {
                    names.put(service.name(), service.interfaceName());
                }
            }
        }
        Map<String, Class<?>> services = new LinkedHashMap<>();
        names.forEach((name, type) -> {
            try {
                services.put(name, Class.forName(type, false, classes));
            } catch (ClassNotFoundException e) {
                // The interface is not on the program's class path: the program cannot call it either.
            }
        });
        if (services.isEmpty()) {
            throw new CommandException(
                    seed != null
                            ? "--scripted: no service to script (expected: --config FILE, with interface: at a service)"
                            : "no service of the program at " + BrokerEndpoint.of(broker, bindings)
                                    + " (expected: its servers to run there, or --scripted SEED)");
        }
        return services;
    }

    private Rehearsal.Comparison compare(Rehearsal rehearsal, Bindings bindings, String mainClass, Path directory)
            throws IOException {
        List<String> options = new ArrayList<>(List.of("-D" + Node.BROKER_PROPERTY + "=" + rehearsal.broker()));
        if (config != null) {
            options.add("-D" + Node.FILE_PROPERTY + "=" + config.toAbsolutePath());
        }
        JvmCommand written = new JvmCommand("as-written", options, mainClass, args).behind(paths);
        List<String> with = new ArrayList<>(options);
        with.add(Agent.required().option(config, directory.resolve("report.html")));
        JvmCommand rewritten = new JvmCommand("with-agent", with, mainClass, args).behind(paths);
        if (seed != null) {
            return rehearsal.againstScript(seed, failing, written, rewritten, ignored);
        }
        Endpoint real = BrokerEndpoint.of(broker, bindings);
        return rehearsal.againstRecorded(real, written, rewritten, ignored);
    }

    private int tell(Rehearsal.Comparison comparison, ScratchFolder files) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (comparison.calls() == 0) {
            comparison.written().messages(); // throws if the program as written has failed
            throw new CommandException(mainClassSaid() + " made no call to the services; see " + files.path());
        }
        if (comparison.differences().isEmpty()) {
            Sentences.say(
                    out,
                    "identical: exit code " + comparison.written().exitCode() + ", output, and " + comparison.calls()
                            + " calls");
            out.flush();
            return 0;
        }
        out.println("different:");
        comparison.differences().forEach(line -> Sentences.say(out, "  " + line));
        files.keep();
        Sentences.say(out, "output and report are in " + files.path());
        out.flush();
        return ExitCode.SOFTWARE;
    }

    private String mainClassSaid() {
        return String.valueOf(main);
    }
}
