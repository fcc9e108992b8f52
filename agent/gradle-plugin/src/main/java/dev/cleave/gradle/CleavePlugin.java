package dev.cleave.gradle;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Properties;
import org.gradle.api.Action;
import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.artifacts.Configuration;
import org.gradle.api.file.FileCollection;
import org.gradle.api.file.RegularFile;
import org.gradle.api.plugins.JavaPlugin;
import org.gradle.api.plugins.JavaPluginExtension;
import org.gradle.api.provider.Provider;
import org.gradle.api.specs.Spec;
import org.gradle.api.tasks.JavaExec;
import org.gradle.api.tasks.SourceSet;
import org.gradle.api.tasks.TaskProvider;
import org.gradle.api.tasks.bundling.Jar;
import org.gradle.api.tasks.testing.Test;
import org.gradle.process.CommandLineArgumentProvider;

/**
 * Attaches the agent to all tasks that test or run the program, {@code bootRun} among them, and adds tasks:
 * {@code cleaveExplain}, which {@code check} runs, writes the report and fails when a call got worse than in the baseline;
 * {@code cleaveCheck}, which {@code check} runs, finds mistakes in the application file; {@code cleaveBaseline} writes the baseline; {@code cleaveWeave} writes a jar that needs no agent.
 */
public final class CleavePlugin implements Plugin<Project> {

    private static final String OWN_TASKS = "cleave";
    private static final String COMMANDS = "dev.cleave.broker.cli.Main";

    /** Made by Gradle. */
    public CleavePlugin() {}

    @Override
    public void apply(Project project) {
        project.getPluginManager().apply(JavaPlugin.class);
        CleaveExtension settings = project.getExtensions().create("cleave", CleaveExtension.class);
        settings.getConfig().convention(ifThere(project, "cleave.yaml"));
        settings.getBaseline().convention(ifThere(project, "cleave.baseline"));
        String version = version();
        Configuration agent = jars(project, "cleaveAgent", "dev.cleave:cleave-agent:" + version + ":packed@jar");
        Configuration tools = jars(project, "cleaveTools", "dev.cleave:cleave-agent:" + version + "@jar");
        Configuration commands = jars(project, "cleaveCommands", "dev.cleave:cleave-broker:" + version);
        attach(project, settings, agent);

        SourceSet program = project.getExtensions()
                .getByType(JavaPluginExtension.class)
                .getSourceSets()
                .getByName(SourceSet.MAIN_SOURCE_SET_NAME);
        Commands common = new Commands(project, settings, tools, commands, program);
        common.explain(
                "cleaveExplain", "Reports what the agent does to each remote call; fails if one got worse.", false);
        common.explain("cleaveBaseline", "Writes the verdicts of today to cleave.baseline.", true);
        common.weave();
        common.check();
        project.getTasks().named("check", check -> check.dependsOn("cleaveCheck", "cleaveExplain"));
    }

    private static Provider<RegularFile> ifThere(Project project, String name) {
        RegularFile file = project.getLayout().getProjectDirectory().file(name);
        return project.provider(() -> file.getAsFile().isFile() ? file : null);
    }

    private static Configuration jars(Project project, String name, String dependency) {
        return project.getConfigurations().create(name, jars -> {
            jars.setCanBeConsumed(false);
            jars.defaultDependencies(
                    dependencies -> dependencies.add(project.getDependencies().create(dependency)));
        });
    }

    private static void attach(Project project, CleaveExtension settings, Configuration agent) {
        project.getTasks()
                .withType(Test.class)
                .configureEach(test -> attach(project, settings, agent, test, test.getJvmArgumentProviders(), false));
        project.getTasks().withType(JavaExec.class).configureEach(run -> {
            if (!run.getName().startsWith(OWN_TASKS)) {
                attach(project, settings, agent, run, run.getJvmArgumentProviders(), true);
            }
        });
    }

    private static void attach(
            Project project,
            CleaveExtension settings,
            Configuration agent,
            Task task,
            List<CommandLineArgumentProvider> options,
            boolean isProgram) {
        File report = report(project, task.getName());
        options.add(new AgentArgument(project.files(agent), settings.getConfig(), report, isProgram));
        task.doFirst(new MakeFolder(report.getParentFile()));
    }

    /** Makes the folder of a report. */
    private static final class MakeFolder implements Action<Task> {

        private final File folder;

        MakeFolder(File folder) {
            this.folder = folder;
        }

        @Override
        public void execute(Task task) {
            try {
                Files.createDirectories(folder.toPath());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Holds if there is an application file. */
    private static final class HasFile implements Spec<Task> {

        private final Provider<RegularFile> config;

        HasFile(Provider<RegularFile> config) {
            this.config = config;
        }

        @Override
        public boolean isSatisfiedBy(Task task) {
            return config.isPresent();
        }
    }

    private static File report(Project project, String task) {
        return project.getLayout()
                .getBuildDirectory()
                .file("cleave/" + task + ".html")
                .get()
                .getAsFile();
    }

    private static String version() {
        Properties build = new Properties();
        try (InputStream in = CleavePlugin.class.getResourceAsStream("build.properties")) {
            build.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return build.getProperty("version");
    }

    /** The tasks that run commands of {@code bin/cleave}, in JVMs with the class path of the program. */
    private record Commands(
            Project project, CleaveExtension settings, Configuration tools, Configuration commands, SourceSet program) {

        private TaskProvider<JavaExec> add(String name, String description, CommandLineArgumentProvider arguments) {
            return project.getTasks().register(name, JavaExec.class, task -> {
                task.setGroup("verification");
                task.setDescription(description);
                task.dependsOn(program.getClassesTaskName());
                task.setClasspath(commands.plus(program.getRuntimeClasspath()));
                task.getMainClass().set(COMMANDS);
                task.getJvmArgumentProviders().add(new CommandArguments.Tools(project.files(tools)));
                task.getArgumentProviders().add(arguments);
                task.doFirst(new MakeFolder(folder()));
            });
        }

        private File folder() {
            return report(project, "report").getParentFile();
        }

        private void explain(String name, String description, boolean isWritten) {
            File written = isWritten ? project.file("cleave.baseline") : null;
            FileCollection classes = program.getOutput().getClassesDirs();
            add(name, description, new CommandArguments.Explain(settings, report(project, "report"), classes, written));
        }

        private void weave() {
            TaskProvider<Jar> jar = project.getTasks().named("jar", Jar.class);
            add(
                            "cleaveWeave",
                            "Writes a copy of the jar that needs no agent, to build/cleave.",
                            new CommandArguments.Weave(settings, jar.flatMap(Jar::getArchiveFile), folder()))
                    .configure(weave -> weave.dependsOn(jar));
        }

        private void check() {
            add("cleaveCheck", "Finds mistakes in the application file.", new CommandArguments.Check(settings))
                    .configure(check -> check.onlyIf(new HasFile(settings.getConfig())));
        }
    }
}
