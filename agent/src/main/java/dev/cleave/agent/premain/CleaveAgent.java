package dev.cleave.agent.premain;

import dev.cleave.agent.report.MethodVerdicts;
import dev.cleave.agent.report.Report;
import dev.cleave.agent.report.ReportForm;
import dev.cleave.agent.report.SiteFigures;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.CoreNames;
import dev.cleave.agent.transform.FileSettings;
import dev.cleave.agent.transform.Weaver;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The agent: {@code -javaagent:cleave-agent.jar=report=FILE,config=FILE,quiet}.
 *
 * <p>{@code report} is where the report goes at exit, as JSON or HTML if the name ends so, else as text; without it, or with {@code -}, to the error stream, if there was
 * any remote call. {@code config} is an application file whose call styles go before annotations. {@code quiet} keeps
 * the agent off the error stream.
 */
public final class CleaveAgent {

    private final AgentOptions options;
    private final Findings findings = new Findings();
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
        String config = options.config();
        CallSettings settings = config == null ? CallSettings.NONE : FileSettings.read(config, loader);
        RemoteInterfaceIndex index = RemoteInterfaceIndex.ofLoaders(settings);
        Weaver weaver = new Weaver(index, ClassFileSource::ofResources);
        CallTransformer transformer = new CallTransformer(weaver, findings, this::say);
        WarmUp.run(loader);
        instrumentation.addTransformer(transformer, true);
        retransformLoaded(instrumentation, transformer);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> report(weaver), "cleave-report"));
    }

    /** Classes that were loaded before, as with an archive of classes loaded ahead. */
    private void retransformLoaded(Instrumentation instrumentation, CallTransformer transformer) {
        List<Class<?>> concerned = new ArrayList<>();
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            ClassLoader loader = loaded.getClassLoader();
            if (loader == null || !instrumentation.isModifiableClass(loaded) || loaded.isHidden()) {
                continue;
            }
            String name = loaded.getName().replace('.', '/');
            byte[] classFile = ClassFileSource.ofResources(loader, name);
            if (classFile != null && transformer.concerns(loader, name, classFile)) {
                concerned.add(loaded);
            }
        }
        if (!concerned.isEmpty()) {
            try {
                instrumentation.retransformClasses(concerned.toArray(new Class<?>[0]));
            } catch (UnmodifiableClassException | LinkageError e) {
                say("cleave agent: classes loaded before it are left as they are: " + e);
            }
        }
    }

    private void report(Weaver weaver) {
        List<MethodVerdicts> methods = new Remedies(weaver, System::nanoTime).of(findings.all());
        Report report = new Report(methods, figures(), findings.notes());
        String file = options.report();
        if (file == null) {
            if (!report.isEmpty()) {
                say(ReportForm.TEXT.write(report));
            }
            return;
        }
        try {
            Files.writeString(Path.of(file), ReportForm.ofFile(file).write(report), StandardCharsets.UTF_8);
        } catch (IOException | InvalidPathException e) {
            say("cleave agent: report=" + file + ": cannot be written: " + e);
        }
    }

    private static List<SiteFigures> figures() {
        try {
            Object text = Class.forName(CoreNames.SITES_CLASS, true, ClassLoader.getSystemClassLoader())
                    .getMethod("text")
                    .invoke(null);
            return SiteFigures.parse(text.toString());
        } catch (ReflectiveOperationException | LinkageError e) {
            return List.of(); // the core is in another loader: there is nothing to add to the verdicts
        }
    }

    private void say(String text) {
        if (!options.quiet()) {
            err.println(text.stripTrailing());
        }
    }
}
