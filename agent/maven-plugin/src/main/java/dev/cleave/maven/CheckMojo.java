package dev.cleave.maven;

import dev.cleave.config.Bindings;
import dev.cleave.config.Nearest;
import dev.cleave.config.ServiceBinding;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.jspecify.annotations.Nullable;

/**
 * Reads application files as a run would, and looks for the classes and methods that they name in the project and its
 * dependencies.
 */
@Mojo(
        name = "check",
        defaultPhase = LifecyclePhase.PROCESS_CLASSES,
        requiresDependencyResolution = ResolutionScope.COMPILE,
        threadSafe = true)
public final class CheckMojo extends CleaveMojo {

    /** The application files; {@code config} if none is named. */
    @Parameter
    private List<File> files = List.of();

    /** Made by Maven. */
    public CheckMojo() {}

    @Override
    void run() throws IOException, MojoExecutionException, MojoFailureException, DependencyResolutionRequiredException {
        File usual = applicationFile();
        List<File> all = !files.isEmpty() ? files : usual == null ? List.of() : List.of(usual);
        List<String> mistakes = new ArrayList<>();
        try (AgentTools tools = tools()) {
            for (File file : all) {
                Bindings bindings = Bindings.load(file.toPath());
                bindings.services().values().forEach(service -> check(file, service, tools.loader(), mistakes));
                if (bindings.client() != null) {
                    find(file + ": client.main", bindings.client().main(), tools.loader(), mistakes);
                }
                getLog().info(file + ": " + bindings.services().size() + " services");
            }
        }
        if (!mistakes.isEmpty()) {
            throw new MojoFailureException(String.join("\n", mistakes));
        }
    }

    private static void check(File file, ServiceBinding service, ClassLoader loader, List<String> mistakes) {
        String key = file + ": services." + service.name();
        Class<?> type = find(key + ".interface", service.contract().interfaceName(), loader, mistakes);
        find(key + ".implementation", service.contract().implementation(), loader, mistakes);
        if (type == null) {
            return;
        }
        List<String> names = Arrays.stream(type.getMethods())
                .map(Method::getName)
                .distinct()
                .sorted()
                .toList();
        service.methods().keySet().stream()
                .filter(name -> !names.contains(name))
                .forEach(name -> mistakes.add(key + ".methods." + name + ": no method of " + type.getName() + " "
                        + Nearest.hint(name, names)));
    }

    private static @Nullable Class<?> find(
            String key, @Nullable String name, ClassLoader loader, List<String> mistakes) {
        if (name == null) {
            return null;
        }
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            mistakes.add(key + ": class " + name + " is not found in the project or its dependencies (" + e + ")");
            return null;
        }
    }
}
