package dev.cleave.agent.premain;

import dev.cleave.agent.report.MethodVerdicts;
import dev.cleave.agent.report.Report;
import dev.cleave.agent.report.ReportForm;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.CoreNames;
import dev.cleave.agent.transform.FileSettings;
import dev.cleave.agent.transform.Weaver;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The agent: {@code -javaagent:cleave-agent.jar=report=FILE,config=FILE,quiet}.
 *
 * <p>{@code report} names the file of the report at exit, which is JSON or HTML by its extension, else text; without
 * it, or with {@code -}, the report goes to the error stream, if there was any remote call. {@code config} names an
 * application file, whose call styles override annotations. {@code quiet} keeps the agent off the error stream.
 *
 * <p>A program without remote calls loads little of the agent: the planner and the writers are loaded with the first
 * class that makes remote calls. The code that runs before that has no lambdas and string concatenation by
 * invokedynamic, which would cost more than all of it.
 */
public final class CleaveAgent implements Consumer<String> {

    private static final String FILE_PROPERTY = "cleave.config";

    private final AgentOptions options;
    private final Findings findings = new Findings();
    private final ReentrancyGuard ownWork = new ReentrancyGuard();
    private final PrintStream err;

    private CleaveAgent(AgentOptions options, PrintStream err) {
        this.options = options;
        this.err = err;
    }

    /** Called by the JVM before the program's main method. */
    public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
        PrintStream err = System.err;
        try {
            new CleaveAgent(AgentOptions.parse(arguments), err).start(instrumentation);
        } catch (IllegalArgumentException e) {
            err.println("cleave agent: " + e.getMessage() + "; calls run as written");
        } catch (RuntimeException | LinkageError e) {
            err.println("cleave agent: " + e + "; calls run as written");
        }
    }

    private void start(Instrumentation instrumentation) {
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        CoreSupply core = new CoreSupply(instrumentation);
        String config = config(loader, core);
        CallSettings settings = config == null ? CallSettings.NONE : FileSettings.read(config, loader);
        RemoteInterfaceIndex index = RemoteInterfaceIndex.ofLoaders(settings);
        Weaver weaver = new Weaver(index, ClassFileSource.OF_LOADERS);
        CallTransformer transformer =
                new CallTransformer(weaver, findings, ownWork, new CoreReads(instrumentation), core, this);
        instrumentation.addTransformer(transformer, true);
        EarlierClasses.retransform(instrumentation, transformer, this);
        Runtime.getRuntime().addShutdownHook(new Thread("cleave-report") {
            @Override
            public void run() {
                ownWork.begin();
                report(weaver, instrumentation);
            }
        });
    }

    /**
     * The application file: that of the option, else the one that the program's nodes read. A node of a program without
     * the core reads that of the option, too.
     */
    private @Nullable String config(ClassLoader loader, CoreSupply core) {
        String named = options.config();
        String file = named != null ? named : System.getProperty(FILE_PROPERTY);
        if (file == null || loader.getResource(CoreNames.RT + ".class") != null) {
            return file;
        }
        if (!core.getAsBoolean()) {
            return named;
        }
        System.setProperty(FILE_PROPERTY, file);
        return file;
    }

    private void report(Weaver weaver, Instrumentation instrumentation) {
        if (options.report() == null && (options.quiet() || findings.isEmpty())) {
            return; // without a report there is no reader
        }
        Report report = report(weaver, findings, instrumentation.getAllLoadedClasses(), System::nanoTime);
        String file = options.report();
        if (file == null) {
            if (!report.isEmpty()) {
                accept(ReportForm.TEXT.write(report));
            }
            return;
        }
        try {
            Files.writeString(Path.of(file), ReportForm.ofFile(file).write(report), StandardCharsets.UTF_8);
        } catch (IOException | InvalidPathException e) {
            accept("cleave agent: report=" + file + ": cannot be written: " + e);
        }
    }

    /** Returns the report at exit; its verdicts and advice are those of {@code explain}, as far as there is time. */
    static Report report(Weaver weaver, Findings findings, Class<?>[] loaded, LongSupplier clock) {
        Remedies remedies = new Remedies(weaver, clock);
        LoopsAtExit loops = new LoopsAtExit(loaded, clock);
        List<MethodVerdicts> methods = remedies.of(loops.named(findings.all()));
        List<String> notes = new ArrayList<>(findings.notes());
        notes.addAll(remedies.notes());
        return new Report(methods, RunningSites.figures(loaded), RunningSites.overhead(loaded), notes);
    }

    /** Prints one line, unless the agent was told to be quiet. */
    @Override
    public void accept(String text) {
        if (!options.quiet()) {
            err.println(text.stripTrailing());
        }
    }
}
