package samples;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/** Weaves the programs as {@code bin/cleave weave} does. */
final class Woven {

    private static final String PATH = System.getProperty("cleave.woven");

    private Woven() {}

    /** The class path of the woven programs: their jar, and the core with all that it needs. */
    static String path() {
        return PATH + File.pathSeparator + System.getProperty("cleave.shaded");
    }

    /**
     * Writes the jar of the woven programs.
     *
     * @param config the application file
     * @return what {@code weave} prints
     */
    static String weave(Path config) throws IOException, ReflectiveOperationException {
        URL[] tools = {url("cleave.tools"), url("cleave.shaded")};
        StringWriter printed = new StringWriter();
        try (URLClassLoader loader = new URLClassLoader(tools)) {
            Class.forName("dev.cleave.agent.cli.AgentCommands", true, loader)
                    .getMethod("weave", PrintWriter.class, String.class, String.class, String.class)
                    .invoke(
                            null,
                            new PrintWriter(printed),
                            System.getProperty("cleave.programs"),
                            PATH,
                            config.toString());
        }
        return printed.toString();
    }

    private static URL url(String property) throws IOException {
        return Path.of(System.getProperty(property)).toUri().toURL();
    }
}
