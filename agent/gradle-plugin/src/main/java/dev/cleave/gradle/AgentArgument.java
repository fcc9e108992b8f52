package dev.cleave.gradle;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.gradle.api.file.FileCollection;
import org.gradle.api.file.RegularFile;
import org.gradle.api.provider.Provider;
import org.gradle.api.tasks.Classpath;
import org.gradle.api.tasks.InputFiles;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.PathSensitive;
import org.gradle.api.tasks.PathSensitivity;
import org.gradle.process.CommandLineArgumentProvider;

/** The options by which a JVM of a build attaches the agent. */
final class AgentArgument implements CommandLineArgumentProvider {

    private final FileCollection agent;
    private final Provider<RegularFile> config;
    private final File report;
    private final boolean isProgram;

    /**
     * Creates it.
     *
     * @param isProgram whether the JVM runs the program, whose nodes read the application file, too
     */
    AgentArgument(FileCollection agent, Provider<RegularFile> config, File report, boolean isProgram) {
        this.agent = agent;
        this.config = config;
        this.report = report;
        this.isProgram = isProgram;
    }

    /** The jar that is attached. */
    @Classpath
    public FileCollection getAgent() {
        return agent;
    }

    /** The application file. */
    @InputFiles
    @PathSensitive(PathSensitivity.NONE)
    public Provider<List<RegularFile>> getConfig() {
        return config.map(List::of).orElse(List.of());
    }

    /** Where the agent writes its report when the JVM ends. */
    @Internal
    public File getReport() {
        return report;
    }

    @Override
    public Iterable<String> asArguments() {
        List<String> arguments = new ArrayList<>();
        String option = "-javaagent:" + agent.getSingleFile() + "=report=" + report;
        RegularFile file = config.getOrNull();
        if (file == null) {
            arguments.add(option);
        } else {
            arguments.add(option + ",config=" + file);
            if (isProgram) {
                arguments.add("-Dcleave.config=" + file);
            }
        }
        return arguments;
    }
}
