package dev.cleave.agent.cli;

import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.transform.FileSettings;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * What the agent would do, without running the program: {@code explain PATH... [--report FILE] [--config FILE]} says what
 * becomes of each remote call in jars and folders, {@code weave IN OUT [--config FILE]} writes the rewritten classes,
 * {@code verify PATH... [--config FILE]} links what was rewritten.
 * {@code bin/cleave} calls it by name.
 */
public final class Main {

    private Main() {}

    /** Runs a command and ends this JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(run(new PrintWriter(System.out, true), new PrintWriter(System.err, true), args));
    }

    /**
     * Runs a command.
     *
     * @return the exit code: 0 done, 1 failed, 2 not understood; a failure is one line on {@code err}
     */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        boolean verbose = false;
        try {
            Arguments arguments = Arguments.parse(args);
            verbose = arguments.verbose();
            CallSettings settings = settings(arguments.config());
            switch (arguments.command()) {
                case EXPLAIN -> Explain.run(arguments, settings, out);
                case WEAVE -> Weave.run(arguments, settings, out);
                case VERIFY -> {
                    return Verify.run(arguments, settings, out) ? 0 : ToolException.FAILED;
                }
            }
            return 0;
        } catch (ToolException e) {
            tell(err, e.getMessage(), e, verbose);
            return e.exitCode();
        } catch (IllegalArgumentException e) {
            tell(err, e.getMessage(), e, verbose);
            return ToolException.FAILED;
        } catch (IOException e) {
            tell(err, e.getClass().getSimpleName().replaceFirst("Exception$", "") + ": " + e.getMessage(), e, verbose);
            return ToolException.FAILED;
        } finally {
            out.flush();
            err.flush();
        }
    }

    private static CallSettings settings(@Nullable String config) {
        return config == null ? CallSettings.NONE : FileSettings.read(config, ProgramPath.loader());
    }

    private static void tell(PrintWriter err, @Nullable String message, Exception e, boolean verbose) {
        err.println("cleave: " + String.valueOf(message).strip().replaceAll("\\s*\\R\\s*", "; "));
        if (verbose) {
            e.printStackTrace(err);
        }
    }
}
