package dev.cleave.gradle;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.gradle.api.file.FileCollection;
import org.gradle.api.file.RegularFile;
import org.gradle.api.provider.Provider;
import org.gradle.process.CommandLineArgumentProvider;
import org.jspecify.annotations.Nullable;

/**
 * The words of commands of {@code bin/cleave}. They are put together when a task runs, of values that Gradle can keep in its configuration
 * cache: of files and providers, not of the project.
 */
abstract class CommandArguments implements CommandLineArgumentProvider {

    private final Provider<RegularFile> config;

    private CommandArguments(Provider<RegularFile> config) {
        this.config = config;
    }

    abstract void add(List<String> arguments);

    @Override
    public final Iterable<String> asArguments() {
        List<String> arguments = new ArrayList<>();
        add(arguments);
        return arguments;
    }

    final void addConfig(List<String> arguments) {
        addFile(arguments, "--config", config);
    }

    private static void addFile(List<String> arguments, String option, Provider<RegularFile> file) {
        if (file.isPresent()) {
            arguments.addAll(List.of(option, file.get().toString()));
        }
    }

    /** Writes the report, and compares with the baseline or writes it. */
    static final class Explain extends CommandArguments {

        private final File report;
        private final Provider<RegularFile> baseline;
        private final Provider<List<String>> failOn;
        private final FileCollection classes;
        private final @Nullable File written;

        /**
         * Creates it.
         *
         * @param written where the baseline is written if there is none yet; null if it is compared
         */
        Explain(CleaveExtension settings, File report, FileCollection classes, @Nullable File written) {
            super(settings.getConfig());
            this.report = report;
            this.baseline = settings.getBaseline();
            this.failOn = settings.getFailOn();
            this.classes = classes;
            this.written = written;
        }

        @Override
        void add(List<String> arguments) {
            arguments.addAll(List.of("explain", "--report", report.getPath()));
            addConfig(arguments);
            if (written != null) {
                String file = baseline.isPresent() ? baseline.get().toString() : written.getPath();
                arguments.addAll(List.of("--write-baseline", "--baseline", file));
            } else {
                addFile(arguments, "--baseline", baseline);
                if (!failOn.get().isEmpty()) {
                    arguments.addAll(List.of("--fail-on", String.join(",", failOn.get())));
                }
            }
            classes.getFiles().stream().filter(File::isDirectory).forEach(folder -> arguments.add(folder.getPath()));
        }
    }

    /** Writes a woven copy of a jar to a folder. */
    static final class Weave extends CommandArguments {

        private final Provider<RegularFile> jar;
        private final File folder;

        Weave(CleaveExtension settings, Provider<RegularFile> jar, File folder) {
            super(settings.getConfig());
            this.jar = jar;
            this.folder = folder;
        }

        @Override
        void add(List<String> arguments) {
            File from = jar.get().getAsFile();
            arguments.addAll(List.of("weave", from.getPath(), new File(folder, from.getName()).getPath()));
            addConfig(arguments);
        }
    }

    /** Reads the application file. */
    static final class Check extends CommandArguments {

        private final Provider<RegularFile> file;

        Check(CleaveExtension settings) {
            super(settings.getConfig());
            this.file = settings.getConfig();
        }

        @Override
        void add(List<String> arguments) {
            arguments.addAll(List.of("check", file.get().toString()));
        }
    }

    /** The option of a JVM that says where the tools of the agent are. */
    static final class Tools implements CommandLineArgumentProvider {

        private final FileCollection tools;

        Tools(FileCollection tools) {
            this.tools = tools;
        }

        @Override
        public Iterable<String> asArguments() {
            return List.of("-Dcleave.agent=" + tools.getSingleFile());
        }
    }
}
