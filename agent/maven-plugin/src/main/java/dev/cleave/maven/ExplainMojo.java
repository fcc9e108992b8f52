package dev.cleave.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Writes the report on all remote calls of the project, and fails the build when a call got worse than in the baseline, a file
 * in the repository with the verdict on each call.
 */
@Mojo(
        name = "explain",
        defaultPhase = LifecyclePhase.VERIFY,
        requiresDependencyResolution = ResolutionScope.COMPILE,
        threadSafe = true)
public final class ExplainMojo extends CleaveMojo {

    /** The folder with the compiled classes. */
    @Parameter(defaultValue = "${project.build.outputDirectory}", required = true)
    @SuppressWarnings("NullAway.Init") // set by Maven
    private File classes;

    /** Where the goal {@code weave} keeps the classes as the compiler wrote them. */
    @Parameter(defaultValue = "${project.build.directory}/cleave/as-written", required = true)
    @SuppressWarnings("NullAway.Init") // set by Maven
    private File originals;

    /** The report; its ending chooses the form: {@code .html}, {@code .json}, or text. */
    @Parameter(
            property = "cleave.report",
            defaultValue = "${project.build.directory}/cleave/report.html",
            required = true)
    @SuppressWarnings("NullAway.Init") // set by Maven
    private File report;

    /** The verdicts that calls must not fall behind. Nothing is compared while the file does not exist. */
    @Parameter(property = "cleave.baseline", defaultValue = "${project.basedir}/cleave.baseline", required = true)
    @SuppressWarnings("NullAway.Init") // set by Maven
    private File baseline;

    /** Writes the baseline instead of comparing with it. */
    @Parameter(property = "cleave.writeBaseline", defaultValue = "false")
    private boolean writeBaseline;

    /** Verdicts and rules that fail the build whatever the baseline says: {@code sequential}, or rules such as {@code R37}. */
    @Parameter(property = "cleave.failOn")
    private List<String> failOn = List.of();

    /** Made by Maven. */
    public ExplainMojo() {}

    @Override
    void run() throws IOException, MojoExecutionException, MojoFailureException, DependencyResolutionRequiredException {
        if (!classes.isDirectory()) {
            getLog().info("no classes in " + classes);
            return;
        }
        File file = applicationFile();
        Files.createDirectories(report.toPath().toAbsolutePath().getParent());
        try (AgentTools tools = tools()) {
            Object compiled = tools.call("asWritten", classes.getPath(), originals.getPath());
            Object broken = tools.call(
                    "explain",
                    tools.out(),
                    List.of(String.valueOf(compiled)),
                    report.getPath(),
                    file == null ? null : file.getPath(),
                    writeBaseline || baseline.isFile() ? baseline.getPath() : null,
                    writeBaseline,
                    failOn);
            fail(broken instanceof List<?> lines ? lines : List.of());
        }
    }

    private void fail(List<?> broken) throws MojoFailureException {
        if (broken.isEmpty()) {
            return;
        }
        StringBuilder message = new StringBuilder("remote calls are not what they should be:");
        broken.forEach(line -> message.append("\n  ").append(line));
        throw new MojoFailureException(message + "\nThe report in " + report
                + " says why. -Dcleave.writeBaseline=true accepts today's verdicts");
    }
}
