package dev.cleave.broker.cli;

import dev.cleave.text.Printable;
import java.io.PrintWriter;

/**
 * Prints sentences of commands. Names of peers, files and classes in them are shown without characters that steer a terminal or
 * begin another line.
 */
final class Sentences {

    private Sentences() {}

    /** Prints a sentence as one line. */
    static void say(PrintWriter out, String sentence) {
        out.println(Printable.line(sentence));
    }
}
