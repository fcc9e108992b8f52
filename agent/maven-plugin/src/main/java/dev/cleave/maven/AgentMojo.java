package dev.cleave.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Properties;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/**
 * Attaches the agent to tests and run goals: adds the option to the property that Surefire and Failsafe read, and sets
 * {@code cleave.javaagent} to the same option for other goals that start JVMs.
 */
@Mojo(name = "agent", defaultPhase = LifecyclePhase.INITIALIZE, threadSafe = true)
public final class AgentMojo extends CleaveMojo {

    /** The property with the option, for the configuration of other plugins. */
    static final String PROPERTY = "cleave.javaagent";

    /** The property that the option is added to. */
    @Parameter(property = "cleave.argLine", defaultValue = "argLine", required = true)
    private String argLine = "argLine";

    /** The report that each JVM writes at its end; its ending chooses the form: {@code .html}, {@code .json}, or text. */
    @Parameter(
            property = "cleave.runReport",
            defaultValue = "${project.build.directory}/cleave/run.html",
            required = true)
    @SuppressWarnings("NullAway.Init") // set by Maven
    private File report;

    @Parameter(defaultValue = "${session.allProjects}", readonly = true, required = true)
    @SuppressWarnings("NullAway.Init") // set by Maven
    private List<MavenProject> allProjects;

    /** Made by Maven. */
    public AgentMojo() {}

    @Override
    void run() throws IOException, MojoExecutionException, MojoFailureException {
        File file = applicationFile();
        Files.createDirectories(report.toPath().toAbsolutePath().getParent());
        String option = "-javaagent:" + jar("cleave-agent", "packed") + "=report=" + report
                + (file == null ? "" : ",config=" + file);
        String quoted = option.indexOf(' ') < 0 ? option : '"' + option + '"';
        Properties properties = project.getProperties();
        String before = properties.getProperty(argLine, "");
        properties.setProperty(argLine, before.isEmpty() ? quoted : quoted + ' ' + before);
        properties.setProperty(PROPERTY, quoted);
        // A goal that is called by its name, such as spring-boot:run, runs these phases for a copy of the project.
        for (MavenProject each : allProjects) {
            if (each.getId().equals(project.getId())) {
                each.getProperties().setProperty(PROPERTY, quoted);
            }
        }
        getLog().info(argLine + " and " + PROPERTY + ": " + quoted);
    }
}
