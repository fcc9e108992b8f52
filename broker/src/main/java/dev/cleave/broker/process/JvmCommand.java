package dev.cleave.broker.process;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

/**
 * A JVM to start, with the class path of this one after its own.
 *
 * @param name its name in messages and file names
 * @param options options of the JVM, such as {@code -Dkey=value}
 * @param mainClass the class whose {@code main} runs
 * @param args the arguments of {@code main}
 * @param launcher the program that starts it
 * @param path jars and folders with classes, in front of the class path of this JVM
 */
public record JvmCommand(
        String name, List<String> options, String mainClass, List<String> args, Launcher launcher, List<String> path) {

    /** Copies its components. */
    public JvmCommand {
        requireNonNull(name, "name");
        requireNonNull(mainClass, "mainClass");
        requireNonNull(launcher, "launcher");
        options = List.copyOf(options);
        args = List.copyOf(args);
        path = List.copyOf(path);
    }

    /** Creates the command of a JVM of the same JDK as this one. */
    public JvmCommand(String name, List<String> options, String mainClass, List<String> args) {
        this(name, options, mainClass, args, Launcher.OWN, List.of());
    }

    /** Returns this command with another launcher. */
    public JvmCommand with(Launcher other) {
        return new JvmCommand(name, options, mainClass, args, other, path);
    }

    /** Returns this command with jars and folders in front of its class path. */
    public JvmCommand behind(List<String> jars) {
        return new JvmCommand(name, options, mainClass, args, launcher, jars);
    }

    /** Returns this command with another option before its own. */
    public JvmCommand with(String option) {
        List<String> all = new ArrayList<>();
        all.add(option);
        all.addAll(options);
        return new JvmCommand(name, all, mainClass, args, launcher, path);
    }

    /** The command line. */
    public List<String> line() {
        List<String> line = new ArrayList<>(launcher.line());
        line.addAll(options);
        line.add("-cp");
        List<String> all = new ArrayList<>(path);
        all.add(System.getProperty("java.class.path"));
        line.add(String.join(File.pathSeparator, all));
        line.add(mainClass);
        line.addAll(args);
        return line;
    }
}
