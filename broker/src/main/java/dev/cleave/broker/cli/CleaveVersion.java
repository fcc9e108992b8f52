package dev.cleave.broker.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of the artifacts that this command line was built with. */
final class CleaveVersion implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"cleave " + current()};
    }

    /** The text in place of a version where the classes were compiled without Maven. */
    static final String UNBUILT = "unbuilt";

    /** Returns the version, such as {@code 1.2.0}. */
    static String current() {
        Properties build = new Properties();
        try (InputStream in = CleaveVersion.class.getResourceAsStream("build.properties")) {
            build.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String version = build.getProperty("version", UNBUILT);
        return version.startsWith("$") ? UNBUILT : version;
    }
}
