package dev.cleave.maven;

import java.io.File;
import java.io.IOException;
import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Rewrites the compiled classes where they are, as the agent would rewrite them when they are loaded. The program then runs
 * without the agent, with {@code cleave-core} on its class path. The classes as the compiler wrote them are kept, so that every
 * build weaves them with the application file of that day.
 */
@Mojo(
        name = "weave",
        defaultPhase = LifecyclePhase.PROCESS_CLASSES,
        requiresDependencyResolution = ResolutionScope.COMPILE,
        threadSafe = true)
public final class WeaveMojo extends CleaveMojo {

    /** The folder with the compiled classes. */
    @Parameter(defaultValue = "${project.build.outputDirectory}", required = true)
    @SuppressWarnings("NullAway.Init") // set by Maven
    private File classes;

    /** Where the classes are kept as the compiler wrote them. */
    @Parameter(defaultValue = "${project.build.directory}/cleave/as-written", required = true)
    @SuppressWarnings("NullAway.Init") // set by Maven
    private File originals;

    /** Made by Maven. */
    public WeaveMojo() {}

    @Override
    void run() throws IOException, MojoExecutionException, MojoFailureException, DependencyResolutionRequiredException {
        if (!classes.isDirectory()) {
            getLog().info("no classes in " + classes);
            return;
        }
        File file = applicationFile();
        try (AgentTools tools = tools()) {
            tools.call(
                    "weaveInPlace",
                    tools.out(),
                    classes.getPath(),
                    originals.getPath(),
                    file == null ? null : file.getPath());
        }
    }
}
