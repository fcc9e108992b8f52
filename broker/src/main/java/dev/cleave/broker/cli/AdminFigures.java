package dev.cleave.broker.cli;

import dev.cleave.admin.AdminServer;
import dev.cleave.config.Bindings;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The figures of processes on this machine, read at their admin ports, which they name by files in a folder. */
final class AdminFigures {

    private static final int MOST_MILLIS = 500;
    private static final Pattern PORT = Pattern.compile("(\\d+)-(\\d+)");
    private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{(.*)})? (\\S+)");
    private static final Pattern TAG = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    private final Path folder;

    private AdminFigures(Path folder) {
        this.folder = folder;
    }

    /** Reads the ports that processes name in a new folder, within an existing one. */
    static AdminFigures of(Path within) throws IOException {
        return new AdminFigures(Files.createDirectory(within.resolve("ports")));
    }

    /** One figure of a process. */
    record Figure(String name, Map<String, String> tags, double value) {}

    /** The options of the JVMs whose figures are read. Where the file names an admin port, the processes keep to that. */
    List<String> options(Bindings bindings) {
        List<String> options = new ArrayList<>();
        options.add("-D" + AdminServer.TOLD_PROPERTY + "=" + folder.toAbsolutePath());
        if (bindings.operation().admin() == null) {
            options.add("-Dcleave.admin=0");
        }
        return options;
    }

    /** Asks all processes that have named a port; returns the figures of those that answer, by the number of the process. */
    Map<Long, List<Figure>> read() throws IOException {
        Map<Long, List<Figure>> all = new TreeMap<>();
        List<Path> ports;
        try (Stream<Path> files = Files.list(folder)) {
            ports = files.sorted().toList();
        }
        for (Path port : ports) {
            Matcher named = PORT.matcher(port.getFileName().toString());
            if (named.matches()) {
                List<Figure> figures = ask(port, Integer.parseInt(named.group(2)));
                if (!figures.isEmpty()) {
                    all.computeIfAbsent(Long.valueOf(named.group(1)), process -> new ArrayList<>())
                            .addAll(figures);
                }
            }
        }
        return all;
    }

    /** Returns the figures that are told at a port; none if there is no answer in time. A port that is closed is asked no more. */
    private static List<Figure> ask(Path named, int port) throws IOException {
        try {
            HttpURLConnection connection = (HttpURLConnection)
                    URI.create("http://localhost:" + port + "/metrics").toURL().openConnection();
            connection.setConnectTimeout(MOST_MILLIS);
            connection.setReadTimeout(MOST_MILLIS);
            try (InputStream body = connection.getInputStream()) {
                return parsed(new String(body.readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (ConnectException e) { // the node is closed, or its process has ended
            Files.deleteIfExists(named);
            return List.of();
        } catch (IOException e) { // the process is too busy to answer: it is asked again
            return List.of();
        }
    }

    /** Reads the text format of Prometheus. */
    static List<Figure> parsed(String text) {
        List<Figure> figures = new ArrayList<>();
        text.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            Matcher sample = SAMPLE.matcher(line);
            if (sample.matches()) {
                Map<String, String> tags = new LinkedHashMap<>();
                Matcher tag = TAG.matcher(sample.group(2) == null ? "" : sample.group(2));
                while (tag.find()) {
                    tags.put(tag.group(1), tag.group(2));
                }
                figures.add(new Figure(sample.group(1), tags, Double.parseDouble(sample.group(3))));
            }
        });
        return figures;
    }
}
