package dev.cleave.maven;

import dev.cleave.config.ConfigException;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.jspecify.annotations.Nullable;

/** The parameters that all goals have. */
abstract class CleaveMojo extends AbstractMojo {

    private static final String USUAL_FILE = "cleave.yaml";

    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    @SuppressWarnings("NullAway.Init") // set by Maven
    MavenProject project;

    @Parameter(defaultValue = "${plugin.artifacts}", readonly = true, required = true)
    @SuppressWarnings("NullAway.Init") // set by Maven
    private List<Artifact> pluginArtifacts;

    /** The application file, whose call styles override annotations. A project may have none at the usual place. */
    @Parameter(property = "cleave.config", defaultValue = "${project.basedir}/cleave.yaml", required = true)
    @SuppressWarnings("NullAway.Init") // set by Maven
    private File config;

    /** Skips the goal. */
    @Parameter(property = "cleave.skip", defaultValue = "false")
    private boolean skip;

    @Override
    public final void execute() throws MojoExecutionException, MojoFailureException {
        if (skip) {
            getLog().info("cleave.skip is set");
            return;
        }
        try {
            run();
        } catch (IllegalArgumentException | ConfigException e) { // with one line for the user
            throw new MojoFailureException(e.getMessage(), e);
        } catch (IOException | DependencyResolutionRequiredException e) {
            throw new MojoExecutionException(e.toString(), e);
        }
    }

    abstract void run()
            throws IOException, MojoExecutionException, MojoFailureException, DependencyResolutionRequiredException;

    /** The application file; null if the project has none. */
    @Nullable
    File applicationFile() throws MojoFailureException {
        if (config.isFile()) {
            return config;
        }
        if (config.equals(new File(project.getBasedir(), USUAL_FILE))) {
            return null;
        }
        throw new MojoFailureException("config: " + config + ": no such file (expected: the application file)");
    }

    /** The jar of an artifact that comes with this plugin. */
    File jar(String artifactId, @Nullable String classifier) throws MojoExecutionException {
        for (Artifact artifact : pluginArtifacts) {
            if (artifact.getArtifactId().equals(artifactId)
                    && (classifier == null ? !artifact.hasClassifier() : classifier.equals(artifact.getClassifier()))) {
                return artifact.getFile();
            }
        }
        throw new MojoExecutionException("no " + artifactId + " among the plugin's artifacts");
    }

    /**
     * Opens the agent's commands beside the program: the class path of the project, and where that has no core the plugin's own.
     */
    AgentTools tools() throws IOException, MojoExecutionException, DependencyResolutionRequiredException {
        List<File> path = new ArrayList<>(List.of(jar("cleave-agent", null)));
        for (String element : project.getCompileClasspathElements()) {
            path.add(new File(element));
        }
        List<File> own = pluginArtifacts.stream()
                .map(Artifact::getFile)
                .filter(file -> !path.contains(file))
                .toList();
        return AgentTools.open(getLog(), path, own);
    }
}
