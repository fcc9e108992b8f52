package dev.cleave.maven;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.logging.Log;
import org.jspecify.annotations.Nullable;

/** The commands that {@code bin/cleave} has from the agent's jar, in a class loader with the class path of a project. */
final class AgentTools implements AutoCloseable {

    private static final String COMMANDS = "dev.cleave.agent.cli.AgentCommands";
    private static final String OF_CORE = "dev/cleave/Remote.class";

    private final Log log;
    private final URLClassLoader loader;
    private final StringWriter text = new StringWriter();

    private AgentTools(Log log, URLClassLoader loader) {
        this.log = log;
        this.loader = loader;
    }

    /**
     * Opens the commands.
     *
     * @param path the agent's jar and the class path of the project
     * @param own jars that are searched too if the path has no core
     */
    static AgentTools open(Log log, List<File> path, List<File> own) throws IOException {
        URLClassLoader loader = loader(path);
        if (loader.findResource(OF_CORE) != null) {
            return new AgentTools(log, loader);
        }
        loader.close();
        List<File> all = new ArrayList<>(path);
        all.addAll(own);
        return new AgentTools(log, loader(all));
    }

    private static URLClassLoader loader(List<File> path) throws MalformedURLException {
        URL[] urls = new URL[path.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = path.get(i).toURI().toURL();
        }
        return new URLClassLoader("cleave-program", urls, ClassLoader.getPlatformClassLoader());
    }

    /** Where commands print to. */
    PrintWriter out() {
        return new PrintWriter(text);
    }

    /** The loader of the agent and the project. */
    ClassLoader loader() {
        return loader;
    }

    /**
     * Calls a command, and logs what it has printed to {@link #out()}.
     *
     * @param name the name of a static method of {@code AgentCommands}
     * @param arguments its arguments
     * @return what it returns
     * @throws IllegalArgumentException with one line for the user, if an argument is not what it should be
     */
    @Nullable
    Object call(String name, @Nullable Object... arguments) throws IOException, MojoExecutionException {
        try {
            for (Method method : Class.forName(COMMANDS, true, loader).getMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == arguments.length) {
                    return method.invoke(null, arguments);
                }
            }
            throw new NoSuchMethodException(COMMANDS + "." + name);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            if (e.getCause() instanceof IllegalArgumentException failure) {
                throw failure;
            }
            throw new MojoExecutionException("the agent failed: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new MojoExecutionException("the agent's jar is not of this plugin's version: " + e, e);
        } finally {
            text.toString().lines().forEach(log::info);
            text.getBuffer().setLength(0);
        }
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}
