package dev.cleave.examples.experiment;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.cli.Application;
import java.nio.file.Path;
import java.util.List;

/**
 * A client program to run once.
 *
 * @param name its name in messages and files
 * @param calls how its calls run
 * @param file the application file that it reads
 * @param servers the servers that it calls
 * @param mainClass its main class
 * @param args its arguments
 */
public record Client(String name, Calls calls, Path file, Application servers, Class<?> mainClass, List<String> args) {

    /** Copies its components. */
    public Client {
        requireNonNull(name, "name");
        requireNonNull(calls, "calls");
        requireNonNull(file, "file");
        requireNonNull(servers, "servers");
        requireNonNull(mainClass, "mainClass");
        args = List.copyOf(args);
    }
}
