package dev.cleave.broker.cli;

import java.util.concurrent.Callable;

/**
 * A command of {@code bin/cleave}, annotated for picocli. {@link Main} finds it through {@link java.util.ServiceLoader}.
 * It returns the exit code: 0 done, 1 failed. It reports a failure by an exception whose message is one line that says
 * what to do.
 */
public interface Subcommand extends Callable<Integer> {}
